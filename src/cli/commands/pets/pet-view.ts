import { type Column, petStatusStyle, type View } from '../../output/index.js';
import type { Pet } from '../../../schema/pet-reader.js';

const PET_COLUMNS: readonly Column[] = [
  { field: 'id', header: 'id', fixed: true },
  { field: 'name', header: 'name', emptyText: '-' },
  { field: 'categoryId', header: 'category', fixed: true, spare: true },
  { field: 'status', header: 'status', emptyText: '-', paint: petStatusStyle },
];

/** The known fields of a pet. Unknown fields are printed in json and yaml, and can be used in --query. */
export const PET_FIELDS = PET_COLUMNS.map(({ field }) => field);

/** The formats of an export. */
export const EXPORT_FORMATS = ['csv', 'ndjson', 'json', 'tsv', 'yaml'] as const;

/** The view of a list of pets. */
export function petListView(pets: readonly Pet[]): Extract<View, { kind: 'list' }> {
  return { kind: 'list', rows: pets, columns: PET_COLUMNS };
}

/** The view of one pet. */
export function petView(pet: Pet): Extract<View, { kind: 'record' }> {
  return { kind: 'record', row: pet, columns: PET_COLUMNS };
}
