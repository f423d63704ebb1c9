import type { MockSnapshot } from './mock.js';
import { readPetSeeds, type MockPetSeed } from './service/store.js';

/**
 * Reads what `snapshot()` returned, also after a way through `stringifyJson` and `parseJson`. The option `snapshot` of
 * `createMock` takes either; this tells beforehand whether it will.
 *
 * @throws TypeError where it is something else.
 */
export function readSnapshot(value: unknown): MockSnapshot {
  if (!isRecord(value) || value.format !== 'petstore-mock/1' || !Array.isArray(value.worlds)) {
    throw new TypeError('not a snapshot of the mock (format petstore-mock/1)');
  }
  const worlds = value.worlds.map((world: unknown) => {
    const pets: unknown = isRecord(world) ? world.pets : undefined;
    if (!Array.isArray(pets) || !pets.every(isPetSeed)) {
      throw new TypeError('a snapshot of the mock holds something that is not an animal');
    }
    return { pets: readPetSeeds(pets) };
  });
  return { format: 'petstore-mock/1', worlds };
}

function isPetSeed(value: unknown): value is MockPetSeed {
  return isRecord(value) && typeof value.name === 'string' && 'id' in value && 'categoryId' in value;
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null;
}
