import { describe, expect, test } from 'vitest';
import { newPetSchema, petSchema, petStatusSchema } from '../../src/schema/pet.js';

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
