import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { CheckProgress } from '../../../src/bulk/job/import-job.js';
import { checkFile, checkRows, rejectForeignFile } from '../../../src/bulk/input/check-input.js';
import { collect, pieces } from '../../support/pieces.js';
import { temporaryFolder } from '../../support/temporary-folder.js';

const INVALID = `name,categoryId\n${'Rex\n'.repeat(150)}Mia,8\n`;

test('counts all errors of a file, and reports the first ones', async () => {
  const folder = temporaryFolder({ 'pets.csv': INVALID });
  const input = { kind: 'file', path: join(folder, 'pets.csv') } as const;
  const report = await checkRows({ input });
  expect(report).toMatchObject({ format: 'csv', delimiter: ',', rows: 151, errorCount: 150 });
  expect(report.errors).toHaveLength(100);
  expect(report.errors[0]).toEqual({ row: 1, line: 2, message: expect.any(String) });
  expect((await checkRows({ input, errorsMax: 3 })).errors).toHaveLength(3);
});

test('checks a stream and reports progress', async () => {
  const reported: CheckProgress[] = [];
  const bytes = pieces('{"name":"Rex","categoryId":7}\n{"name":"Mia","categoryId":8}\n', 40);
  const report = await checkRows({
    input: { kind: 'stream', bytes },
    onChecked: (each) => reported.push(each),
  });
  expect(report).toEqual({ format: 'ndjson', rows: 2, errors: [], errorCount: 0 });
  expect(reported.at(-1)).toEqual({ rows: 2, bytes: 60 });
});

test('reports the size of a file', async () => {
  const path = join(temporaryFolder({ 'pets.csv': 'name,categoryId\nRex,7\n' }), 'pets.csv');
  const reported: CheckProgress[] = [];
  const { digest, columns } = await checkFile({ path, name: path, onChecked: (each) => reported.push(each) });
  expect(reported.at(-1)).toEqual({ rows: 1, bytes: 22, bytesTotal: 22 });
  expect([digest.rows, columns]).toEqual([1, ['name', 'categoryId']]);
});

test('rejects with the reason of the signal, even if the stream hangs', async () => {
  const controller = new AbortController();
  async function* silent(): AsyncGenerator<Uint8Array> {
    await new Promise(() => undefined);
  }
  const checking = checkRows({ input: { kind: 'stream', bytes: silent() }, signal: controller.signal });
  const reason = new Error('enough');
  controller.abort(reason);
  await expect(checking).rejects.toBe(reason);
});

/** A ZIP file that begins with an entry of this name. */
const zip = (name: string): Buffer =>
  Buffer.concat([Buffer.from('504b03041400', 'hex'), Buffer.alloc(24), Buffer.from(name), Buffer.alloc(100)]);
const utf16 = (text: string): Buffer => Buffer.from(text, 'utf16le');

test.each([
  ['an Excel workbook (xlsx)', zip('[Content_Types].xml'), 'export it as CSV (UTF-8)'],
  ['an OpenDocument spreadsheet (ods)', zip('mimetypeapplication/vnd.oasis.opendocument.spreadsheet'), 'CSV'],
  ['a Numbers spreadsheet', zip('Index/Document.iwa'), 'export it as CSV (UTF-8)'],
  ['a ZIP file', zip('pets.csv'), 'Unpack it'],
  ['an Excel workbook (xls)', Buffer.from('d0cf11e0a1b11ae10000000000000000', 'hex'), 'export it as CSV'],
  ['a compressed file', Buffer.from('1f8b0800000000000003abcd', 'hex'), 'Unpack it'],
  ['a compressed file', Buffer.from('28b52ffd0458', 'hex'), 'Unpack it'],
  ['a PDF document', Buffer.from('%PDF-1.7\n%'), 'CSV (UTF-8)'],
  ['an HTML or XML file', Buffer.from('\n<!DOCTYPE html><title>Sign in</title>'), 'CSV (UTF-8)'],
  ['UTF-16 text', utf16('\uFEFFname,categoryId\n'), 'Save it as UTF-8'],
  ['UTF-16 text', utf16('\uFEFFname').swap16(), 'Save it as UTF-8'],
  ['UTF-16 text', utf16('\uFEFF'), 'Save it as UTF-8'],
  ['UTF-16 text', utf16('name,categoryId\n'), 'Save it as UTF-8'],
  ['UTF-16 text', utf16('name').swap16(), 'Save it as UTF-8'],
])('%s is rejected with a hint', async (kind, bytes, hint) => {
  // In small pieces, the name of the first entry of a ZIP file is not known yet.
  for (const length of [1, 7])
    await expect(collect(rejectForeignFile(pieces(bytes, length), 'pets'))).rejects.toMatchObject({
      ...{ name: 'BulkError', reason: 'not-text' },
    });
  await expect(collect(rejectForeignFile(pieces(bytes), 'pets'))).rejects.toMatchObject({
    ...{ message: `pets is ${kind}`, hint: expect.stringContaining(hint) },
  });
});

test.each([
  '',
  'P',
  'PK,categoryId\nRex,7\n',
  'name\n',
  '\uFEFFname\n',
  'ä',
  '%PD',
  '<3,categoryId',
  '\0\0\0\0',
])('%j is passed on unchanged', async (text) => {
  for (const length of [1, 5, 100]) {
    const chunks = await collect(rejectForeignFile(pieces(text, length), 'pets'));
    expect(Buffer.concat(chunks).toString()).toBe(text);
  }
});
