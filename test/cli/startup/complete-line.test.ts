import { expect, test } from 'vitest';
import { completeLine } from '../../../src/cli/startup/complete-line.js';
import { readCommandTree } from '../../../src/cli/program/read-command-tree.js';
import { storeSeenPets } from '../../../src/cli/commands/completion/seen-pets.js';
import { SHELLS } from '../../../src/cli/commands/completion/complete.js';
import { completionScript } from '../../../src/cli/commands/completion/completion-script.js';
import { temporaryFolder } from '../../support/temporary-folder.js';

function complete(...words: string[]): Promise<string> {
  const folder = temporaryFolder({
    'config/config.json': {
      profiles: { shop: {}, 'my shop': {}, 'evil\u001b[2J': {}, 'sh\u200bop': {}, '\u202epohs': {} },
    },
  });
  const env = { PETSTORE_CONFIG_DIR: `${folder}/config`, PETSTORE_STATE_DIR: folder };
  return completeLine(words, { env, platform: 'linux', cwd: () => folder }, readCommandTree);
}

test('prints a value, a tab and its description', async () => {
  expect(await complete('zsh', '1', '--', 'pets', 'li')).toBe('list\tList pets (also: ls)\n');
});

test('bash gets values only, after the last = or :', async () => {
  expect(await complete('bash', '4', '--', 'pets', 'list', '--status', '=', 's')).toBe('sold\n');
  expect(await complete('bash', '3', '--', 'pets', 'list', '--status', '=')).toBe(
    'available\npending\nsold\n',
  );
});

test('joins a word that bash split at a colon', async () => {
  const words = ['domain', 'verify', '--resolver', '127.0.0.1', ':', '53', '--until', 'a'];
  expect(await complete('bash', '7', '--', ...words)).toBe('active\n');
});

test('quotes values for bash, and leaves out values with control characters', async () => {
  expect(await complete('bash', '1', '--', '--profile', '')).toBe("shop\n'my shop'\n");
  expect(await complete('fish', '1', '--', '--profile', '')).toBe('shop\t\nmy shop\t\n');
});

test('PowerShell gets each value as one literal word, with any quote typed', async () => {
  expect(await complete('powershell', '1', '--', '--profile', '')).toBe("shop\t\n'my shop'\t\n");
  for (const typed of ["'my s", '"my s', 'my` s', "'my shop'"])
    expect(await complete('powershell', '1', '--', '--profile', typed)).toBe("'my shop'\t\n");
  expect(await complete('powershell', '0', '--', "'--profile=my s")).toBe("'--profile=my shop'\t\n");
});

test('PowerShell completes the part of a list after the last comma', async () => {
  const list = ['pets', 'list', '--fields'];
  expect(await complete('powershell', '3', '--', ...list, 'id,n')).toBe('name\t\n');
  expect(await complete('powershell', '3', '--', ...list, 'id,name,')).toBe('category\t\nstatus\t\n');
  expect(await complete('powershell', '3', '--', ...list, "'id,n")).toBe("'id,name'\t\n");
});

test.each(SHELLS)('%s gets descriptions without invisible and control characters', async (shell) => {
  const folder = temporaryFolder();
  const env = { PETSTORE_STATE_DIR: folder };
  const name = 'R\u001b[2Je\u202ex\u200b\tof\u2028\r\nall';
  storeSeenPets([{ id: 7n, name }], { env, homeDirectory: folder, platform: 'linux' });
  const host = { env, platform: 'linux', cwd: () => folder } as const;
  const line = await completeLine([shell, '2', '--', 'pets', 'get', ''], host, readCommandTree);
  expect(line).toBe(shell === 'bash' ? '7\n' : '7\tR[2Jex of all\n');
});

test.each(['bash', 'zsh', 'fish'])('%s completes within an open quote', async (shell) => {
  const tab = shell === 'bash' ? '' : '\t';
  for (const typed of ["'my s", '"my s'])
    expect(await complete(shell, '1', '--', '--profile', typed)).toBe(`my shop${tab}\n`);
  expect(await complete(shell, '2', '--', "'pets'", '"list"', '--st')).toContain('--status');
});

test('accepts an index after the last word, from shells that leave out the empty word', async () => {
  expect(await complete('powershell', '1', '--', 'pets')).toContain('list\t');
});

test('ignores words after the cursor', async () => {
  expect(await complete('fish', '1', '--', 'pets', 'g', '--mock')).toBe('get\tShow one pet\n');
});

test('lets the shell complete files', async () => {
  expect(await complete('zsh', '3', '--', 'pets', 'create', '-f', '')).toBe(':files\n');
});

test.each([[[]], [['tcsh', '0', '--', '']], [['bash']], [['bash', 'x', '--']]])(
  'an invalid request (%j) prints no error',
  async (words) => {
    expect(await complete(...words)).not.toContain('error');
  },
);

// test/flows/completion.test.ts runs the scripts in real shells.
test.each(SHELLS)('the script of %s runs the program and hides its errors', (shell) => {
  const script = completionScript(shell) ?? '';
  expect(script).toContain(`petstore __complete ${shell} `);
  expect(script).toMatch(/2>(\/dev\/null|\$null)/);
  expect(script.endsWith('\n')).toBe(true);
});
