import { expect, test } from 'vitest';
import { Interruption, variable } from '../../../src/cli/system/context.js';

test('an empty environment variable counts as not set', () => {
  const env = { A: 'x', B: '' };
  expect(['A', 'B', 'C'].map((name) => variable({ env }, name))).toEqual(['x', undefined, undefined]);
});

test('an interruption has an exit code', () => {
  expect(new Interruption(130)).toMatchObject({ exitCode: 130, message: 'interrupted' });
  expect(new Interruption(0).message).toBe('stdout was closed');
});
