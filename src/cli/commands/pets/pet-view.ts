import { type Column, petStatusStyle, type View } from '../../output/index.js';
import type { Pet } from '../../../schema/pet-reader.js';

const PET_COLUMNS: readonly Column[] = [
  { field: 'id', header: 'id', fixed: true },
  { field: 'name', header: 'name' },
  { field: 'categoryId', header: 'category', fixed: true, spare: true },
  { field: 'status', header: 'status', paint: petStatusStyle },
];

/** What an animal has. A field of a newer service is printed in json and yaml, and found by --query. */
export const PET_FIELDS = PET_COLUMNS.map(({ field }) => field);

/** Animals as every command shows them. */
export function petListView(pets: readonly Pet[]): Extract<View, { kind: 'list' }> {
  return { kind: 'list', rows: pets, columns: PET_COLUMNS };
}

/** One animal as every command shows it. */
export function petView(pet: Pet): Extract<View, { kind: 'record' }> {
  return { kind: 'record', row: pet, columns: PET_COLUMNS };
}
