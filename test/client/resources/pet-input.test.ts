import { describe, expect, test } from 'vitest';
import { checkId, checkNewPet, listQueryString } from '../../../src/client/resources/pet-input.js';
import { InvalidInputError } from '../../../src/errors.js';

/** The field that an InvalidInputError names. */
function invalidFieldOf(check: () => unknown): string | undefined {
  try {
    check();
  } catch (error) {
    if (error instanceof InvalidInputError) return error.field;
    throw error;
  }
  return 'nothing';
}

describe('listQueryString', () => {
  test.each([
    [{}, ''],
    [{ limit: undefined, status: undefined }, ''],
    [{ limit: 1 }, '?limit=1'],
    [{ limit: 100 }, '?limit=100'],
    [{ status: 'sold' as const }, '?status=sold'],
    [{ status: 'sold' as const, limit: 5 }, '?limit=5&status=sold'],
  ])('returns for %o the query %s', (query, expected) => {
    expect(listQueryString(query)).toBe(expected);
  });

  test.each([0, 101, -1, 1.5, Number.NaN, Number.POSITIVE_INFINITY, '5', null])(
    'rejects a limit of %o',
    (limit) => {
      expect(invalidFieldOf(() => listQueryString({ limit: limit as number }))).toBe('limit');
    },
  );

  test('rejects an unknown field', () => {
    expect(invalidFieldOf(() => listQueryString({ limt: 5 } as never))).toBe('limt');
  });

  test.each(['Available', 'sold,pending', '', null, 'toString'])('rejects a status of %o', (status) => {
    expect(invalidFieldOf(() => listQueryString({ status: status as 'sold' }))).toBe('status');
  });
});

describe('checkId', () => {
  test('accepts a bigint, a safe integer and a decimal string', () => {
    expect([checkId(7n), checkId(7), checkId('9007199254740993')]).toEqual([7n, 7n, 9007199254740993n]);
  });

  test.each(['0x10', '', ' 1', 2 ** 53, 1.5, 2n ** 63n, null, undefined, {}])('rejects %o', (id) => {
    expect(invalidFieldOf(() => checkId(id))).toBe('id');
  });

  test('explains why it rejects an unsafe number', () => {
    expect(() => checkId(2 ** 53)).toThrow(
      expect.objectContaining({ hint: expect.stringContaining('last digits') }),
    );
  });
});

describe('checkNewPet', () => {
  test('accepts the specified fields and no others', () => {
    const given = { name: 'Rex', categoryId: '7', status: 'sold' as const };
    expect(checkNewPet(given)).toEqual({ name: 'Rex', categoryId: 7n, status: 'sold' });
    expect(checkNewPet({ name: 'Rex', categoryId: 7, status: undefined })).toEqual({
      name: 'Rex',
      categoryId: 7n,
    });
  });

  test.each([
    [{ categoryId: 1 }, 'name'],
    [{ name: '', categoryId: 1 }, 'name'],
    [{ name: 5, categoryId: 1 }, 'name'],
    [{ name: 'Rex' }, 'categoryId'],
    [{ name: 'Rex', categoryId: '' }, 'categoryId'],
    [{ name: 'Rex', categoryId: '0x10' }, 'categoryId'],
    [{ name: 'Rex', categoryId: 2n ** 63n }, 'categoryId'],
    [{ name: 'Rex', categoryId: 1, status: 'Available' }, 'status'],
    [{ name: 'Rex', categoryId: 1, id: 5 }, 'id'],
    [{ name: 'Rex', categoryId: 1, stauts: 'sold' }, 'stauts'],
    [null, 'name'],
    [undefined, 'name'],
  ])('rejects %o for its %s', (pet, field) => {
    expect(invalidFieldOf(() => checkNewPet(pet as never))).toBe(field);
  });
});

test.each([
  [{ name: 5, categoryId: 1 }, 'name must be a string'],
  [{ name: ['x'], categoryId: 1 }, 'name must be a string'],
  [{ name: null, categoryId: 1 }, 'name is missing'],
  [{ name: '', categoryId: 1 }, 'name is missing'],
  [{ categoryId: 1 }, 'name is missing'],
])('explains the invalid name of %j', (pet, message) => {
  expect(() => checkNewPet(pet as never)).toThrow(message);
});

test('reports a field that throws as invalid input', () => {
  const cause = new Error('not loaded');
  const pet = {
    categoryId: 1,
    get name(): string {
      throw cause;
    },
  };
  expect(() => checkNewPet(pet)).toThrow(InvalidInputError);
  expect(() => checkNewPet(pet)).toThrow("A field of the pet can't be read (not loaded)");
});
