import { expect, test } from '@playwright/test';
import { createPetStore } from 'petstore';

let apiKey;

test.beforeEach(async ({ request }) => {
  // A key for each test, with pets and limits of its own. Tests can run in parallel.
  const response = await request.post('/__mock/tenants', { data: { plan: 'pro' } });
  ({ key: apiKey } = await response.json());
});

test('the service lists a created pet', async ({ baseURL }) => {
  const store = createPetStore({ apiKey, baseUrl: `${baseURL}/v1` });
  const { id } = await store.pets.create({ name: 'Rex', categoryId: 7n });
  expect((await store.pets.find(id))?.name).toBe('Rex');
  await store.close();
});
