import { describe, expect, test } from 'vitest';
import {
  changedFields,
  comparePets,
  type SeenPets,
} from '../../../../../src/cli/commands/pets/watch/pet-changes.js';
import type { Pet } from '../../../../../src/schema/pet-reader.js';

const pet = (id: number, more: Partial<Pet> = {}): Pet => ({
  id: BigInt(id),
  name: `pet ${String(id)}`,
  categoryId: 1n,
  ...more,
});
const seen = (pets: readonly Pet[], complete = true): SeenPets => ({
  pets: new Map(pets.map((one) => [one.id, one])),
  complete,
});

describe('two whole lists', () => {
  test('what appeared, changed and went', () => {
    const renamed = pet(2, { name: 'Mia' });
    const { changes } = comparePets(seen([pet(1), pet(2), pet(3)]), [renamed, pet(3), pet(4)], true);
    expect(changes).toEqual([
      { event: 'removed', pet: pet(1) },
      { event: 'changed', pet: renamed, previous: pet(2) },
      { event: 'added', pet: pet(4), certain: true },
    ]);
  });

  test('nothing, whatever the order of animals and fields', () => {
    const { id, name, categoryId } = pet(1);
    const turned = { categoryId, name, id };
    expect(comparePets(seen([pet(1), pet(2)]), [pet(2), turned], true).changes).toEqual([]);
  });

  test('an animal that came back is added once more', () => {
    const gone = comparePets(seen([pet(1)]), [], true);
    expect(comparePets(gone.seen, [pet(1)], true).changes).toMatchObject([{ event: 'added' }]);
  });
});

describe('a list that is cut', () => {
  const { changes, seen: after } = comparePets(seen([pet(1), pet(2)]), [pet(2), pet(3)], false);

  test('tells of nothing as removed', () => {
    expect(changes).toEqual([{ event: 'added', pet: pet(3), certain: true }]);
  });

  test('what it may have hidden is told by the next whole one', () => {
    expect(comparePets(after, [pet(2), pet(3)], true).changes).toEqual([{ event: 'removed', pet: pet(1) }]);
  });

  test('what comes into sight again is no news, unless it has changed', () => {
    expect(comparePets(after, [pet(1), pet(2), pet(3)], true).changes).toEqual([]);
    expect(comparePets(after, [pet(1, { status: 'sold' })], false).changes).toMatchObject([
      { event: 'changed', previous: pet(1) },
    ]);
  });

  test('what appears after it may have been there', () => {
    expect(comparePets(after, [pet(2), pet(3), pet(4)], true).changes).toMatchObject([
      { event: 'removed' },
      { event: 'added', certain: false },
    ]);
  });
});

test('fields that this version does not know count as well', () => {
  expect(changedFields(pet(1, { chip: { no: 1 } }), pet(1, { status: 'sold', chip: { no: 2 } }))).toEqual([
    'status',
    'chip',
  ]);
  expect(changedFields(pet(1, { chip: { no: 1 } }), pet(1))).toEqual(['chip']);
});
