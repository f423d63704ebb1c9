import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { checkNewPet } from '../../src/client/resources/pet-input.js';
import { newPetSchema, petSchema, petStatusSchema } from '../../src/schema/pet.js';
import { type NewPet, OPTIONAL_FIELDS, type Pet, unknownFields } from '../../src/schema/pet-reader.js';
import { runs } from '../support/random-runs.js';

describe('petSchema', () => {
  test('keeps unknown fields and an unknown status', () => {
    const pet = petSchema.parse({ id: 1, name: 'Rex', categoryId: 2, status: 'reserved', colour: 'red' });
    expect(pet).toEqual({ id: 1n, name: 'Rex', categoryId: 2n, status: 'reserved', colour: 'red' });
  });

  test('names the invalid field', () => {
    const { error } = petSchema.safeParse({ id: '1', name: 'Rex', categoryId: 2 });
    expect(error?.issues.map(({ path, message }) => [path, message])).toEqual([
      [['id'], 'expected an int64'],
    ]);
  });
});

describe('newPetSchema', () => {
  test.each([
    [{ name: '', categoryId: 1 }],
    [{ categoryId: 1 }],
    [{ name: 'Rex' }],
    [{ name: 'Rex', categoryId: 2n ** 63n }],
    [{ name: 'Rex', categoryId: 1, status: 'Available' }],
    [{ name: 'Rex', categoryId: 1, colour: 'red' }],
  ])('rejects %o', (value) => {
    expect(newPetSchema.safeParse(value).success).toBe(false);
  });

  test('accepts the required fields', () => {
    expect(newPetSchema.parse({ name: 'Rex', categoryId: 1 })).toEqual({ name: 'Rex', categoryId: 1n });
  });
});

test('petStatusSchema has the statuses of the interface specification', () => {
  expect(petStatusSchema.options).toEqual(['available', 'pending', 'sold']);
});

describe('newPetSchema and pets.create', () => {
  const id = fc.oneof(
    fc.bigInt(),
    fc.constantFrom(2n ** 63n - 1n, -(2n ** 63n), 2n ** 63n, 2 ** 53, -(2 ** 53) + 1, -0, 1.5, NaN, Infinity),
    fc.constantFrom('0', '-0', '01', '+1', '1e3', ' 1', '9223372036854775807', '9223372036854775808', ''),
    fc.integer(),
    fc.bigInt().map(String),
    fc.constantFrom(null, undefined, true, {}, [1], [], '１'),
  );
  const input = fc.oneof(
    fc.record(
      {
        name: fc.oneof(fc.string(), fc.constantFrom('', null, 1, undefined)),
        categoryId: id,
        ...Object.fromEntries(
          Object.keys(OPTIONAL_FIELDS).map((field) => [
            field,
            fc.constantFrom('available', 'sold', 'Sold', '', null, undefined, 1, 1.5, -1),
          ]),
        ),
        colour: fc.constantFrom('red', undefined),
      },
      { requiredKeys: [] },
    ),
    fc.constantFrom(null, 'text', 1, [], [1], undefined),
  );

  test('accept the same values and return the same pets', () => {
    fc.assert(
      fc.property(input, (value) => {
        let created: unknown;
        try {
          created = checkNewPet(value as NewPet);
        } catch {
          // Rejected.
        }
        const parsed = newPetSchema.safeParse(value);
        expect(parsed.success).toBe(created !== undefined);
        if (parsed.success) expect({ ...parsed.data }).toEqual(created);
      }),
      { numRuns: runs(2_000) },
    );
  });
});

test('unknownFields returns the fields of a newer service', () => {
  const pet: Pet = petSchema.parse({ id: 1, name: 'Rex', categoryId: 2, status: 'sold', tag: ['a'] });
  expect(unknownFields(pet)).toEqual({ tag: ['a'] });
  expect(unknownFields(petSchema.parse({ id: 1, name: 'Rex', categoryId: 2 }))).toEqual({});
});
