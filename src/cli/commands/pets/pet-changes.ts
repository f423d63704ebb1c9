import { stringifyJson } from '../../../schema/json.js';
import type { Pet } from '../../../schema/pet-reader.js';

/** A change of a pet between two polls. */
export type PetChange =
  /** `certain` is false if the previous list was truncated, so that the pet may not be new. */
  | { event: 'added'; pet: Pet; certain: boolean }
  | { event: 'changed'; pet: Pet; previous: Pet }
  /** No longer in the list. `pet` is its last known state. */
  | { event: 'removed'; pet: Pet };

/** The known pets after the polls so far. */
export interface SeenPets {
  readonly pets: ReadonlyMap<bigint, Pet>;
  /** Whether the last list was complete. */
  readonly complete: boolean;
}

/**
 * Compares a list with the known pets. A pet that is missing in a truncated list is kept until the next complete list.
 *
 * @param complete whether `listed` is complete.
 * @returns the changes, removed pets first, and the known pets for the next comparison.
 */
export function comparePets(
  before: SeenPets,
  listed: readonly Pet[],
  complete: boolean,
): { changes: PetChange[]; seen: SeenPets } {
  const listedById = new Map(listed.map((pet) => [pet.id, pet]));
  const missing = [...before.pets.values()].filter(({ id }) => !listedById.has(id));
  const changes = complete ? missing.map((pet): PetChange => ({ event: 'removed', pet })) : [];
  for (const pet of listed) {
    const previous = before.pets.get(pet.id);
    if (previous === undefined) changes.push({ event: 'added', pet, certain: before.complete });
    else if (changedFields(previous, pet).length > 0) changes.push({ event: 'changed', pet, previous });
  }
  const pets = complete ? listedById : new Map([...before.pets, ...listedById]);
  return { changes, seen: { pets, complete } };
}

/** The names of the different fields, those of the newer pet first. */
export function changedFields(
  previous: Readonly<Record<string, unknown>>,
  pet: Readonly<Record<string, unknown>>,
): string[] {
  const fields = new Set([...Object.keys(pet), ...Object.keys(previous)]);
  return [...fields].filter((field) => stringifyJson(previous[field]) !== stringifyJson(pet[field]));
}
