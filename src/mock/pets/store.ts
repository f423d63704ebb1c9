import { toInt64 } from '../../schema/int64.js';
import { stringifyJson } from '../../schema/json.js';
import { createStatusIndex } from './status-index.js';

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

/** An initial pet. Only the two identifiers are validated, so that tests can use unusual pets. */
export interface MockPetSeed {
  /**
   * An int64.
   *
   * @default the next free id
   */
  id?: bigint | number | string;
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
  /** Returns the first `limit` pets in order of creation. They are not copies, and never change. */
  list(limit: number, status: string | undefined): Readonly<MockPet>[];
  /** Returns the same list as JSON. */
  listJson(limit: number, status: string | undefined): string;
  find(id: bigint): Readonly<MockPet> | undefined;
  /** Adds a pet with the next free id. */
  create(pet: { name: string; categoryId: bigint; status?: string | undefined }): Readonly<MockPet>;
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
  const byStatus = createStatusIndex(pets);
  let nextId = firstFreeId(seed);
  /** The last lists as JSON, by limit and status. Cleared by each change. */
  const listTexts = new Map<string, string>();

  const list: Store['list'] = (limit, status) => {
    const found: Readonly<MockPet>[] = [];
    for (const pet of status === undefined ? pets.values() : byStatus.get(status)) {
      found.push(pet);
      if (found.length === limit) break;
    }
    return found;
  };
  return {
    get size() {
      return pets.size;
    },
    list,
    listJson(limit, status = '') {
      const query = `${String(limit)} ${status}`;
      let text = listTexts.get(query);
      if (text === undefined) {
        text = `[${list(limit, status === '' ? undefined : status)
          .map(petJson)
          .join(',')}]`;
        if (listTexts.size >= LIST_TEXTS_MAX) listTexts.clear();
        listTexts.set(query, text);
      }
      return text;
    },
    find: (id) => pets.get(id),
    create({ name, categoryId, status }) {
      while (pets.has(nextId)) nextId += 1n;
      const pet: MockPet = { id: nextId, name, categoryId, ...(status === undefined ? {} : { status }) };
      nextId += 1n;
      pets.set(pet.id, pet);
      byStatus.add(pet);
      listTexts.clear();
      return pet;
    },
    put(pet) {
      const isNew = !pets.has(pet.id);
      pets.set(pet.id, pet);
      if (isNew) byStatus.add(pet);
      else byStatus.clear();
      listTexts.clear();
      return isNew;
    },
    delete(id) {
      const pet = pets.get(id);
      if (pet === undefined) return undefined;
      pets.delete(id);
      byStatus.clear();
      listTexts.clear();
      return pet;
    },
    snapshot: () => ({ pets: [...pets.values()].map((pet) => ({ ...pet })) }),
  };
}

/** Most clients repeat a few lists. A text of 100 pets can be long. */
const LIST_TEXTS_MAX = 8;

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

/** Pets never change, so each is serialized once. */
const jsonByPet = new WeakMap<Readonly<MockPet>, string>();

/** Returns a pet of the store as JSON. */
export function petJson(pet: Readonly<MockPet>): string {
  let text = jsonByPet.get(pet);
  if (text === undefined) {
    text = writePet(pet);
    jsonByPet.set(pet, text);
  }
  return text;
}

/** Writes a pet as JSON. Faster than `stringifyJson`, which checks each value for a bigint. */
export function writePet(pet: Readonly<MockPet>): string {
  let text = `{"id":${digits(pet.id)},"name":${JSON.stringify(pet.name)},"categoryId":${digits(pet.categoryId)}`;
  if (pet.status !== undefined) text += `,"status":${JSON.stringify(pet.status)}`;
  for (const field in pet) {
    if (KNOWN_FIELDS.has(field) || pet[field] === undefined) continue;
    text += `,${JSON.stringify(field)}:${stringifyJson(pet[field])}`;
  }
  return `${text}}`;
}

const KNOWN_FIELDS: ReadonlySet<string> = new Set(['id', 'name', 'categoryId', 'status']);

/** Writing a number is three times as fast as a bigint, and most ids fit. */
function digits(value: bigint): string {
  const number = Number(value);
  return Number.isSafeInteger(number) ? String(number) : String(value);
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
