import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createMock } from 'petstore/mock';
import { createServer } from './server.mjs';

test('lists pets, and logs requests without the key', async () => {
  const mock = createMock({ pets: 3 });
  const lines = [];
  const server = createServer(
    { apiKey: mock.keys[0], baseUrl: 'https://mock.test/v1', fetch: mock.fetch },
    { level: 'debug', stream: { write: (line) => lines.push(line) } },
  );
  const response = await server.inject('/pets');
  assert.equal(response.json().length, 3);
  assert.ok(lines.some((line) => line.includes('GET https://mock.test/v1/pets')));
  assert.ok(!lines.join('').includes(mock.keys[0]));
  await server.close();
});
