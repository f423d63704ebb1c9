import { expect, test } from 'vitest';
import { isShell } from '../../../src/cli/completion/shells.js';

test('knows a shell from another word, and from none', () => {
  expect(isShell('fish')).toBe(true);
  expect(isShell('tcsh')).toBe(false);
  expect(isShell(undefined)).toBe(false);
});
