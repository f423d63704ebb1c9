import { mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { PassThrough, Writable } from 'node:stream';
import { expect, onTestFinished, test, vi } from 'vitest';
import { type ExportOptions, exportPets } from '../../src/bulk/index.js';
import { RowReader } from '../../src/bulk/rows/row-reader.js';
import { createPetStore } from '../../src/client/internal.js';
import { createMock } from '../../src/mock/index.js';
import { collect, pieces } from '../support/pieces.js';
import { rejection } from '../support/stores.js';
import { temporaryFolder } from '../support/temporary-folder.js';

function setUp(pets = 30, files: Record<string, string> = {}) {
  const mock = createMock({ pets, plan: 'unlimited' });
  const store = createPetStore({ apiKey: 'mock-key', baseUrl: 'http://127.0.0.1/v1', fetch: mock.fetch });
  const folder = temporaryFolder(files);
  const read = (name: string): string => readFileSync(join(folder, name), 'utf8');
  const exportTo = (name: string, options?: ExportOptions) => exportPets(store, join(folder, name), options);
  return { mock, store, folder, read, exportTo };
}

/** Exports to a stream. */
async function exported(pets: number, options: ExportOptions) {
  const stream = new PassThrough();
  const text = collect(stream);
  const result = await exportPets(setUp(pets).store, stream, options);
  return { ...result, text: (await text).join('') };
}

test('exports all pets that can be listed, and reports whether the list is complete', async () => {
  const { text, ...all } = await exported(3, { format: 'ndjson' });
  expect(all).toEqual({ count: 3, complete: true });
  expect(JSON.parse(text.split('\n')[0]!)).toMatchObject({ id: 1, name: expect.any(String) });
  const part = await exported(500, { format: 'csv' });
  expect(part.complete).toBe(false);
  expect(part.text.split('\r\n')).toHaveLength(part.count + 2);
});

test('exports one status only', async () => {
  const { text } = await exported(30, { format: 'csv', status: 'sold' });
  const [head, ...rows] = text.trimEnd().split('\r\n');
  expect(head).toMatch(/^id,name,categoryId,status\b/);
  expect(rows.every((row) => /,sold,*$/.test(row))).toBe(true);
});

test('writes what an import reads, except for the ids', async () => {
  const { text, count } = await exported(30, {});
  const table = text.replaceAll(/^(?:\d+|id),/gm, '');
  const reader = new RowReader({ path: 'pets.csv', name: 'pets.csv' });
  const batches = await collect(reader.read(pieces(table)));
  expect(batches.flatMap(({ errors }) => errors)).toEqual([]);
  expect(batches.flatMap(({ rows }) => rows)).toHaveLength(count);
});

test.each([
  ['pets.csv', undefined, 'id,name,'],
  ['pets.tsv', undefined, 'id\tname\t'],
  ['pets.json', undefined, '[\n{"id":1,'],
  ['pets.jsonl', undefined, '{"id":1,'],
  ['pets.txt', 'ndjson', '{"id":1,'],
  ['pets.csv', 'json', '[\n{"id":1,'],
] as const)('the format of %s with format %s', async (name, format, start) => {
  const { exportTo, read } = setUp(2);
  expect(await exportTo(name, { format })).toEqual({ count: 2, complete: true });
  expect(read(name).startsWith(start)).toBe(true);
});

test('replaces a file only with force', async () => {
  const { mock, exportTo, read } = setUp(2, { 'pets.csv': 'mine' });
  const error = await rejection(exportTo('pets.csv'));
  expect(error).toMatchObject({
    type: 'invalid-input',
    field: 'output',
    hint: expect.stringContaining('force'),
  });
  expect([read('pets.csv'), mock.journal]).toEqual(['mine', []]);
  await exportTo('pets.csv', { force: true });
  expect(read('pets.csv')).toMatch(/^id,name/);
});

test('never replaces a link, a directory or a device', async () => {
  const { mock, folder, store, exportTo, read } = setUp(2, { mine: 'mine' });
  symlinkSync('mine', join(folder, 'link.csv'));
  mkdirSync(join(folder, 'folder.csv'));
  for (const name of ['link.csv', 'folder.csv'])
    expect(await rejection(exportTo(name, { force: true }))).toMatchObject({ field: 'output' });
  expect(await rejection(exportPets(store, '/dev/null', { force: true, format: 'csv' }))).toMatchObject({
    message: '/dev/null is not a regular file',
  });
  expect([read('mine'), mock.journal, readdirSync(folder).length]).toEqual(['mine', [], 3]);
});

test.each<[string, unknown, unknown, object]>([
  ['an unknown option', 'pets.csv', { fromat: 'csv' }, { hint: expect.stringContaining('format') }],
  ['a status', 'pets.csv', { status: 'gone' }, { field: 'status' }],
  ['an unknown format', 'pets.xlsx', {}, { field: 'format' }],
  ['no output', undefined, {}, { field: 'output' }],
])('rejects %s', async (_, output, options, expected) => {
  const { mock, store } = setUp();
  const error = await rejection(exportPets(store, output as string, options as ExportOptions));
  expect(error).toMatchObject({ type: 'invalid-input', ...expected });
  expect(mock.journal).toEqual([]);
});

test('a failure leaves no file, and keeps the file that it would replace', async () => {
  const { mock, folder, exportTo, read } = setUp(2, { 'old.csv': 'old' });
  writeFileSync(join(folder, 'kept'), '');
  const reason = new Error('enough');
  const signal = AbortSignal.abort(reason);
  for (const name of ['new.csv', 'old.csv'])
    expect(await rejection(exportTo(name, { force: true, signal }))).toMatchObject({
      type: 'aborted',
      cause: reason,
    });
  expect([read('old.csv'), readdirSync(folder).sort(), mock.journal]).toEqual([
    'old',
    ['kept', 'old.csv'],
    [],
  ]);
});

test.each(['stdout', 'stderr'] as const)('writes to %s, and leaves it open', async (name) => {
  const stream = new PassThrough();
  const spy = vi.spyOn(process, name, 'get').mockReturnValue(stream as never);
  onTestFinished(() => spy.mockRestore());
  expect(await exportPets(setUp(2).store, process[name])).toEqual({ count: 2, complete: true });
  stream.end('the next line of the program');
  const text = (await collect(stream)).join('');
  expect(text.split('\r\n')).toEqual([
    expect.stringMatching(/^id,/),
    expect.stringMatching(/^1,/),
    expect.stringMatching(/^2,/),
    'the next line of the program',
  ]);
});

test('rejects with the error of the stream', async () => {
  const { store } = setUp();
  const reason = new Error('no space');
  const output = new Writable({ write: (_chunk, _encoding, callback) => callback(reason) });
  expect(await rejection(exportPets(store, output, { format: 'csv' }))).toBe(reason);
});

test.each([
  ['a stream that has ended', new PassThrough().end()],
  ['an object that is no stream', { writable: true, write: () => true, end: () => undefined }],
])('rejects %s before the first request', async (_, output) => {
  const { store, mock } = setUp();
  const message = 'output must be a path or a Writable that has not ended';
  expect(await rejection(exportPets(store, output))).toMatchObject({ type: 'invalid-input', message });
  expect(mock.journal).toEqual([]);
});
