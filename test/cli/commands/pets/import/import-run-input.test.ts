import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { FIELD_NAMES } from '../../../../../src/bulk/rows/check-row.js';
import { ALL_MADE, created, lost, rejected, setUp } from '../import-folder.js';

const FOREIGN = '\uFEFF"Category ID";NAME;Breed;\r\n7;Rex;Pug;x\r\n8;Mia;;y\r\n9;Bo;;\r\n';

test('headers of spreadsheets are read, and an unknown column is an error that names it', async () => {
  const { run } = setUp({ 'pets.csv': FOREIGN });
  const { exitCode, stderr, requests } = await run('pets.csv');
  expect({ exitCode, requests }).toEqual({ exitCode: 2, requests: [] });
  expect(stderr).toContain(
    `pets.csv:1: Unknown column "Breed"; known: ${FIELD_NAMES.join(', ')}\n  pets.csv:1: Column 4 has no name\n`,
  );
  expect(stderr).toContain('--ignore-columns');
});

test.each([
  ['pets.csv', 'name,category,categoryId\na,1,2\n', 'Remove one of the two.'],
  ['pets.json', '{"name":"Rex","category":7}', 'use petstore pets create -f FILE.'],
])('the hint for %s with %j', async (file, content, hint) => {
  const { run } = setUp({ [file]: content });
  const { requests, stderr } = await run(file);
  expect(requests).toEqual([]);
  expect(stderr).toContain(hint);
  expect(stderr).not.toContain('--ignore-columns');
});

test('--ignore-columns lists the ignored columns, also after a stop, and not in the file of rejected rows', async () => {
  const { run, path } = setUp({ 'pets.csv': FOREIGN });
  const note = 'Ignored columns: "Breed", "column 4"\n';
  const first = await run('pets.csv --ignore-columns', { responses: [created(1), lost, { body: '[]' }] });
  expect(first.stderr).toContain(note);
  expect(first.stderr).toContain('petstore pets import pets.csv --resume --ignore-columns');
  const again = await run('pets.csv --resume --ignore-columns --on-unknown retry', {
    responses: [rejected, { body: '[]' }, created(3, 8)],
  });
  expect(again).toMatchObject({ exitCode: 1, stderr: expect.stringContaining(note) });
  expect(readFileSync(path('pets.rejected.csv'), 'utf8')).toMatch(/^categoryId;name;error\r\n9;Bo;/);
});

test('--ignore-columns ignores unknown fields of JSON', async () => {
  const rows = '{"name":"Rex","categoryId":7,"breed":"Pug"}\n{"name":"Mia","categoryId":8,"age":3}\n';
  const { run } = setUp({ 'pets.ndjson': rows });
  expect((await run('pets.ndjson')).stderr).toContain('pets.ndjson:1:30: Unknown field "breed"');
  const { exitCode, stderr, requests } = await run('pets.ndjson --ignore-columns', { responses: ALL_MADE });
  expect({ exitCode, bodies: requests.map(({ body }) => String(body)) }).toMatchObject({
    exitCode: 0,
    bodies: ['{"name":"Rex","categoryId":7}', '{"name":"Mia","categoryId":8}'],
  });
  expect(stderr).toContain('Ignored columns: "breed", "age"\n');
  const dry = await run('pets.ndjson --ignore-columns --dry-run --json');
  expect(JSON.parse(dry.stdout)).toMatchObject({ rows: 2, ignoredColumns: ['breed', 'age'] });
});

test('a workbook is no text of rows: 2, nothing was sent', async () => {
  const { run } = setUp({ pets: `PK\u0003\u0004${'\0'.repeat(26)}[Content_Types].xml` });
  const stderr = expect.stringContaining('The first line must name the columns') as string;
  expect(await run('pets')).toMatchObject({ exitCode: 2, requests: [], stderr });
});
