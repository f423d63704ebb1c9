import { describe, expect, test } from 'vitest';
import { readTerminal } from '../../../src/cli/session/terminal.js';
import { fakeContext, runFake } from '../../support/fake-context.js';

const NONE = { color: undefined, profileColor: undefined };

describe('readTerminal', () => {
  test('PETSTORE_FORCE_TTY makes stdout a terminal of this width', () => {
    const { context } = fakeContext({ env: { PETSTORE_FORCE_TTY: '33' } });
    expect(readTerminal(context, NONE).stdout).toMatchObject({ isTTY: true, width: 33 });
  });

  test.each([
    '--help',
    'help config',
    'pets list --help',
    'pets get x',
    'pets create --name Rex --category 7 --mock',
  ])('PETSTORE_FORCE_TTY is the width of help, errors and notes: %s', async (line) => {
    const { stdout, stderr } = await runFake(line, { env: { PETSTORE_FORCE_TTY: '60' } });
    const widths = `${stdout}${stderr}`.split('\n').map((text) => text.length);
    expect(Math.max(...widths)).toBeLessThanOrEqual(60);
    expect(Math.max(...widths)).toBeGreaterThan(40);
  });

  test.each(['0', '-1', '1.5', 'yes'])('rejects PETSTORE_FORCE_TTY=%s', async (value) => {
    const { exitCode, stderr } = await runFake('pets list --mock', { env: { PETSTORE_FORCE_TTY: value } });
    expect(exitCode).toBe(2);
    expect(stderr).toMatch(/PETSTORE_FORCE_TTY: .* is not a number of columns/);
  });
});
