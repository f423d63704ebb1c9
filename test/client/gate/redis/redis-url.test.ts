import { inspect } from 'node:util';
import { describe, expect, test } from 'vitest';
import { parseRedisUrl } from '../../../../src/client/gate/redis/redis-url.js';
import { ConfigurationError } from '../../../../src/errors.js';

describe('a Redis URL', () => {
  test.each([
    [
      'redis://example.test',
      { host: 'example.test', port: 6379, tls: false, database: 0, prefix: undefined },
      {},
    ],
    ['rediss://example.test:6380/2', { port: 6380, tls: true, database: 2 }, {}],
    ['redis://[::1]:7000/', { host: '::1', port: 7000, database: 0 }, {}],
    ['redis://:p%40ss%2Fw%23rd@example.test', { host: 'example.test' }, { password: 'p@ss/w#rd' }],
    ['redis://anna:secret@example.test/1', { database: 1 }, { username: 'anna', password: 'secret' }],
    ['redis://example.test/3?prefix=team:a:', { database: 3, prefix: 'team:a:' }, {}],
  ])('%s', (url, expected, credentials) => {
    const address = parseRedisUrl(url);
    expect(address).toMatchObject(expected);
    expect(address.credentials()).toEqual(credentials);
  });

  test('may be a URL', () => {
    expect(parseRedisUrl(new URL('redis://example.test:1')).port).toBe(1);
  });

  test('is displayed and inspected without credentials', () => {
    const address = parseRedisUrl('rediss://anna:secret@example.test:6380/2?prefix=x');
    expect(address.displayUrl).toBe('rediss://example.test:6380/2');
    expect(inspect(address, { depth: 9, showHidden: true }) + JSON.stringify(address)).not.toMatch(
      /anna|secret/,
    );
  });
});

test.each([
  ['secret', 'address'],
  ['http://:secret@example.test', 'scheme'],
  ['redis://:secret@', 'address'],
  ['redis:///0', 'host'],
  ['redis://:secret@example.test:99999', 'address'],
  ['redis://:secret@example.test/zero', 'path'],
  ['redis://:secret@example.test/0/1', 'path'],
  ['redis://:secret@example.test?db=1', 'query'],
  ['redis://:se#cret@example.test', 'address'],
  ['redis://example.test#secret', 'fragment'],
  ['redis://:secret%zz@example.test', 'percent-encoding'],
])('rejects %s for its %s, without quoting it', (url, part) => {
  const error = thrownBy(() => parseRedisUrl(url));
  expect(error).toBeInstanceOf(ConfigurationError);
  expect(error).toMatchObject({
    message: `The URL of the Redis gate has an invalid ${part}`,
    option: 'gate',
    hint: expect.stringContaining('redis://[[USER]:PASSWORD@]HOST'),
  });
  expect(inspect(error, { depth: 9, showHidden: true })).not.toMatch(/secret|se#cret/);
});

function thrownBy(action: () => unknown): unknown {
  try {
    action();
  } catch (error) {
    return error;
  }
  throw new Error('nothing was thrown');
}
