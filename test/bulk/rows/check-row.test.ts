import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { checkRow } from '../../../src/bulk/rows/check-row.js';
import { createPetStore } from '../../../src/client/index.js';
import { InvalidInputError } from '../../../src/errors.js';
import type { NewPet } from '../../../src/schema/pet-reader.js';

/** The second row, on the third line. */
const check = (fields: Readonly<Record<string, unknown>>) => checkRow({ line: 3, fields }, 2);

test('reads a row without the reason of a rejection', () => {
  expect(check({ name: ' Rex', categoryId: '-9223372036854775808', error: 'no' })).toEqual({
    pet: { name: ' Rex', categoryId: -9_223_372_036_854_775_808n },
  });
  expect(check({ name: 'Mia', categoryId: 7, status: 'sold' })).toEqual({
    pet: { name: 'Mia', categoryId: 7n, status: 'sold' },
  });
});

test('reports all errors of a row at once', () => {
  const checked = check({ name: '', categoryId: '9223372036854775808', status: 'Sold', nmae: 'Rex' });
  const at = { line: 3, row: 2 };
  expect(checked).toEqual({
    errors: [
      {
        ...at,
        field: 'nmae',
        isUnknownField: true,
        given: 'nmae',
        known: ['name', 'categoryId', 'status'],
        message: expect.any(String),
      },
      { ...at, field: 'name', message: 'name is missing' },
      { ...at, field: 'categoryId', message: expect.stringContaining('64-bit') },
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
  [{ name: 7, categoryId: 1 }, 'name must be a string'],
  [{ name: 'Rex' }, 'categoryId is missing'],
  [{ name: 'Rex', categoryId: 1.5 }, 'categoryId must be a 64-bit integer in plain digits'],
  [{ name: 'Rex', categoryId: 1e20 }, 'categoryId must be a 64-bit integer in plain digits'],
  [{ name: 'Rex', categoryId: '007' }, 'categoryId must be a 64-bit integer in plain digits'],
  [{ name: 'Rex', categoryId: 1, Name: 3 }, 'Unknown field "Name"'],
])('rejects %j', (fields, message) => {
  expect(check(fields)).toEqual({ errors: [expect.objectContaining({ message })] });
});

test.each(['id', 'ID', '_id'])('rejects %j as in an export', (field) => {
  const message = `Field "${field}" would not be sent: the rows would become NEW pets with new ids`;
  const error = { field: 'id', isUnknownField: true, message };
  expect(check({ name: 'Rex', categoryId: 1, [field]: 3 })).toEqual({
    errors: [expect.objectContaining(error)],
  });
});

test('accepts the reason of a rejected-rows file, but does not send it', () => {
  expect(check({ name: 'Rex', categoryId: 1, error: 'no' })).toEqual({
    pet: { name: 'Rex', categoryId: 1n },
  });
});

test('truncates long input in messages', () => {
  const long = 'x'.repeat(100_000);
  const text = JSON.stringify(check({ name: 'Rex', categoryId: 7, status: long, [long]: 1 }));
  expect(text.length).toBeLessThan(1_000);
});

test('reads a status of null as an absent status', () => {
  expect(check({ name: 'Rex', categoryId: 7, status: null })).toEqual({
    pet: { name: 'Rex', categoryId: 7n },
  });
});

test('accepts and rejects the same rows as pets.create, except for a status of null', async () => {
  const store = createPetStore({
    apiKey: 'k',
    baseUrl: 'http://127.0.0.1/v1',
    fetch: async (_, init) => new Response(String(init?.body).replace('{', '{"id":1,'), { status: 201 }),
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
  ['1.0', ', such as 1 instead of 1.0'],
  ['-20.000', ', such as -20 instead of -20.000'],
  ['1.5', ''],
  ['1e2', ''],
])('explains the categoryId %s', (categoryId, hint) => {
  expect(check({ name: 'Rex', categoryId })).toMatchObject({
    errors: [{ message: `categoryId must be a 64-bit integer in plain digits${hint}` }],
  });
});

test.each([
  [1, '1.0', ', such as 1 instead of 1.0'],
  [1, '1.0000000000000001', ''],
  [100, '1e2', ''],
  [-0, '-0', ''],
  [
    12_345_678_901_234_568,
    '12345678901234567.0',
    ', such as 12345678901234567 instead of 12345678901234567.0',
  ],
])('rejects the number %d if it is written %s', (categoryId, text, hint) => {
  const written = new Map([['categoryId', text]]);
  expect(checkRow({ line: 3, fields: { name: 'Rex', categoryId }, written }, 2)).toMatchObject({
    errors: [{ message: `categoryId must be a 64-bit integer in plain digits${hint}` }],
  });
});

test('accepts a plainly written number', () => {
  const written = new Map([['categoryId', '7']]);
  expect(checkRow({ line: 3, fields: { name: 'Rex', categoryId: 7 }, written }, 2)).toEqual({
    pet: { name: 'Rex', categoryId: 7n },
  });
});
