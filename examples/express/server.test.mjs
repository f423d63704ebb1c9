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

test('reports an invalid body as a problem, without a stack', async (t) => {
  const mock = createMock();
  const { url } = await start(t, mock.fetch, mock.keys[0]);
  const json = { 'content-type': 'application/json' };
  const bodies = ['no JSON', 'null', '[]', '7', '{"name":"Rex","categoryId":9223372036854775808}', ''];
  for (const [body, headers] of [...bodies.map((body) => [body, json]), [REX.body, {}]]) {
    const response = await fetch(url, { method: 'POST', headers, body });
    assert.deepEqual(
      [response.status, await response.json()],
      [400, { status: 400, title: 'The request is invalid' }],
    );
  }
  assert.equal((await fetch(url, { ...REX, body: `"${'a'.repeat(200_000)}"` })).status, 413);
});

test('keeps all digits of an id', async (t) => {
  const mock = createMock();
  const { url } = await start(t, mock.fetch, mock.keys[0]);
  const response = await fetch(url, { ...REX, body: '{"name":"Rex","categoryId":9223372036854775807}' });
  assert.match(await response.text(), /"categoryId":9223372036854775807/);
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
