import { toInt64 } from '../../schema/int64.js';

/** A pet in the mock's store. */
export interface MockPet {
  id: bigint;
  name: string;
  categoryId: bigint;
  /** Absent if the pet was created without one. The specification shows no default. */
  status?: string | undefined;
  /** Any other field is returned unchanged, as a newer service might add fields. */
  [field: string]: unknown;
}

/** A pet without an id. */
export type NewMockPet = { [Name in keyof MockPet as Name extends 'id' ? never : Name]: MockPet[Name] };

/** An initial pet. Only the two identifiers are validated, so that tests can use unusual pets. */
export interface MockPetSeed {
  /**
   * An int64.
   *
   * @default the next free id
   */
  id?: bigint | number | string | undefined;
  name: string;
  /** An int64. */
  categoryId: bigint | number | string;
  status?: string | undefined;
  [field: string]: unknown;
}

/** The pets of one store, as plain data. */
export interface StoreSnapshot {
  pets: readonly MockPet[];
}

/** The pets of one key. */
export interface Store {
  readonly size: number;
  /** Grows with each change. */
  readonly version: number;
  /** Returns the first `limit` pets in order of creation. They are not copies, and never change. */
  list(limit: number, status: string | undefined): Readonly<MockPet>[];
  find(id: bigint): Readonly<MockPet> | undefined;
  /** Adds a pet with the next free id. */
  create(pet: NewMockPet): Readonly<MockPet>;
  /** Adds a pet, or replaces the one with its id. Returns whether it is new. */
  put(pet: MockPet): boolean;
  /** Returns the removed pet. */
  delete(id: bigint): Readonly<MockPet> | undefined;
  snapshot(): StoreSnapshot;
}

/** Creates a store. Does not change the list of seeds. */
export function createStore(seed: readonly MockPet[]): Store {
  const pets = new Map<bigint, Readonly<MockPet>>();
  for (const pet of seed) pets.set(pet.id, pet);
  /** The pets by status, in order of creation, so that a filter does not visit the others. The first filter builds it. */
  let byStatus: Map<string | undefined, Readonly<MockPet>[]> | undefined;
  const index = (pet: Readonly<MockPet>): void => {
    const group = byStatus?.get(pet.status);
    if (group === undefined) byStatus?.set(pet.status, [pet]);
    else group.push(pet);
  };
  const withStatus = (status: string): readonly Readonly<MockPet>[] => {
    if (byStatus === undefined) {
      byStatus = new Map();
      for (const pet of pets.values()) index(pet);
    }
    return byStatus.get(status) ?? [];
  };
  let nextId = firstFreeId(seed);
  let version = 0;

  return {
    get size() {
      return pets.size;
    },
    get version() {
      return version;
    },
    list(limit, status) {
      const found: Readonly<MockPet>[] = [];
      for (const pet of status === undefined ? pets.values() : withStatus(status)) {
        found.push(pet);
        if (found.length === limit) break;
      }
      return found;
    },
    find: (id) => pets.get(id),
    create(fields) {
      while (pets.has(nextId)) nextId += 1n;
      const pet: MockPet = { id: nextId, ...fields };
      nextId += 1n;
      pets.set(pet.id, pet);
      index(pet);
      version += 1;
      return pet;
    },
    put(pet) {
      const isNew = !pets.has(pet.id);
      pets.set(pet.id, pet);
      if (isNew) index(pet);
      else byStatus = undefined;
      version += 1;
      return isNew;
    },
    delete(id) {
      const pet = pets.get(id);
      if (pet === undefined) return undefined;
      pets.delete(id);
      byStatus = undefined;
      version += 1;
      return pet;
    },
    snapshot: () => ({ pets: [...pets.values()].map((pet) => ({ ...pet })) }),
  };
}

/**
 * Reads initial pets, and assigns ids to those without.
 *
 * @throws TypeError if an identifier is not an int64, or two ids are equal.
 */
export function readPetSeeds(seeds: readonly MockPetSeed[]): readonly MockPet[] {
  const ids = seeds.flatMap(({ id }) => (id === undefined ? [] : [readInt64(id, 'id')]));
  const usedIds = new Set(ids);
  if (usedIds.size < ids.length) throw new TypeError('Two pets have the same id');
  let nextId = 1n;
  return seeds.map((seed) => {
    while (seed.id === undefined && usedIds.has(nextId)) nextId += 1n;
    const id = seed.id === undefined ? nextId++ : readInt64(seed.id, 'id');
    return { ...seed, id, categoryId: readInt64(seed.categoryId, 'categoryId') };
  });
}

/** Ignores ids above 2^53: one seeded long id must not make every new id long. */
function firstFreeId(pets: readonly MockPet[]): bigint {
  let largest = 0n;
  for (const { id } of pets) if (id > largest && id <= BigInt(Number.MAX_SAFE_INTEGER)) largest = id;
  return largest + 1n;
}

function readInt64(value: unknown, field: string): bigint {
  const int64 = toInt64(value);
  if (int64 === undefined) throw new TypeError(`The ${field} of a pet is not an int64: ${String(value)}`);
  return int64;
}

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
    find: (id) => owner.store.find(readInt64(id, 'id')),
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
      const removed = owner.store.delete(readInt64(id, 'id')) !== undefined;
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
