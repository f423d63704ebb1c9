import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { isPetStatus, OPTIONAL_ENTRIES, readPet, readPets } from '../../src/schema/pet-reader.js';
import { petSchema, petsSchema } from '../../src/schema/pet.js';
import { runs } from '../support/random-runs.js';

describe('readPet', () => {
  test('converts both identifiers to bigints and keeps unknown fields, in place and in order', () => {
    const wire = { id: 1, name: 'Rex', tag: 'x', categoryId: 9007199254740993n, status: 'sold' };
    const pet = readPet(wire);
    expect(pet).toBe(wire);
    expect(Object.entries(pet ?? {})).toEqual([
      ['id', 1n],
      ['name', 'Rex'],
      ['tag', 'x'],
      ['categoryId', 9007199254740993n],
      ['status', 'sold'],
    ]);
  });

  test('accepts a pet without a status, with an unknown status, and with an empty name', () => {
    expect(readPet({ id: 1, name: '', categoryId: 2 })).toEqual({ id: 1n, name: '', categoryId: 2n });
    expect(readPet({ id: 1, name: 'a', categoryId: 2, status: 'reserved' })?.status).toBe('reserved');
  });

  // Mostly valid values, so that enough pets are valid.
  const integer = fc.oneof(
    fc.integer(),
    fc.bigInt({ min: -(2n ** 64n), max: 2n ** 64n }),
    fc.double(),
    fc.constantFrom(2 ** 53, -0, 2n ** 63n, 2n ** 63n - 1n, -(2n ** 63n)),
  );
  const oddity = fc.constantFrom(undefined, null, '1', true, [], {}, Number.NaN);
  const wirePet = fc.record(
    {
      id: fc.oneof({ weight: 6, arbitrary: integer }, { weight: 1, arbitrary: oddity }),
      name: fc.oneof({ weight: 6, arbitrary: fc.string() }, { weight: 1, arbitrary: oddity }),
      categoryId: fc.oneof({ weight: 6, arbitrary: integer }, { weight: 1, arbitrary: oddity }),
      ...Object.fromEntries(
        OPTIONAL_ENTRIES.map(([field, { type }]) => {
          const valid = type === 'string' ? fc.constantFrom('available', 'odd') : fc.integer();
          return [field, fc.oneof({ weight: 6, arbitrary: valid }, { weight: 1, arbitrary: oddity })];
        }),
      ),
      extra: fc.anything(),
    },
    { requiredKeys: [] },
  );
  const anything = fc.oneof({ weight: 9, arbitrary: wirePet }, { weight: 1, arbitrary: fc.anything() });

  test('accepts exactly what the schema accepts, with the same result', () => {
    let accepted = 0;
    fc.assert(
      fc.property(anything, (value) => {
        const byReader = readPet(copy(value));
        const bySchema = petSchema.safeParse(copy(value));
        expect(byReader !== undefined).toBe(bySchema.success);
        if (!bySchema.success || byReader === undefined) return;
        accepted += 1;
        expect(byReader).toEqual(bySchema.data);
      }),
      { numRuns: runs(5_000) },
    );
    expect(accepted).toBeGreaterThan(runs(100));
  });

  test('accepts a list only if every element is a pet', () => {
    fc.assert(
      fc.property(fc.array(anything, { maxLength: 3 }), (list) => {
        expect(readPets(list.map(copy)) !== undefined).toBe(petsSchema.safeParse(list.map(copy)).success);
      }),
      { numRuns: runs(1_000) },
    );
  });

  test.each([[null], [undefined], ['pets'], [{ 0: {} }], [{ length: 0 }]])('rejects %o as a list', (value) =>
    expect(readPets(value)).toBeUndefined(),
  );
});

test('isPetStatus accepts only the three statuses, exactly spelled', () => {
  const statuses = ['available', 'pending', 'sold'];
  expect([...statuses, 'Available', 'sold ', '', undefined].filter(isPetStatus)).toEqual(statuses);
});

/** A shallow copy: the reader changes its argument. */
function copy(value: unknown): unknown {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? { ...value } : value;
}
