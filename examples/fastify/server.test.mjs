import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createMock } from 'petstore/mock';
import { createServer } from './server.mjs';

function start(t, apiKey, fetch) {
  const lines = [];
  const stream = { write: (line) => lines.push(line) };
  const server = createServer({ apiKey, baseUrl: 'https://mock.test/v1', fetch }, { level: 'debug', stream });
  t.after(() => server.close());
  return { server, lines };
}

test('lists pets, and logs requests without the key', async (t) => {
  const mock = createMock({ pets: 3 });
  const { server, lines } = start(t, mock.keys[0], mock.fetch);
  assert.equal((await server.inject('/pets')).json().length, 3);
  assert.ok(lines.some((line) => line.includes('url=https://mock.test/v1/pets')));
  assert.ok(!lines.join('').includes(mock.keys[0]));
});

test('sends visitors nothing of the response of the service, and logs no cookies', async (t) => {
  const body = '{"code":"key_expired","message":"Key of shop 7 has expired","status":401}';
  const headers = [
    ['set-cookie', 'session=1'],
    ['set-cookie', 'admin=1'],
  ];
  const { server, lines } = start(t, 'sk-example', async () => new Response(body, { status: 401, headers }));
  const response = await server.inject('/pets');
  assert.equal(response.statusCode, 503);
  assert.equal(response.headers['set-cookie'], undefined);
  assert.deepEqual(response.json(), { message: 'Try again later' });
  assert.ok(lines.some((line) => line.includes('AuthenticationError')));
  assert.ok(!/session=1|admin=1/.test(lines.join('')));
});
