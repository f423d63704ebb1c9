import assert from 'node:assert/strict';
import { once } from 'node:events';
import { test } from 'node:test';
import { createPetStore } from 'petstore';
import { createMock } from 'petstore/mock';
import { createApp } from './server.mjs';

/** Starts the app with a client that sends with `fetch`. */
async function start(t, fetch, apiKey = 'sk-example') {
  const store = createPetStore({ apiKey, baseUrl: 'https://mock.test/v1', fetch });
  const log = [];
  const server = createApp(store, (error) => log.push(error)).listen(0, '127.0.0.1');
  t.after(() => server.close());
  await once(server, 'listening');
  return { url: `http://127.0.0.1:${server.address().port}/pets`, log };
}

const REX = {
  method: 'POST',
  headers: { 'content-type': 'application/json' },
  body: '{"name":"Rex","categoryId":"9007199254740993"}',
};

test('lists pets, and reports errors as problem details', async (t) => {
  const mock = createMock({ pets: 3 });
  const { url } = await start(t, mock.fetch, mock.keys[0]);
  assert.equal((await (await fetch(url)).json()).length, 3);
  const invalid = await fetch(`${url}?status=gone`);
  assert.equal(invalid.status, 400);
  assert.match(invalid.headers.get('content-type'), /problem\+json/);
  assert.match(await (await fetch(url, REX)).text(), /"categoryId":9007199254740993/);
});

test('sends visitors nothing of the response of the service', async (t) => {
  const headers = [
    ['set-cookie', 'a=1'],
    ['set-cookie', 'b=2'],
  ];
  const body = '{"code":"key_expired","message":"Key of shop 7 has expired","status":403}';
  const { url, log } = await start(t, async () => new Response(body, { status: 403, headers }));
  const response = await fetch(url);
  assert.deepEqual([response.status, response.headers.get('set-cookie')], [502, null]);
  assert.doesNotMatch(await response.text(), /shop 7/);
  assert.equal(log[0].response.status, 403);
});

test('does not invite a visitor to send a write again if it may be stored', async (t) => {
  const mock = createMock({ faults: ['lost-write'] });
  const { url } = await start(t, mock.fetch, mock.keys[0]);
  assert.equal((await fetch(url, REX)).status, 500);
});
