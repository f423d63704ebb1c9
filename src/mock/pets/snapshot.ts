import { writePet } from './pet-json.js';
import { readPetSeeds, type MockPetSeed, type StoreSnapshot } from './store.js';

/** The pets of the initial keys, as plain data. Contains no keys and no limits. */
export interface MockSnapshot {
  format: 'petstore-mock/1';
  /** One store for each key, in the order of the option `keys`. */
  worlds: readonly StoreSnapshot[];
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
  const worlds = value.worlds.map((world: unknown, index) => {
    const place = `worlds[${String(index)}].pets`;
    const pets: unknown = isRecord(world) ? world.pets : undefined;
    if (!Array.isArray(pets)) throw new MockDataError('snapshot', `${place} must be a list`);
    const invalid = pets.findIndex((pet) => !isPetSeed(pet));
    if (invalid >= 0) throw new MockDataError('snapshot', `${place}[${String(invalid)}] is not a pet`);
    try {
      return { pets: readPetSeeds(pets as MockPetSeed[]) };
    } catch (error) {
      throw new MockDataError('snapshot', `${place}: ${String((error as Error).message)}`, error);
    }
  });
  return { format: 'petstore-mock/1', worlds };
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
export function* snapshotJson({ format, worlds }: MockSnapshot): Generator<string, void> {
  let text = `{"format":${JSON.stringify(format)},"worlds":[`;
  for (const [index, { pets }] of worlds.entries()) {
    text += `${index === 0 ? '' : ','}\n{"pets":[`;
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
