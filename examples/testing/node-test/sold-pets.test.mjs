import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createPetStore } from 'petstore';
import { createMock } from 'petstore/mock';
import { countSoldPets } from '../sold-pets.mjs';

test('counts sold pets', async () => {
  // A mock for each test: nothing is shared.
  const mock = createMock({ pets: 0 });
  const store = createPetStore({
    apiKey: mock.keys[0],
    baseUrl: 'https://mock.test/v1',
    fetch: mock.fetch,
    clock: mock.clock,
  });
  await store.pets.create({ name: 'Rex', categoryId: 7n, status: 'sold' });
  assert.equal(await countSoldPets(store), '1');
});
