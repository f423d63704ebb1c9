/** What the index needs of a pet. */
interface Indexed {
  status?: string | undefined;
}

/** The pets of a store by status, so that a filter does not visit the other pets. */
export interface StatusIndex<Pet extends Indexed> {
  /** Returns the pets with a status, in order of creation. */
  get(status: string): readonly Pet[];
  /** Follows the creation of a pet. */
  add(pet: Pet): void;
  /** Follows any other change. The next filter builds the index again: the service itself only creates pets. */
  clear(): void;
}

/**
 * Creates an index of the pets of a store. The first filter builds it, because most stores are never filtered.
 *
 * @param pets in order of creation. Call `add` or `clear` after each change of it.
 */
export function createStatusIndex<Pet extends Indexed>(pets: ReadonlyMap<unknown, Pet>): StatusIndex<Pet> {
  let byStatus: Map<string | undefined, Pet[]> | undefined;

  const place = (pet: Pet): void => {
    const group = byStatus?.get(pet.status);
    if (group === undefined) byStatus?.set(pet.status, [pet]);
    else group.push(pet);
  };
  return {
    get(status) {
      if (byStatus === undefined) {
        byStatus = new Map();
        for (const pet of pets.values()) place(pet);
      }
      return byStatus.get(status) ?? [];
    },
    add: place,
    clear() {
      byStatus = undefined;
    },
  };
}
