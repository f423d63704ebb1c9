import { toInt64 } from '../../schema/int64.js';
import { createStore, readPetSeeds, type MockPet, type MockPetSeed, type Store } from './store.js';

/** The pets of one key. */
export interface MockPets {
  /** Returns all pets with a status, or all pets, in order of creation. */
  list(status?: string): readonly Readonly<MockPet>[];
  /** @throws TypeError if the id is not an int64. */
  find(id: bigint | number | string): Readonly<MockPet> | undefined;
  /**
   * Adds a pet, or replaces the one with its id.
   *
   * @returns the stored pet. Without an id, it gets the next free one.
   * @throws TypeError if the name is missing or an identifier is not an int64.
   */
  put(pet: MockPetSeed): Readonly<MockPet>;
  /**
   * Removes a pet.
   *
   * @returns whether it existed.
   * @throws TypeError if the id is not an int64.
   */
  delete(id: bigint | number | string): boolean;
  /**
   * Replaces all pets.
   *
   * @throws TypeError if a pet is invalid, or two ids are equal. The pets are then unchanged.
   */
  load(pets: readonly MockPetSeed[]): void;
}

/**
 * @param owner whose store they are.
 * @param changed called after each change.
 */
export function createPets(owner: { store: Store }, changed: () => void): MockPets {
  return {
    list: (status) => owner.store.list(Number.POSITIVE_INFINITY, status),
    find: (id) => owner.store.find(int64(id)),
    put(seed) {
      checkPet(seed);
      const { store } = owner;
      const { name } = seed;
      // readPetSeeds() checks the identifiers; `create` finds the free id.
      const [pet] = readPetSeeds([seed]) as [MockPet];
      const id = seed.id === undefined ? store.create({ name, categoryId: pet.categoryId }).id : pet.id;
      const stored = { ...pet, id };
      store.put(stored);
      changed();
      return stored;
    },
    delete(id) {
      const removed = owner.store.delete(int64(id)) !== undefined;
      if (removed) changed();
      return removed;
    },
    load(pets) {
      pets.forEach(checkPet);
      owner.store = createStore(readPetSeeds(pets));
      changed();
    },
  };
}

/** The control API passes unchecked JSON. */
function checkPet(pet: unknown): void {
  if (typeof pet !== 'object' || pet === null) throw new TypeError('A pet must be an object');
  const { name } = pet as Partial<MockPetSeed>;
  if (typeof name !== 'string') throw new TypeError('The name of a pet must be a string');
}

function int64(value: unknown): bigint {
  const id = toInt64(value);
  if (id === undefined) throw new TypeError(`The id of a pet is not an int64: ${String(value)}`);
  return id;
}
