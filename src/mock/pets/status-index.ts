/** What the index needs of a pet. */
interface Indexed {
  id: bigint;
  status?: string | undefined;
}

/** The pets of a store by status, so that a filter does not visit the other pets. */
export interface StatusIndex<Pet extends Indexed> {
  /** Returns the pets with a status, in order of creation. */
  get(status: string): Iterable<Pet>;
  /**
   * Follows a change of the store.
   *
   * @param before absent for a new pet.
   * @param after absent for a removed pet.
   */
  update(before: Pet | undefined, after: Pet | undefined): void;
}

/**
 * Creates an index of the pets of a store. The first filter builds it, because most stores are never filtered. A pet that
 * changes its status belongs between others, so the next filter builds the index again.
 *
 * @param pets in order of creation. Call `update` after each change of it.
 */
export function createStatusIndex<Pet extends Indexed>(pets: ReadonlyMap<bigint, Pet>): StatusIndex<Pet> {
  let byStatus: Map<string | undefined, Map<bigint, Pet>> | undefined;

  return {
    get(status) {
      byStatus ??= groupByStatus(pets.values());
      return byStatus.get(status)?.values() ?? [];
    },
    update(before, after) {
      if (before !== undefined && after !== undefined && before.status !== after.status) byStatus = undefined;
      if (byStatus === undefined) return;
      if (after !== undefined) place(byStatus, after);
      else if (before !== undefined) byStatus.get(before.status)?.delete(before.id);
    },
  };
}

function groupByStatus<Pet extends Indexed>(pets: Iterable<Pet>): Map<string | undefined, Map<bigint, Pet>> {
  const groups = new Map<string | undefined, Map<bigint, Pet>>();
  for (const pet of pets) place(groups, pet);
  return groups;
}

function place<Pet extends Indexed>(groups: Map<string | undefined, Map<bigint, Pet>>, pet: Pet): void {
  const group = groups.get(pet.status);
  if (group === undefined) groups.set(pet.status, new Map([[pet.id, pet]]));
  else group.set(pet.id, pet);
}
