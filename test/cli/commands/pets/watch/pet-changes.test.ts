import { describe, expect, test } from 'vitest';
import {
  changedFields,
  comparePets,
  type SeenPets,
} from '../../../../../src/cli/commands/pets/watch/pet-changes.js';
import type { Pet } from '../../../../../src/schema/pet-reader.js';

const pet = (id: number, more: Partial<Pet> & Record<string, unknown> = {}): Pet => ({
  id: BigInt(id),
  name: `pet ${String(id)}`,
  categoryId: 1n,
  ...more,
});
const seen = (pets: readonly Pet[], complete = true): SeenPets => ({
  pets: new Map(pets.map((one) => [one.id, one])),
  complete,
});

describe('two complete lists', () => {
  test('reports added, changed and removed pets', () => {
    const renamed = pet(2, { name: 'Mia' });
    const { changes } = comparePets(seen([pet(1), pet(2), pet(3)]), [renamed, pet(3), pet(4)], true);
    expect(changes).toEqual([
      { event: 'removed', pet: pet(1) },
      { event: 'changed', pet: renamed, previous: pet(2) },
      { event: 'added', pet: pet(4), certain: true },
    ]);
  });

  test('ignores the order of pets and fields', () => {
    const { id, name, categoryId } = pet(1);
    const turned = { categoryId, name, id };
    expect(comparePets(seen([pet(1), pet(2)]), [pet(2), turned], true).changes).toEqual([]);
  });

  test('reports a pet that came back as added', () => {
    const removed = comparePets(seen([pet(1)]), [], true);
    expect(comparePets(removed.seen, [pet(1)], true).changes).toMatchObject([{ event: 'added' }]);
  });
});

describe('a truncated list', () => {
  const { changes, seen: after } = comparePets(seen([pet(1), pet(2)]), [pet(2), pet(3)], false);

  test('reports no removed pets', () => {
    expect(changes).toEqual([{ event: 'added', pet: pet(3), certain: true }]);
  });

  test('the next complete list reports pets removed meanwhile', () => {
    expect(comparePets(after, [pet(2), pet(3)], true).changes).toEqual([{ event: 'removed', pet: pet(1) }]);
  });

  test('reports a known pet only if it has changed', () => {
    expect(comparePets(after, [pet(1), pet(2), pet(3)], true).changes).toEqual([]);
    expect(comparePets(after, [pet(1, { status: 'sold' })], false).changes).toMatchObject([
      { event: 'changed', previous: pet(1) },
    ]);
  });

  test('an added pet after it may not be new', () => {
    expect(comparePets(after, [pet(2), pet(3), pet(4)], true).changes).toMatchObject([
      { event: 'removed' },
      { event: 'added', certain: false },
    ]);
  });
});

test('compares unknown fields too', () => {
  expect(changedFields(pet(1, { chip: { no: 1 } }), pet(1, { status: 'sold', chip: { no: 2 } }))).toEqual([
    'status',
    'chip',
  ]);
  expect(changedFields(pet(1, { chip: { no: 1 } }), pet(1))).toEqual(['chip']);
});
