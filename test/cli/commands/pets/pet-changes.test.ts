import { describe, expect, test } from 'vitest';
import { changedFields, comparePets, type SeenPets } from '../../../../src/cli/commands/pets/pet-changes.js';
import type { Pet } from '../../../../src/schema/pet-reader.js';

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
  const { seen: after } = comparePets(seen([pet(1), pet(2)]), [pet(2), pet(3)], false);

  test('reports a known pet only if it has changed', () => {
    expect(comparePets(after, [pet(1), pet(2), pet(3)], true).changes).toEqual([]);
    expect(comparePets(after, [pet(1, { status: 'sold' })], false).changes).toMatchObject([
      { event: 'changed', previous: pet(1) },
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
