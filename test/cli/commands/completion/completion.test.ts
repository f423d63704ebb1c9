import { expect, test } from 'vitest';
import { completionScript } from '../../../../src/cli/commands/completion/completion-script.js';
import { runFake } from '../../../support/fake-context.js';

test('prints the script of the shell', async () => {
  expect(await runFake('completion fish')).toMatchObject({ exitCode: 0, stdout: completionScript('fish') });
});

test('pwsh is another name of PowerShell', async () => {
  const { stdout } = await runFake('completion pwsh');
  expect(stdout).toBe(completionScript('powershell'));
});
