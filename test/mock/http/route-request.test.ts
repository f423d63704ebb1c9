import { expect, test } from 'vitest';
import { routeRequest } from '../../../src/mock/http/route-request.js';
import type { Tenant } from '../../../src/mock/tenant.js';

const tenant = { number: 1 } as Tenant;

function read(url: string, authorization?: string) {
  const headers = authorization === undefined ? {} : { authorization };
  return routeRequest(new Map([['a~key', tenant]]), { method: 'GET', url, headers });
}

test.each([
  ['/v1/pets', '/pets', '', '/pets'],
  ['/v1/pets?a=1?b#c', '/pets', 'a=1?b', '/pets'],
  ['/v1/pets#c?d', '/pets', '', '/pets'],
  ['/v1/p%65ts', '/pets', '', '/pets'],
  ['/v1/pets/7', '/pets/{petId}', '', '/pets/7'],
  ['https://user@host:1/v1/pets?x', '/pets', 'x', '/pets'],
  ['http://host', undefined, '', '/'],
  ['http://host?x=/v1/pets', undefined, 'x=/v1/pets', '/'],
  ['/v2/pets', undefined, '', '/v2/pets'],
  ['/v1', undefined, '', '/v1'],
  ['/v1/pets/%', undefined, '', '/v1/pets/%'],
  ['*', undefined, '', '*'],
])('routes %s to %s', (url, route, query, shownPath) => {
  const call = read(url);
  expect([call.route?.path, call.query, call.shownPath]).toEqual([route, query, shownPath]);
});

test('distinguishes a malformed path from an unknown one', () => {
  expect([read('/v1/%zz').isMalformed, read('/v1/zz').isMalformed]).toEqual([true, false]);
});

test('reads the key after a scheme in any case, and nothing else', () => {
  expect(read('/v1/pets', 'bEaReR a~key').tenant).toBe(tenant);
  for (const other of [
    undefined,
    '',
    'a~key',
    'Bearer',
    'Bearer a~key, Bearer a~key',
    'Bearer A~KEY',
    'Bearer a~key ',
  ]) {
    expect(read('/v1/pets', other).tenant).toBeUndefined();
  }
});
