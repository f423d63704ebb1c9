import { expect, test } from 'vitest';
import { TransportFailure } from '../../../src/client/transport/transport.js';

const errorWithCode = (code: unknown): Error => Object.assign(new Error('x'), { code });

test.each([
  [errorWithCode('ECONNREFUSED'), 'ECONNREFUSED'],
  [new Error('outer', { cause: errorWithCode('ENOTFOUND') }), 'ENOTFOUND'],
  [new AggregateError([new Error('y'), errorWithCode('ECONNREFUSED')]), 'ECONNREFUSED'],
  [new TypeError('fetch failed', { cause: new AggregateError([errorWithCode('ETIMEDOUT')]) }), 'ETIMEDOUT'],
  [errorWithCode(20), undefined],
  [new Error('none'), undefined],
  ['text', undefined],
])('TransportFailure of %o has the code %s', (cause, code) => {
  const failure = new TransportFailure(cause);
  expect(failure.code).toBe(code);
  expect(failure.cause).toBe(cause);
});
