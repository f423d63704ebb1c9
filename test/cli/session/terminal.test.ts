import { describe, expect, test } from 'vitest';
import { isJsonFormat, readTerminal } from '../../../src/cli/session/terminal.js';
import { fakeContext, runFake } from '../../support/fake-context.js';

const NONE = { color: undefined, profileColor: undefined };

describe('readTerminal', () => {
  test('reads stdout and stderr independently', () => {
    const { context } = fakeContext({ terminals: ['stdout'], columns: 100, env: { TERM: 'xterm' } });
    expect(readTerminal(context, NONE)).toEqual({
      stdout: { isTTY: true, width: 100, colorLevel: 1 },
      stderr: { isTTY: false, colorLevel: 0 },
    });
  });

  test('PETSTORE_FORCE_TTY makes stdout a terminal of this width', () => {
    const { context } = fakeContext({ env: { PETSTORE_FORCE_TTY: '33' } });
    expect(readTerminal(context, NONE).stdout).toMatchObject({ isTTY: true, width: 33 });
  });

  test.each(['0', '-1', '1.5', 'yes'])('rejects PETSTORE_FORCE_TTY=%s', async (value) => {
    const { exitCode, stderr } = await runFake('pets list --mock', { env: { PETSTORE_FORCE_TTY: value } });
    expect(exitCode).toBe(2);
    expect(stderr).toMatch(/PETSTORE_FORCE_TTY: .* is not a number of columns/);
  });

  test('a profile can turn off colour on a terminal', () => {
    const { context } = fakeContext({ terminals: ['stdout'], env: {} });
    expect(readTerminal(context, { color: undefined, profileColor: 'never' }).stdout.colorLevel).toBe(0);
  });
});

test.each([
  ['--color auto', { PETSTORE_COLOR: 'always' }, false],
  ['--color always', { PETSTORE_COLOR: 'never' }, true],
  ['', { PETSTORE_COLOR: 'always' }, true],
])('colour of %j with %j', async (flags, env, colored) => {
  const good = await runFake(`pets list --mock -o table --limit 1 ${flags}`, { env });
  const bad = await runFake(`pets list --mock --limit 1 --fields nope ${flags}`, { env });
  expect([good.stdout.includes('\u001b['), bad.stderr.includes('\u001b[')]).toEqual([colored, colored]);
});

test.each([
  ['stdout', [true, false]],
  ['stderr', [false, true]],
] as const)('only %s has colour if only that is a terminal', async (stream, colored) => {
  const world = { terminals: [stream], env: {} };
  const good = await runFake('pets list --mock -o json --limit 1', world);
  const bad = await runFake('pets list --mock --limit 1 --fields nope', world);
  expect([good.stdout.includes('\u001b['), bad.stderr.includes('\u001b[')]).toEqual(colored);
});

test('json and ndjson are JSON formats', () => {
  expect(['json', 'ndjson', 'yaml', undefined].map((format) => isJsonFormat(format as 'json'))).toEqual([
    true,
    true,
    false,
    false,
  ]);
});
