import type { Pet } from '../../../schema/pet-reader.js';

/** What the service can't filter by. Both conditions must hold. */
export interface PetFilter {
  /** Part of the name, in any letter case. */
  name?: string;
  categoryId?: bigint;
}

/** Whether a filter has a condition. */
export function hasFilter({ name, categoryId }: PetFilter): boolean {
  return name !== undefined || categoryId !== undefined;
}

/** The pets that match a filter, in the same order. */
export function filterPets(pets: readonly Pet[], { name, categoryId }: PetFilter): Pet[] {
  const part = name === undefined ? '' : folded(name);
  return pets.filter(
    (pet) => folded(pet.name).includes(part) && (categoryId === undefined || pet.categoryId === categoryId),
  );
}

/** What the filter compares, for a note: `name`, `category` or `name or category`. */
export function filteredFields({ name, categoryId }: PetFilter): string {
  return [name !== undefined && 'name', categoryId !== undefined && 'category']
    .filter((field) => field !== false)
    .join(' or ');
}

/**
 * Removes differences of letter case and of composed characters. The result is the same in every locale: `I` and `i` match
 * in a Turkish one, too. Upper case comes last, because a small sigma depends on its place in a word and `ß` becomes `SS`.
 */
function folded(text: string): string {
  return text.normalize('NFC').toLowerCase().toUpperCase().normalize('NFC');
}
