import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { checkRow } from '../../../src/bulk/rows/check-row.js';
import { createPetStore } from '../../../src/client/index.js';
import { InvalidInputError } from '../../../src/errors.js';
import type { NewPet } from '../../../src/schema/pet-reader.js';

/** The second row, on the third line. */
const check = (fields: Readonly<Record<string, unknown>>) => checkRow({ line: 3, fields }, 2);

test('reads a row, and keeps the reason of a refusal out of it', () => {
  expect(check({ name: ' Rex', categoryId: '-9223372036854775808', error: 'no' })).toEqual({
    pet: { name: ' Rex', categoryId: -9_223_372_036_854_775_808n },
  });
  expect(check({ name: 'Mia', categoryId: 7, status: 'sold' })).toEqual({
    pet: { name: 'Mia', categoryId: 7n, status: 'sold' },
  });
});

test('tells all that is wrong with a row at once', () => {
  const checked = check({ name: '', categoryId: '9223372036854775808', status: 'Sold', nmae: 'Rex' });
  const at = { line: 3, row: 2 };
  expect(checked).toEqual({
    faults: [
      {
        ...at,
        field: 'nmae',
        given: 'nmae',
        known: ['name', 'categoryId', 'status'],
        message: expect.any(String),
      },
      { ...at, field: 'name', message: 'name is missing' },
      { ...at, field: 'categoryId', message: expect.stringContaining('64 bits') },
      {
        ...at,
        field: 'status',
        given: 'Sold',
        known: ['available', 'pending', 'sold'],
        message: expect.any(String),
      },
    ],
  });
});

test.each([
  [{ categoryId: 1 }, 'name is missing'],
  [{ name: null, categoryId: 1 }, 'name is missing'],
  [{ name: 7, categoryId: 1 }, 'name must be a text'],
  [{ name: 'Rex' }, 'categoryId is missing'],
  [{ name: 'Rex', categoryId: 1.5 }, 'categoryId must be a whole number of 64 bits, in plain digits'],
  [{ name: 'Rex', categoryId: 1e20 }, 'categoryId must be a whole number of 64 bits, in plain digits'],
  [{ name: 'Rex', categoryId: '007' }, 'categoryId must be a whole number of 64 bits, in plain digits'],
  [{ name: 'Rex', categoryId: 1, ID: 3 }, 'there is no such field as "ID"'],
])('refuses %j', (fields, message) => {
  expect(check(fields)).toEqual({ faults: [expect.objectContaining({ message })] });
});

test.each(['id', 'error'])('takes %s, and does not send it', (field) => {
  expect(check({ name: 'Rex', categoryId: 1, [field]: 3 })).toEqual({
    pet: { name: 'Rex', categoryId: 1n },
  });
});

test('repeats no more of a long text than a person reads', () => {
  const long = 'x'.repeat(100_000);
  const text = JSON.stringify(check({ name: 'Rex', categoryId: 7, status: long, [long]: 1 }));
  expect(text.length).toBeLessThan(1_000);
});

test('a status of null is one left out, as an empty cell is', () => {
  expect(check({ name: 'Rex', categoryId: 7, status: null })).toEqual({
    pet: { name: 'Rex', categoryId: 7n },
  });
});

test('takes and refuses what pets.create does, but for a status of null', async () => {
  const store = createPetStore({
    apiKey: 'k',
    baseUrl: 'http://127.0.0.1/v1',
    fetch: async () => new Response('{"id":1,"name":"x","categoryId":1}', { status: 201 }),
  });
  const value = fc.constantFrom<unknown>(
    '',
    'Rex',
    'sold',
    'Sold',
    '7',
    '07',
    7,
    7.5,
    2 ** 53,
    2n ** 63n,
    -3n,
    null,
    true,
  );
  const fields = fc
    .dictionary(fc.constantFrom('name', 'categoryId', 'status', 'other'), value, { noNullPrototype: true })
    .filter(({ status }) => status !== null);
  await fc.assert(
    fc.asyncProperty(fields, async (row) => {
      const error: unknown = await store.pets.create(row as unknown as NewPet).then(
        () => undefined,
        (reason: unknown) => reason,
      );
      if (error !== undefined) expect(error).toBeInstanceOf(InvalidInputError);
      expect('pet' in check(row)).toBe(error === undefined);
    }),
  );
});

test.each([
  ['1.0', ': 1, not 1.0'],
  ['-20.000', ': -20, not -20.000'],
  ['1.5', ''],
  ['1e2', ''],
])('categoryId %s: told how it is written', (categoryId, hint) => {
  expect(check({ name: 'Rex', categoryId })).toMatchObject({
    faults: [{ message: `categoryId must be a whole number of 64 bits, in plain digits${hint}` }],
  });
});

test.each([
  [1, '1.0', ': 1, not 1.0'],
  [1, '1.0000000000000001', ''],
  [100, '1e2', ''],
  [-0, '-0', ''],
  [12_345_678_901_234_568, '12345678901234567.0', ': 12345678901234567, not 12345678901234567.0'],
])('the number %d, written %s, is no whole one', (categoryId, text, hint) => {
  const written = new Map([['categoryId', text]]);
  expect(checkRow({ line: 3, fields: { name: 'Rex', categoryId }, written }, 2)).toMatchObject({
    faults: [{ message: `categoryId must be a whole number of 64 bits, in plain digits${hint}` }],
  });
});

test('a number that is written as it reads is one', () => {
  const written = new Map([['categoryId', '7']]);
  expect(checkRow({ line: 3, fields: { name: 'Rex', categoryId: 7 }, written }, 2)).toEqual({
    pet: { name: 'Rex', categoryId: 7n },
  });
});
