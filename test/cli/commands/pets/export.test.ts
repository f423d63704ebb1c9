import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { runFake } from '../../../support/fake-context.js';
import { temporaryFolder } from '../../../support/temporary-folder.js';

const listOf = (...names: string[]) => [
  { body: JSON.stringify(names.map((name, at) => ({ id: at + 2, name, categoryId: 7 }))) },
];

test.each([
  ['csv', 'a\u001b[2J'],
  ['ndjson', 'a\u009b2J'],
])('%s: exact in a pipe, escaped on a terminal', async (format, name) => {
  const responses = listOf(name);
  expect((await runFake(`pets export -o ${format}`, { responses })).stdout).toContain(name);
  const { stdout } = await runFake(`pets export -o ${format}`, { responses, terminals: ['stdout'] });
  expect(stdout).not.toMatch(/[\u001b\u009b]/);
});

test.skipIf(process.platform !== 'linux')(
  'a folder without write permission: nothing is requested',
  async () => {
    // Nobody can write there, not even root.
    expect(await runFake('pets export --out /sys/pets.csv')).toMatchObject({
      ...{ exitCode: 2, requests: [] },
      stderr: expect.stringMatching(
        /^error: Can't write \/sys\/pets\.csv \((permission denied|not permitted|the file system is read-only)\)\nhint: .*folder/,
      ),
    });
  },
);

test.each([
  ['pets.csv', '', /^id,name,/],
  ['pets.NDJSON', '', /^\{.*\}\n\{/],
  ['pets.jsonl', '', /^\{.*\}\n\{/],
  ['pets.json', '', /^\[\n\{/],
  ['pets.tsv', '', /^2\t/],
  ['pets.yml', '', /^- id: 2\n/],
  ['pets.csv', '-o json', /^\[\n\{/],
  ['pets.txt', '-o json', /^\[\n\{/],
])('--out %s %s', async (name, flags, content) => {
  const currentDirectory = temporaryFolder();
  // Also on a terminal: no colour in the file, no indentation, no escapes.
  const world = {
    responses: listOf('Rex', 'Mia'),
    currentDirectory,
    terminals: ['stdout', 'stderr'] as const,
  };
  const outcome = await runFake(`pets export --out ${name} ${flags}`, world);
  expect(outcome).toMatchObject({ exitCode: 0, stdout: '' });
  expect(outcome.stderr).toContain(
    `\u001b[32m✓\u001b[0m Exported 2 pets to ${name}; the export is complete.\n`,
  );
  expect(readFileSync(join(currentDirectory, name), 'utf8')).toMatch(content);
  expect(readdirSync(currentDirectory)).toEqual([name]);
});
