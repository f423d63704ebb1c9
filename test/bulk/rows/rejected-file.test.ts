import { lstatSync, readdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import {
  draftRejected,
  findUnusedPath,
  isSameContent,
  isWritten,
  publishRejected,
  rejectedPathOf,
} from '../../../src/bulk/rows/rejected-file.js';
import type { Row } from '../../../src/bulk/rows/row.js';
import { RowReader } from '../../../src/bulk/rows/row-reader.js';
import { lockedFiles } from '../../support/locked-files.js';
import { collect, pieces } from '../../support/pieces.js';
import { temporaryFolder } from '../../support/temporary-folder.js';

test.each([
  ['/a.b/pets.csv', 'csv', ',', '/a.b/pets.rejected.csv'],
  ['pets.TSV', 'csv', '\t', 'pets.rejected.TSV'],
  ['pets.jsonl', 'ndjson', undefined, 'pets.rejected.jsonl'],
  ['pets.txt', 'csv', ',', 'pets.txt.rejected.csv'],
  ['/a.b/pets', 'csv', '\t', '/a.b/pets.rejected.tsv'],
  ['one.journal.input', 'json', undefined, 'one.journal.rejected.json'],
] as const)('chooses the path for rejected rows of %s', (path, format, delimiter, expected) => {
  expect(rejectedPathOf(path, format, delimiter)).toBe(expected);
});

test('does not overwrite an existing file', async () => {
  const folder = temporaryFolder({ 'pets.rejected.csv': '', 'pets.rejected-2.csv': '', plain: '' });
  const path = (name: string): string => join(folder, name);
  expect(await findUnusedPath(path('pets.rejected.csv'))).toBe(path('pets.rejected-3.csv'));
  expect(await findUnusedPath(path('new.csv'))).toBe(path('new.csv'));
  expect(await findUnusedPath(path('plain'))).toBe(path('plain-2'));
  expect([await isWritten(path('plain')), await isWritten(path('none'))]).toEqual([true, false]);
});

type DraftArguments = Parameters<typeof draftRejected> extends [unknown, ...infer Rest] ? Rest : never;
/** Writes and publishes a file. */
async function writeRejected(path: string, ...rest: DraftArguments): Promise<string> {
  const files = lockedFiles(`${path}.journal`);
  return publishRejected(files, await draftRejected(files, ...rest), path, () => Promise.resolve());
}

async function* rows(): AsyncGenerator<Row> {
  yield {
    row: 3,
    line: 4,
    pet: { name: '=Rex; "the"\ndog', categoryId: 9_223_372_036_854_775_807n, status: 'sold' },
  };
  yield { row: 9, line: 11, pet: { name: 'Mia', categoryId: 7n } };
}

test.each([
  ['csv', ';', ['status', 'name', 'error', 'categoryId']],
  ['json', undefined, []],
  ['ndjson', undefined, []],
] as const)('a file of rejected rows can be imported as %s', async (format, delimiter, columns) => {
  const path = join(temporaryFolder(), 'rejected');
  await writeRejected(path, rows(), (row) => `no; ${String(row)} "x"`, { format, delimiter, columns });
  const text = readFileSync(path, 'utf8');
  expect(text).toContain('no; 9');
  const reader = new RowReader({ path, name: path });
  const batches = await collect(reader.read(pieces(text, 5)));
  expect(reader.format).toBe(format);
  expect(batches.flatMap(({ errors }) => errors)).toEqual([]);
  const expected = (await collect(rows())).map(({ pet }) => pet);
  expect(batches.flatMap((batch) => batch.rows.map(({ pet }) => pet))).toEqual(expected);
  if (format === 'csv') expect(text.split('\r\n')[0]).toBe('status;name;categoryId;error');
});

test('is written completely or not at all', async () => {
  const folder = temporaryFolder();
  const path = join(folder, 'rejected.csv');
  async function* broken(): AsyncGenerator<Row> {
    yield* rows();
    throw new Error('the input changed');
  }
  const layout = { format: 'csv', columns: ['name'] } as const;
  await expect(writeRejected(path, broken(), () => '', layout)).rejects.toThrow('the input changed');
  expect(readdirSync(folder)).toEqual([]);
  await writeRejected(path, rows(), () => '', layout);
  expect(readdirSync(folder)).toEqual(['rejected.csv']);
});

test.skipIf(process.platform === 'win32')('is readable by its owner only, and follows no link', async () => {
  const folder = temporaryFolder({ precious: 'kept' });
  const path = join(folder, 'rejected.csv');
  symlinkSync('precious', path);
  const written = await writeRejected(path, rows(), () => '', { format: 'csv', columns: ['name'] });
  expect(readFileSync(join(folder, 'precious'), 'utf8')).toBe('kept');
  expect(written).toBe(join(folder, 'rejected-2.csv'));
  expect(lstatSync(written).isFile()).toBe(true);
  expect(statSync(written).mode & 0o777).toBe(0o600);
});

test.skipIf(process.platform === 'win32')(
  'a link at the path counts as existing, but not as written',
  async () => {
    const folder = temporaryFolder({ precious: '' });
    const path = (name: string): string => join(folder, name);
    symlinkSync('nowhere', path('r.csv'));
    symlinkSync('precious', path('r-2.csv'));
    expect(await findUnusedPath(path('r.csv'))).toBe(path('r-3.csv'));
    expect([await isWritten(path('r.csv')), await isWritten(path('r-2.csv'))]).toEqual([false, false]);
  },
);

test('replaces no file that another import writes at the same time', async () => {
  const folder = temporaryFolder();
  const path = join(folder, 'r.csv');
  const layout = { format: 'csv', columns: ['name'] } as const;
  const files = lockedFiles(join(folder, 'j'));
  const draft = await draftRejected(files, rows(), () => 'no', layout);
  const tried: string[] = [];
  const written = await publishRejected(files, draft, path, async (candidate) => {
    tried.push(candidate);
    if (tried.length < 3) writeFileSync(candidate, 'of another import');
    await Promise.resolve();
  });
  expect(tried).toEqual(['r.csv', 'r-2.csv', 'r-3.csv'].map((name) => join(folder, name)));
  expect(written).toBe(tried[2]);
  expect(readFileSync(written, 'utf8')).toContain('Mia');
  expect([0, 1].map((at) => readFileSync(tried[at]!, 'utf8'))).toEqual(Array(2).fill('of another import'));
  expect(readdirSync(folder)).toHaveLength(3);
  const same = [await isSameContent(written, written), await isSameContent(written, path)];
  expect(same).toEqual([true, false]);
});
