import { expect, test } from 'vitest';
import { completionScript } from '../../../src/cli/completion/completion-script.js';
import { SHELLS } from '../../../src/cli/completion/complete.js';

// What the scripts do in real shells is in test/flows/completion.test.ts.
test.each(SHELLS)('of %s asks the program, as that shell, and hides its errors', (shell) => {
  const script = completionScript(shell) ?? '';
  expect(script).toContain(`petstore __complete ${shell} `);
  expect(script).toMatch(/2>(\/dev\/null|\$null)/);
  expect(script.endsWith('\n')).toBe(true);
});

test('zsh is told of no description where there is none', () => {
  expect(completionScript('zsh')).toContain('${about:+:$about}');
});

test('there is none for another shell, nor for what objects inherit', () => {
  expect(completionScript('tcsh')).toBeUndefined();
  expect(completionScript('constructor')).toBeUndefined();
});
