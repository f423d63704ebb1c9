import { describe, expect, test } from 'vitest';
import { proxyFor } from '../../../../src/cli/settings/network/proxy.js';
import { endpointOf } from '../../../../src/cli/system/endpoint.js';

const URL_ = 'https://api.pets.test/v1';
const PROXY = 'http://proxy.test:3128';

describe('proxyFor', () => {
  test.each<[string, Record<string, string>, string, string | undefined]>([
    ['no proxy', {}, URL_, undefined],
    ['HTTPS_PROXY', { HTTPS_PROXY: PROXY }, URL_, PROXY],
    ['lower case wins', { HTTPS_PROXY: 'http://other.test', https_proxy: PROXY }, URL_, PROXY],
    ['an empty variable is unset', { https_proxy: '', HTTPS_PROXY: PROXY }, URL_, PROXY],
    ['ALL_PROXY', { ALL_PROXY: PROXY }, URL_, PROXY],
    ['HTTP_PROXY is not for https', { HTTP_PROXY: PROXY }, URL_, undefined],
    ['without a scheme', { HTTPS_PROXY: 'proxy.test:3128' }, URL_, PROXY],
    ['loopback', { HTTP_PROXY: PROXY, HTTPS_PROXY: PROXY }, 'http://127.0.0.1:4010/v1', undefined],
    ['NO_PROXY with the host', { HTTPS_PROXY: PROXY, NO_PROXY: 'api.pets.test' }, URL_, undefined],
    ['NO_PROXY with the domain', { HTTPS_PROXY: PROXY, NO_PROXY: 'a.test, pets.test' }, URL_, undefined],
    ['NO_PROXY with a leading dot', { HTTPS_PROXY: PROXY, NO_PROXY: '.pets.test' }, URL_, undefined],
    ['NO_PROXY with a star', { HTTPS_PROXY: PROXY, NO_PROXY: '*.PETS.test' }, URL_, undefined],
    ['NO_PROXY for all', { HTTPS_PROXY: PROXY, no_proxy: '*' }, URL_, undefined],
    ['NO_PROXY with the port', { HTTPS_PROXY: PROXY, NO_PROXY: 'api.pets.test:443' }, URL_, undefined],
    ['NO_PROXY with another port', { HTTPS_PROXY: PROXY, NO_PROXY: 'api.pets.test:8443' }, URL_, PROXY],
    [
      'NO_PROXY with a prefix',
      { HTTPS_PROXY: PROXY, NO_PROXY: '10.0.0.0/8' },
      'https://10.1.2.3/v1',
      undefined,
    ],
    [
      'NO_PROXY with another prefix',
      { HTTPS_PROXY: PROXY, NO_PROXY: '10.2.0.0/16' },
      'https://10.1.2.3/v1',
      PROXY,
    ],
    [
      'NO_PROXY with an IPv6 prefix',
      { HTTPS_PROXY: PROXY, NO_PROXY: 'fd00::/8' },
      'https://[fd12::1]/v1',
      undefined,
    ],
    ['a prefix is for addresses', { HTTPS_PROXY: PROXY, NO_PROXY: '0.0.0.0/0,::/0' }, URL_, PROXY],
    [
      'an invalid prefix',
      { HTTPS_PROXY: PROXY, NO_PROXY: '10.0.0.0/33, 1.2/8' },
      'https://10.1.2.3/v1',
      PROXY,
    ],
    ['NO_PROXY with half a label', { HTTPS_PROXY: PROXY, NO_PROXY: 'ets.test' }, URL_, PROXY],
  ])('%s', (_, env, url, expected) => {
    expect(proxyFor(url, { env })?.url).toBe(expected);
  });

  test('rejects a login that cannot be decoded, without showing it', () => {
    const env = { HTTPS_PROXY: 'http://ida:hunter%2@proxy.test' };
    expect(() => proxyFor(URL_, { env })).toThrow(/^The login in HTTPS_PROXY contains a %/);
  });

  test.each(['12#34', '12?34', '12/34', '12\\\\34', '12@3#4'])(
    'rejects a login that %s cuts, without showing it',
    (password) => {
      for (const value of [
        `http://alice:${password}@127.0.0.1:3128`,
        `alice:${password}@proxy.test`,
        `DOM\\\\alice:${password}@p.test`,
      ]) {
        const read = () => proxyFor(URL_, { env: { HTTPS_PROXY: value } });
        expect(read).toThrow(/^The login in HTTPS_PROXY contains #, \?, \/ or \\/);
        expect(read).not.toThrow(/alice|12|34|DOM/);
      }
    },
  );

  test.each(['"', "'"])('rejects a value in %s', (quote) => {
    const env = { HTTPS_PROXY: `${quote}http://ida:hunter2@proxy.test:3128${quote}` };
    expect(() => proxyFor(URL_, { env })).toThrow(/^HTTPS_PROXY is in quotes, which are part of the value$/);
  });

  test('rejects an unsupported scheme, without showing the password', () => {
    const env = { HTTPS_PROXY: 'socks5://ida:hunter2@proxy.test' };
    expect(() => proxyFor(URL_, { env })).toThrow(/HTTPS_PROXY is not an http/);
    expect(() => proxyFor(URL_, { env })).not.toThrow(/hunter2/);
  });
});

test.each([
  ['https://pets.test/v1', { host: 'pets.test', port: 443, isTls: true }],
  ['http://localhost', { host: 'localhost', port: 80, isTls: false }],
  ['https://pets.test:80', { host: 'pets.test', port: 80, isTls: true }],
  ['http://[::1]:8080', { host: '::1', port: 8080, isTls: false }],
])('the endpoint of %s', (url, expected) => {
  expect(endpointOf(new URL(url))).toEqual(expected);
});
