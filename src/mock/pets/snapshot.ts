import { writePet } from './pet-json.js';
import { MOCK_PLANS, type MockPlan } from '../service/limits.js';
import { readPetSeeds, type MockPetSeed, type StoreSnapshot } from './store.js';

/** The pets of all keys, as plain data. Contains no keys and no limits. */
export interface MockSnapshot {
  format: 'petstore-mock/1';
  /** One store for each key, in the order of the option `keys`. */
  worlds: readonly StoreSnapshot[];
  /** The stores of the keys that `tenant()` added. Absent if there are none. */
  tenants?: readonly TenantSnapshot[];
}

/** The pets of a key that `tenant()` added. */
export interface TenantSnapshot extends StoreSnapshot {
  /** Number of the key. */
  number: number;
  plan: MockPlan;
}

/**
 * Reads a result of `mock.snapshot()`, also one that `snapshotJson` wrote and `parseJson` read. `createMock` does the
 * same with its option `snapshot`; call this to validate the data earlier.
 *
 * @throws MockDataError if the value is not a snapshot.
 * @example
 * ```ts
 * const snapshot = readSnapshot(parseJson(await readFile('pets.json', 'utf8')));
 * const mock = createMock({ snapshot });
 * ```
 */
export function readSnapshot(value: unknown): MockSnapshot {
  if (!isRecord(value) || value.format !== 'petstore-mock/1' || !Array.isArray(value.worlds)) {
    throw new MockDataError('snapshot', 'not in the format petstore-mock/1');
  }
  const worlds = value.worlds.map((world: unknown, index) => readStore(world, `worlds[${String(index)}]`));
  const { tenants = [] } = value;
  if (!Array.isArray(tenants)) throw new MockDataError('snapshot', 'tenants must be a list');
  const read = tenants.map(readTenant);
  if (new Set(read.map(({ number }) => number)).size < read.length)
    throw new MockDataError('snapshot', 'two tenants have the same number');
  return { format: 'petstore-mock/1', worlds, ...(read.length === 0 ? {} : { tenants: read }) };
}

function readTenant(tenant: unknown, index: number): TenantSnapshot {
  const place = `tenants[${String(index)}]`;
  const { number, plan } = isRecord(tenant) ? tenant : {};
  if (!Number.isSafeInteger(number) || Number(number) < 1)
    throw new MockDataError('snapshot', `${place}.number must be a whole number of 1 or more`);
  if (!MOCK_PLANS.some((known) => known === plan))
    throw new MockDataError('snapshot', `${place}.plan must be one of ${MOCK_PLANS.join(', ')}`);
  return { number: Number(number), plan: plan as MockPlan, ...readStore(tenant, place) };
}

function readStore(store: unknown, owner: string): StoreSnapshot {
  const place = `${owner}.pets`;
  const pets: unknown = isRecord(store) ? store.pets : undefined;
  if (!Array.isArray(pets)) throw new MockDataError('snapshot', `${place} must be a list`);
  const invalid = pets.findIndex((pet) => !isPetSeed(pet));
  if (invalid >= 0) throw new MockDataError('snapshot', `${place}[${String(invalid)}] is not a pet`);
  try {
    return { pets: readPetSeeds(pets as MockPetSeed[]) };
  } catch (error) {
    throw new MockDataError('snapshot', `${place}: ${String((error as Error).message)}`, error);
  }
}

/** Length of the parts of `snapshotJson`, which may be exceeded by one pet. */
const PART_CHARACTERS = 65_536;

/**
 * Writes a snapshot as JSON with one pet a line, in parts, so that a large one is never in memory as one text. Keeps all
 * digits of the identifiers.
 *
 * @example
 * ```ts
 * await writeFile('pets.json', snapshotJson(mock.snapshot()));
 * ```
 */
export function* snapshotJson({ format, worlds, tenants = [] }: MockSnapshot): Generator<string, void> {
  let text = `{"format":${JSON.stringify(format)},"worlds":[`;
  for (const [index, { pets, ...tenant }] of [...worlds, ...tenants].entries()) {
    if (index === worlds.length) text += '\n],"tenants":[';
    const isFirst = index === 0 || index === worlds.length;
    text += `${isFirst ? '' : ','}\n${JSON.stringify({ ...tenant, pets: [] }).slice(0, -2)}`;
    let separator = '\n';
    for (const pet of pets) {
      text += separator + writePet(pet);
      separator = ',\n';
      if (text.length < PART_CHARACTERS) continue;
      yield text;
      text = '';
    }
    text += '\n]}';
  }
  yield `${text}\n]}\n`;
}

function isPetSeed(value: unknown): value is MockPetSeed {
  return isRecord(value) && typeof value.name === 'string' && 'id' in value && 'categoryId' in value;
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null;
}

/**
 * The data of an option is invalid: `replay` is not a recording, or `snapshot` is not a snapshot.
 *
 * @example
 * ```ts
 * if (error instanceof MockDataError && error.option === 'snapshot') console.error(error.problem);
 * ```
 */
export class MockDataError extends TypeError {
  override readonly name = 'MockDataError';
  /** The option. */
  readonly option: 'replay' | 'snapshot';
  /** The problem, with its place in the data. */
  readonly problem: string;

  constructor(option: 'replay' | 'snapshot', problem: string, cause?: unknown) {
    super(`${option}: ${problem}`, cause === undefined ? undefined : { cause });
    this.option = option;
    this.problem = problem;
  }
}
