import { expect, test } from 'vitest';
import { CommandFailure } from '../../src/cli/command-failure.js';

test('carries what the exit table wants to know', () => {
  const failure = new CommandFailure('gone', { type: 'not-found', exitCode: 4, hint: 'look' });
  expect(failure).toMatchObject({
    message: 'gone',
    type: 'not-found',
    exitCode: 4,
    hint: 'look',
    retryable: false,
  });
  expect(new CommandFailure('x', { type: 'x', exitCode: 1 }).hint).toBeUndefined();
});
