import { readFileSync } from 'node:fs';
import { seededRandom } from './seeded-random.cjs';

export { seededRandom };

const { PETSTORE_TEST_SEED: given = '', PETSTORE_TEST_RUNS: factor = '', PETSTORE_TEST_FULL } = process.env;

/** Whether tests run all cases instead of some of each kind. `.ci/run` sets it. */
export const IS_FULL = PETSTORE_TEST_FULL === '1';

/** Seed of the random tests. A failure shows it; `PETSTORE_TEST_SEED` repeats it. */
export const SEED = given === '' ? Math.floor(Math.random() * 2 ** 31) : Number(given);

/** A tenth of `count`; all with `PETSTORE_TEST_FULL=1`. `PETSTORE_TEST_RUNS` replaces this factor. */
export function runs(count: number): number {
  const share = IS_FULL ? 1 : 0.1;
  return Math.max(1, Math.ceil(count * (factor === '' ? share : Number(factor))));
}

/** Sets seed and runs of fast-check, if the environment has them. Its failures show their seed. */
export async function configureProperties(): Promise<void> {
  if (given + factor === '') return;
  const { default: fc } = await import('fast-check');
  fc.configureGlobal({
    ...(given === '' ? {} : { seed: SEED }),
    ...(factor === '' ? {} : { numRuns: runs(100) }),
  });
}

/** Returns a random number of at least 0 and less than 1. */
export type Random = () => number;

/** Returns a whole number from 0 to `limit - 1`. */
export function below(random: Random, limit: number): number {
  return Math.floor(random() * limit);
}

/** Returns one of the values. */
export function oneOf<T>(random: Random, values: readonly T[]): T {
  return values[below(random, values.length)]!;
}

/**
 * Runs a random test. Each run has a seed of its own, so that a failure can be repeated alone.
 *
 * @throws Error with the seed of the run that failed.
 */
export async function fuzz(count: number, run: (random: Random) => unknown): Promise<void> {
  for (let index = 0; index < runs(count); index += 1) {
    const seed = SEED + index;
    try {
      await run(seededRandom(seed));
    } catch (cause) {
      const { message } = cause as Error;
      throw new Error(`${message}\nTo repeat it: PETSTORE_TEST_SEED=${String(seed)}`, { cause });
    }
  }
}

/** Makes one to four changes: a bit, a byte, a part removed, repeated or moved, or a hostile piece inserted. */
export function mutate(random: Random, original: Uint8Array, pieces: readonly string[] = []): Buffer {
  let bytes = Buffer.from(original);
  for (let changes = 1 + below(random, 4); changes > 0 && bytes.length > 0; changes -= 1) {
    const at = below(random, bytes.length);
    const piece = Buffer.from(bytes.subarray(at, at + 1 + below(random, 16)));
    const before = bytes.subarray(0, at);
    switch (below(random, pieces.length > 0 ? 7 : 5)) {
      case 0:
        bytes[at]! ^= 1 << below(random, 8);
        break;
      case 1:
        bytes[at] = below(random, 256);
        break;
      case 2:
        bytes = Buffer.concat([before, bytes.subarray(at + piece.length)]);
        break;
      case 3:
        bytes = Buffer.concat([before, piece, bytes.subarray(at)]);
        break;
      case 4:
        piece.copy(bytes, below(random, bytes.length));
        break;
      default:
        bytes = Buffer.concat([before, Buffer.from(oneOf(random, pieces), 'latin1'), bytes.subarray(at)]);
    }
  }
  return bytes;
}

/** Inputs that are always tested: those that once failed, and starting points of mutations. By name. */
export function corpus<T = string>(name: string): Record<string, T> {
  return JSON.parse(readFileSync(new URL(`../corpus/${name}.json`, import.meta.url), 'utf8'));
}
