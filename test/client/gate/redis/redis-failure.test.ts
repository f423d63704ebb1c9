import { inspect } from 'node:util';
import { expect, test } from 'vitest';
import {
  isUnknownScript,
  redisFailure,
  TimeoutFailure,
} from '../../../../src/client/gate/redis/redis-failure.js';

const SHOWN = 'redis://example.test:6379';

test.each([
  [Object.assign(new Error('connect'), { code: 'ECONNREFUSED' }), 'connection refused'],
  [Object.assign(new Error('self-signed'), { code: 'DEPTH_ZERO_SELF_SIGNED_CERT' }), /NODE_EXTRA_CA_CERTS/],
  [new Error('NOAUTH Authentication required.'), 'a password is required'],
  [new Error('OOM command not allowed when used memory > maxmemory'), 'the server has no memory left'],
  [new Error('LOADING Redis is loading the dataset in memory'), 'the server is still loading its data'],
  [new TimeoutFailure(1_000), 'no response within 1000 ms'],
])('%s has a readable reason', (thrown, words) => {
  const { message } = redisFailure(thrown, SHOWN);
  expect(message.slice(0, SHOWN.length + 2)).toBe(`${SHOWN}: `);
  expect(message.slice(SHOWN.length + 2)).toMatch(words);
});

test.each([
  new Error("ERR unknown command 'HELLO', with args beginning with: '3' 'AUTH' 'default' 'secret'"),
  new Error('secret'),
  new Error('SECRET is no code of ours'),
  Object.assign(new Error('failed'), { code: 'secret', command: { name: 'AUTH', args: ['secret'] } }),
  'secret',
  undefined,
])('passes on nothing of what was thrown: %o', (thrown) => {
  const failure = redisFailure(thrown, SHOWN);
  expect(failure.name).toBe('RedisFailure');
  const { message, cause } = failure;
  // The stack begins with the message; the rest of it names this file.
  expect(inspect({ message, cause, own: Object.entries(failure) })).not.toMatch(/secret/i);
});

test('returns a RedisFailure unchanged', () => {
  const failure = redisFailure(new Error('OOM'), SHOWN);
  expect(redisFailure(failure, SHOWN)).toBe(failure);
});

test('recognizes the error of an unknown script', () => {
  expect(isUnknownScript(new Error('NOSCRIPT No matching script. Please use EVAL.'))).toBe(true);
  expect(isUnknownScript(new Error('ERR NOSCRIPT'))).toBe(false);
  expect(isUnknownScript('NOSCRIPT')).toBe(false);
});
