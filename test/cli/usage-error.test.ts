import { expect, test } from 'vitest';
import { UsageError } from '../../src/cli/usage-error.js';

test('carries what helps and what caused it', () => {
  const cause = new Error('deep');
  expect(new UsageError('bad', 'do this', cause)).toMatchObject({
    name: 'UsageError',
    message: 'bad',
    hint: 'do this',
    cause,
  });
  expect(new UsageError('bad').hint).toBeUndefined();
  expect('cause' in new UsageError('bad')).toBe(false);
});
