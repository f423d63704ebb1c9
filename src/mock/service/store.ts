import { toInt64 } from '../../schema/int64.js';
import { stringifyJson } from '../../schema/json.js';

/** An animal in the mock's store. */
export interface MockPet {
  id: bigint;
  name: string;
  categoryId: bigint;
  /** Absent where it was created without one: the specification gives no default. */
  status?: string | undefined;
  /** Any other field is answered as it is, as a newer service might. */
  [field: string]: unknown;
}

/** An animal to begin with. Nothing is checked but the two identifiers: a test may want an odd one. */
export interface MockPetSeed {
  /** Default: the next free one. */
  id?: bigint | number | string;
  name: string;
  categoryId: bigint | number | string;
  status?: string | undefined;
  [field: string]: unknown;
}

/** What one world holds, as plain data. */
export interface StoreSnapshot {
  pets: readonly MockPet[];
}

/** The animals that one key sees and changes. */
export interface Store {
  readonly size: number;
  /** The first `limit` animals in order of creation; they are the store's own, and never change. */
  list(limit: number, status: string | undefined): Readonly<MockPet>[];
  find(id: bigint): Readonly<MockPet> | undefined;
  /** Assigns the next free id. */
  create(pet: { name: string; categoryId: bigint; status?: string | undefined }): Readonly<MockPet>;
  snapshot(): StoreSnapshot;
}

/** Makes a world of its own; the seed itself is never changed. */
export function createStore(seed: readonly MockPet[]): Store {
  const pets = new Map<bigint, Readonly<MockPet>>(seed.map((pet) => [pet.id, pet]));
  let nextId = firstFreeId(seed);

  return {
    get size() {
      return pets.size;
    },
    list(limit, status) {
      const found: Readonly<MockPet>[] = [];
      for (const pet of pets.values()) {
        if (status !== undefined && pet.status !== status) continue;
        found.push(pet);
        if (found.length === limit) break;
      }
      return found;
    },
    find: (id) => pets.get(id),
    create({ name, categoryId, status }) {
      while (pets.has(nextId)) nextId += 1n;
      const pet: MockPet = { id: nextId, name, categoryId, ...(status === undefined ? {} : { status }) };
      nextId += 1n;
      pets.set(pet.id, pet);
      return pet;
    },
    snapshot: () => ({ pets: [...pets.values()].map((pet) => ({ ...pet })) }),
  };
}

/**
 * Reads animals to begin with.
 *
 * @throws TypeError where an identifier is not an int64, or an id is there twice.
 */
export function readPetSeeds(seeds: readonly MockPetSeed[]): readonly MockPet[] {
  const given = seeds.flatMap(({ id }) => (id === undefined ? [] : [readInt64(id, 'id')]));
  const taken = new Set(given);
  if (taken.size < given.length) throw new TypeError('two animals of `pets` have the same id');
  let nextId = 1n;
  return seeds.map((seed) => {
    while (seed.id === undefined && taken.has(nextId)) nextId += 1n;
    const id = seed.id === undefined ? nextId++ : readInt64(seed.id, 'id');
    return { ...seed, id, categoryId: readInt64(seed.categoryId, 'categoryId') };
  });
}

/** An animal of the store never changes, and every answer has some. */
const jsonByPet = new WeakMap<Readonly<MockPet>, string>();

/** Writes an animal of the store as JSON, once. */
export function petJson(pet: Readonly<MockPet>): string {
  let text = jsonByPet.get(pet);
  if (text === undefined) {
    text = writePet(pet);
    jsonByPet.set(pet, text);
  }
  return text;
}

/** By hand, because `stringifyJson` looks at each value for a bigint, and takes several times as long. */
function writePet(pet: Readonly<MockPet>): string {
  let text = `{"id":${digits(pet.id)},"name":${JSON.stringify(pet.name)},"categoryId":${digits(pet.categoryId)}`;
  if (pet.status !== undefined) text += `,"status":${JSON.stringify(pet.status)}`;
  for (const field in pet) {
    if (KNOWN_FIELDS.has(field) || pet[field] === undefined) continue;
    text += `,${JSON.stringify(field)}:${stringifyJson(pet[field])}`;
  }
  return `${text}}`;
}

const KNOWN_FIELDS: ReadonlySet<string> = new Set(['id', 'name', 'categoryId', 'status']);

/** Most ids are small, and a number is written three times as fast as a bigint. */
function digits(value: bigint): string {
  const number = Number(value);
  return Number.isSafeInteger(number) ? String(number) : String(value);
}

/** New ids go on counting from the small ones; a seeded 2^53 + 1 must not make every later id that long. */
function firstFreeId(pets: readonly MockPet[]): bigint {
  let largest = 0n;
  for (const { id } of pets) if (id > largest && id <= BigInt(Number.MAX_SAFE_INTEGER)) largest = id;
  return largest + 1n;
}

function readInt64(value: unknown, field: string): bigint {
  const read = toInt64(value);
  if (read === undefined) throw new TypeError(`${field} of an animal is not an int64: ${String(value)}`);
  return read;
}
