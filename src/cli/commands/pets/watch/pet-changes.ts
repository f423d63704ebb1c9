import { stringifyJson } from '../../../../schema/json.js';
import type { Pet } from '../../../../schema/pet-reader.js';

/** What has become of an animal between two looks at a list. */
export type PetChange =
  /** `certain` is false where the list before was cut short: the animal may have been there, out of sight. */
  | { event: 'added'; pet: Pet; certain: boolean }
  | { event: 'changed'; pet: Pet; previous: Pet }
  /** No longer in the list. `pet` is as it was last seen. */
  | { event: 'removed'; pet: Pet };

/** What the looks so far have shown. */
export interface SeenPets {
  readonly pets: ReadonlyMap<bigint, Pet>;
  /** Whether the last look showed the whole list. */
  readonly complete: boolean;
}

/**
 * Compares a list with what was seen before. In a list that was cut short a missing animal is not gone, it may only be
 * out of sight: it is remembered, and judged by the next whole list.
 *
 * @param complete whether `listed` is the whole list.
 * @returns the changes, the removed ones first, and what is to be compared with next.
 */
export function comparePets(
  before: SeenPets,
  listed: readonly Pet[],
  complete: boolean,
): { changes: PetChange[]; seen: SeenPets } {
  const inSight = new Map(listed.map((pet) => [pet.id, pet]));
  const missing = [...before.pets.values()].filter(({ id }) => !inSight.has(id));
  const changes = complete ? missing.map((pet): PetChange => ({ event: 'removed', pet })) : [];
  for (const pet of listed) {
    const previous = before.pets.get(pet.id);
    if (previous === undefined) changes.push({ event: 'added', pet, certain: before.complete });
    else if (changedFields(previous, pet).length > 0) changes.push({ event: 'changed', pet, previous });
  }
  const pets = complete ? inSight : new Map([...before.pets, ...inSight]);
  return { changes, seen: { pets, complete } };
}

/** The names of the fields that differ, those of the newer animal first. */
export function changedFields(previous: Pet, pet: Pet): string[] {
  const fields = new Set([...Object.keys(pet), ...Object.keys(previous)]);
  return [...fields].filter((field) => stringifyJson(previous[field]) !== stringifyJson(pet[field]));
}
