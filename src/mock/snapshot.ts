import { readPetSeeds, type MockPet, type MockPetSeed } from './store.js';

/**
 * Reads what `snapshot()` returned, also after a way through `stringifyJson` and `parseJson`.
 *
 * @returns the animals of each world.
 * @throws TypeError where it is something else.
 */
export function readSnapshot(value: unknown): readonly (readonly MockPet[])[] {
  if (!isRecord(value) || value.format !== 'petstore-mock/1' || !Array.isArray(value.worlds)) {
    throw new TypeError('not a snapshot of the mock (format petstore-mock/1)');
  }
  return value.worlds.map((world: unknown) => {
    const pets: unknown = isRecord(world) ? world.pets : undefined;
    if (!Array.isArray(pets) || !pets.every(isPetSeed)) {
      throw new TypeError('a snapshot of the mock holds something that is not an animal');
    }
    return readPetSeeds(pets);
  });
}

function isPetSeed(value: unknown): value is MockPetSeed {
  return isRecord(value) && typeof value.name === 'string' && 'id' in value && 'categoryId' in value;
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null;
}
