import { createPetStore } from 'petstore';
import { createMock } from 'petstore/mock';
import { describe, expect, test } from 'vitest';
import { countSoldPets } from '../sold-pets.mjs';

// One mock for the file. Each test has its own key, and so its own pets, limits and clock.
const mock = createMock();

function createClient() {
  const key = mock.tenant();
  return createPetStore({
    apiKey: key,
    baseUrl: 'https://mock.test/v1',
    fetch: mock.fetch,
    clock: mock.forKey(key).clock,
  });
}

describe.concurrent('sold pets', () => {
  test.each([1, 2, 3])('are counted: %i', async (count) => {
    const store = createClient();
    const before = Number(await countSoldPets(store));
    for (let i = 0; i < count; i++) await store.pets.create({ name: 'Rex', categoryId: 7n, status: 'sold' });
    expect(await countSoldPets(store)).toBe(`${before + count}`);
  });
});
