import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { ENV, runFake } from '../../../support/fake-context.js';
import { temporaryFolder } from '../../../support/temporary-folder.js';

const listOf = (...names: string[]) => [
  { body: JSON.stringify(names.map((name, at) => ({ id: at + 2, name, categoryId: 7 }))) },
];

test.each([
  ['csv', 'a\u001b[2J'],
  ['tsv', 'a\u001b[2J'],
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
      exitCode: 2,
      requests: [],
      stderr: expect.stringMatching(
        /^error: Can't write \/sys\/pets\.csv \((permission denied|not permitted|the file system is read-only)\)\nhint: .*folder/,
      ),
    });
  },
);

test.each(['csv', 'tsv', 'json', 'ndjson'])(
  'an export to pets.%s is imported unchanged',
  async (extension) => {
    const names = [
      '"Rex"',
      'a\tb',
      'a\\b\\n',
      'x\ny',
      "'=1",
      "'quoted'",
      '=1+1',
      'x\r\ny',
      '  pad  ',
      '\u0000\u001b[2J',
    ];
    const currentDirectory = temporaryFolder();
    const world = { currentDirectory, env: { ...ENV, PETSTORE_STATE_DIR: join(currentDirectory, 'state') } };
    const path = `pets.${extension}`;
    await runFake(`pets export --out ${path}`, { ...world, responses: listOf(...names) });
    const { requests } = await runFake(`pets import ${path} --ignore-columns`, {
      ...world,
      responses: ({ body = '{}' }, count) => ({
        status: 201,
        body: body.replace('{', `{"id":${String(count)},`),
      }),
    });
    const sent = requests.filter(({ method }) => method === 'POST');
    expect(sent.map(({ body = '' }) => (JSON.parse(body) as { name: string }).name)).toEqual(names);
  },
);

test.each([
  ['pets.csv', '', /^id,name,/],
  ['pets.NDJSON', '', /^\{.*\}\n\{/],
  ['pets.jsonl', '', /^\{.*\}\n\{/],
  ['pets.json', '', /^\[\n\{/],
  ['pets.tsv', '', /^id\tname\t/],
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
