import assert from 'node:assert/strict';
import { once } from 'node:events';
import { test } from 'node:test';
import { createPetStore } from 'petstore';
import { createMock } from 'petstore/mock';
import { createApp } from './server.mjs';

test('lists pets, and reports errors as problem details', async () => {
  const mock = createMock({ pets: 3 });
  const store = createPetStore({ apiKey: mock.keys[0], baseUrl: 'https://mock.test/v1', fetch: mock.fetch });
  const server = createApp(store).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const url = `http://127.0.0.1:${server.address().port}/pets`;

  assert.equal((await (await fetch(url)).json()).length, 3);
  const invalid = await fetch(`${url}?status=gone`);
  assert.equal(invalid.status, 400);
  assert.match(invalid.headers.get('content-type'), /problem\+json/);
  const created = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: '{"name":"Rex","categoryId":"9007199254740993"}',
  });
  assert.match(await created.text(), /"categoryId":9007199254740993/);
  server.close();
});
