import { expect, test } from 'vitest';
import { completionScript } from '../../../../src/cli/completion/completion-script.js';
import { runFake } from '../../../support/fake-context.js';

test('prints the script of the shell', async () => {
  expect(await runFake('completion fish')).toMatchObject({ exitCode: 0, stdout: completionScript('fish') });
});

test('pwsh is another name of PowerShell', async () => {
  const { stdout } = await runFake('completion pwsh');
  expect(stdout).toBe(completionScript('powershell'));
});

test.each([
  ['completion zhs', /is not one of bash, zsh, fish, powershell\nhint: Did you mean "zsh"\?/],
  ['completion', /Missing required argument/],
])('%s: shows the supported shells', async (line, said) => {
  const { exitCode, stdout, stderr } = await runFake(line);
  expect({ exitCode, stdout }).toEqual({ exitCode: 2, stdout: '' });
  expect(stderr).toMatch(said);
});
