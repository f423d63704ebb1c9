import { expect, test } from 'vitest';
import { petListView, petView } from '../../../../src/cli/commands/pets/pet-view.js';

const pet = { id: 1n, name: 'Rex', categoryId: 7n, status: 'sold' };

test('a pet has the same columns in a list and alone', () => {
  const list = petListView([pet]);
  expect(list).toMatchObject({ kind: 'list', rows: [pet] });
  expect(petView(pet)).toMatchObject({ kind: 'record', row: pet, columns: list.columns });
  expect(list.columns.map((column) => column.field)).toEqual(['id', 'name', 'categoryId', 'status']);
});

test('identifiers are never truncated', () => {
  const fixed = petListView([]).columns.filter((column) => column.fixed);
  expect(fixed.map((column) => column.field)).toEqual(['id', 'categoryId']);
});
