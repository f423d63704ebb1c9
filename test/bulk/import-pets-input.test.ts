import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { runInNewContext } from 'node:vm';
import { describe, expect, test } from 'vitest';
import { importPets, type ImportPetsOptions, type PetSource } from '../../src/bulk/index.js';
import { type PetStore } from '../../src/client/internal.js';
import { petNames } from '../support/import-folder.js';
import { rejection } from '../support/stores.js';
import { NOTHING, PETS, setUp, TABLE } from './import-in-memory.js';

describe('the input', () => {
  const NDJSON = PETS.map(({ name, categoryId }) => `{"name":"${name}","category":${String(categoryId)}}\n`);
  async function* each<T>(items: Iterable<T>): AsyncGenerator<T> {
    yield* items;
  }

  test.each<[string, () => PetSource, ImportPetsOptions?]>([
    ['an array of pets', () => PETS],
    ['a set of pets', () => new Set(PETS)],
    ['an array of another realm', () => runInNewContext('[...pets]', { pets: PETS }) as typeof PETS],
    ['an async iterable of pets', () => each(PETS)],
    ['a Readable of pets', () => Readable.from(PETS)],
    ['a Readable of CSV', () => Readable.from([Buffer.from(TABLE)], { objectMode: false })],
    ['a Readable of text', () => Readable.from(NDJSON, { objectMode: false, encoding: 'utf8' })],
    [
      'a stream of the Web',
      () => new Blob(NDJSON).stream() as AsyncIterable<Uint8Array>,
      { format: 'ndjson' },
    ],
  ])('can be %s', async (_, input, options) => {
    const { mock, folder, run } = setUp();
    const journal = join(folder, 'j');
    expect(await run({ journal, ...options }, input())).toEqual({
      rows: 3,
      created: 3,
      alreadyDone: 0,
      rejected: 0,
      unknown: 0,
      left: 0,
      invalid: 0,
      complete: true,
      errors: [],
      notes: [],
      unknownRows: [],
      rejectedFiles: [],
    });
    expect(petNames(mock)).toEqual(['Rex', 'Mia', 'Zoe']);
    expect(await run({ journal, ...options }, input())).toMatchObject({ created: 0, alreadyDone: 3 });
    expect(readdirSync(folder).sort()).toEqual(['j', 'pets.csv']);
  });

  test.each([[[]], [each([])]])('can have no pets', async (input) => {
    const { folder, run } = setUp();
    expect(await run({ journal: join(folder, 'j') }, input)).toMatchObject({ rows: 0, complete: true });
  });

  test('keeps characters beyond the Basic Multilingual Plane at the end of a chunk', async () => {
    const { mock, folder, run } = setUp();
    const name = `a${'😀'.repeat(40_000)}`;
    const text = each([`{"name":"${name.slice(0, 66_000)}`, `${name.slice(66_000)}","category":7}\n`]);
    expect(await run({ journal: join(folder, 'j') }, text)).toMatchObject({ created: 1 });
    expect(petNames(mock)).toEqual([name]);
  });

  test('that fails creates no pet, and can be read again', async () => {
    const { mock, folder, run } = setUp();
    const reason = new Error('the query failed');
    async function* failing() {
      yield PETS[0]!;
      throw reason;
    }
    const error = await rejection(run({ journal: join(folder, 'j') }, failing()));
    expect(error).toMatchObject({
      type: 'invalid-input',
      field: 'input',
      message: "Can't read the input (the query failed)",
      hint: 'Check the source of the pets.',
      cause: { cause: reason },
    });
    expect([mock.journal, readdirSync(folder)]).toEqual([[], ['pets.csv']]);
  });

  test.each<[string, object, Partial<Record<'line' | 'field', unknown>>]>([
    ['an id', { id: 1n, name: 'Rex', categoryId: 7 }, { field: 'id' }],
    ['a number that has lost digits', { name: 'Rex', categoryId: 2 ** 60 }, { field: 'categoryId' }],
    ['an unknown status', { name: 'Rex', categoryId: 7, status: 'gone' }, { field: 'status' }],
    ['no name', { name: undefined, categoryId: 7 }, { field: 'name' }],
  ])('with %s in the second pet is not sent', async (_, pet, error) => {
    const { mock, folder, run } = setUp();
    const pets = [PETS[0]!, pet] as typeof PETS;
    const result = await run({ journal: join(folder, 'j') }, pets);
    expect(result).toMatchObject({ ...NOTHING, rows: 2, left: 2, invalid: 1, complete: false });
    expect(result.errors).toEqual([expect.objectContaining({ line: 2, row: 2, ...error })]);
    expect([mock.journal, readdirSync(folder)]).toEqual([[], ['pets.csv']]);
  });
});

test('a stream whose rows were not sent is kept, because it may be the only copy', async () => {
  const { folder, openStore } = setUp();
  const journal = join(folder, 'j');
  await importPets(openStore({ apiKey: 'wrong' }), Readable.from(PETS), { journal });
  expect(existsSync(`${journal}.input`)).toBe(true);
  expect(await importPets(openStore(), `${journal}.input`, { journal })).toMatchObject({ created: 3 });
});

describe('arguments', () => {
  test.each<[string, unknown[], object]>([
    [
      'an unknown option',
      ['pets.csv', { onUnknwon: 'skip' }],
      { hint: expect.stringContaining('onUnknown') },
    ],
    ['options', ['pets.csv', 'skip'], { field: 'options' }],
    ['onUnknown', ['pets.csv', { onUnknown: 'again' }], { field: 'onUnknown' }],
    ['format', ['pets.csv', { format: 'xlsx' }], { field: 'format' }],
    ['format of pets', [PETS, { journal: 'j', format: 'csv' }], { field: 'format' }],
    ['concurrency', ['pets.csv', { concurrency: 65 }], { field: 'concurrency' }],
    ['a folder as journal', ['pets.csv', { journal: 'j/' }], { field: 'journal' }],
    ['signal', ['pets.csv', { signal: {} }], { field: 'signal' }],
    ['onProgress', ['pets.csv', { onProgress: true }], { field: 'onProgress' }],
    ['a Buffer', [Buffer.from(TABLE), { journal: 'j' }], { field: 'input' }],
    ['an empty path', ['', {}], { field: 'input' }],
    ['no journal', [PETS, {}], { field: 'journal' }],
    ['no such file', ['missing.csv'], { field: 'input', message: 'File missing.csv not found' }],
  ])('%s is rejected, and nothing is sent', async (_, [input, options], expected) => {
    const { mock, store, folder } = setUp();
    const journal = (options as ImportPetsOptions | undefined)?.journal;
    const inFolder = journal === 'j' ? { ...(options as object), journal: join(folder, 'j') } : options;
    const error = await rejection(importPets(store, input as PetSource, inFolder as ImportPetsOptions));
    expect(error).toMatchObject({ type: 'invalid-input', ...expected });
    expect([mock.journal, readdirSync(folder)]).toEqual([[], ['pets.csv']]);
  });

  test('the store must be a client', async () => {
    const { path, store } = setUp();
    const error = await rejection(importPets({ pets: store.pets } as unknown as PetStore, path));
    expect(error).toMatchObject({ type: 'invalid-input', field: 'store' });
    const other = { ...store.with({ timeoutMs: 5_000 }) };
    expect(await importPets(other, path)).toMatchObject({ created: 3 });
  });
});
