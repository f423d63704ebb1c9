import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createMock } from 'petstore/mock';
import { app } from './server.mjs';

test('lists pets', async () => {
  const mock = createMock({ pets: 3 });
  const env = {
    PETSTORE_API_KEY: mock.keys[0],
    PETSTORE_BASE_URL: 'https://mock.test/v1',
    fetch: mock.fetch,
  };
  const response = await app.request('/pets', {}, env);
  assert.equal(response.status, 200);
  assert.equal((await response.json()).length, 3);
});
