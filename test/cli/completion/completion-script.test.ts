import { expect, test } from 'vitest';
import { completionScript } from '../../../src/cli/completion/completion-script.js';
import { SHELLS } from '../../../src/cli/completion/complete.js';

// test/flows/completion.test.ts runs the scripts in real shells.
test.each(SHELLS)('the script of %s runs the program and hides its errors', (shell) => {
  const script = completionScript(shell) ?? '';
  expect(script).toContain(`petstore __complete ${shell} `);
  expect(script).toMatch(/2>(\/dev\/null|\$null)/);
  expect(script.endsWith('\n')).toBe(true);
});

test('zsh shows no empty description', () => {
  expect(completionScript('zsh')).toContain('${summary:+:$summary}');
});

test('other shells have no script', () => {
  expect(completionScript('tcsh')).toBeUndefined();
  expect(completionScript('constructor')).toBeUndefined();
});
