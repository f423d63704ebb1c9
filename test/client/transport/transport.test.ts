import { expect, test } from 'vitest';
import { TransportFailure } from '../../../src/client/transport/transport.js';

const coded = (code: unknown): Error => Object.assign(new Error('x'), { code });

test.each([
  [coded('ECONNREFUSED'), 'ECONNREFUSED'],
  [new Error('outer', { cause: coded('ENOTFOUND') }), 'ENOTFOUND'],
  [new AggregateError([new Error('y'), coded('ECONNREFUSED')]), 'ECONNREFUSED'],
  [new TypeError('fetch failed', { cause: new AggregateError([coded('ETIMEDOUT')]) }), 'ETIMEDOUT'],
  [coded(20), undefined],
  [new Error('none'), undefined],
  ['text', undefined],
])('TransportFailure of %o has the code %s', (cause, code) => {
  const failure = new TransportFailure(cause);
  expect(failure.code).toBe(code);
  expect(failure.cause).toBe(cause);
});
