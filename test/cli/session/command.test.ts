import { expect, test } from 'vitest';
import { runFake } from '../../support/fake-context.js';

test.each([
  ['help --json', 'Run "petstore commands --json" for all commands as data.'],
  ['help exit-codes -o yaml', 'Run "petstore commands --json" for all commands as data.'],
  ['help pets list -ojson', 'Run "petstore commands --json" for all commands as data.'],
  ['help pets list --output=table', 'Run "petstore commands --json" for all commands as data.'],
  ['completion bash -o json', 'Leave out --json.'],
  ['completion zsh -o csv', 'Leave out --output csv.'],
  ['completion fish --fields id', 'Leave out --fields.'],
  ['completion bash --query id', 'Leave out --query.'],
  ['mock --json', 'Pass --ready-file FILE to get the address and the keys as JSON.'],
  ['mock --record a.har --upstream http://127.0.0.1:1/v1 -o yaml', 'Pass --ready-file FILE'],
])('%s is rejected: it prints text', async (line, hint) => {
  const { exitCode, stdout, stderr } = await runFake(line);
  expect({ exitCode, stdout }).toEqual({ exitCode: 2, stdout: '' });
  const said = stderr.replaceAll('\\"', '"');
  expect(said).toContain('prints text, not data');
  expect(said).toContain(hint);
});

test.each(['help exit-codes', 'completion bash'])('%s ignores the configured format', async (line) => {
  expect(await runFake(line, { env: { PETSTORE_OUTPUT: 'json' } })).toMatchObject({
    exitCode: 0,
    stderr: '',
  });
});

test.each(['help pets list --profile x', 'help --color never pets list', 'help pets list -q'])(
  '%s is the help of the command',
  async (line) => {
    expect((await runFake(line)).stdout).toMatch(/^Usage: petstore pets list /);
  },
);
