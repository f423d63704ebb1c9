import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createMock } from 'petstore/mock';
import { app } from './server.mjs';

const request = (PETSTORE_API_KEY, fetch) =>
  app.request('/pets', {}, { PETSTORE_API_KEY, PETSTORE_BASE_URL: 'https://mock.test/v1', fetch });

test('lists pets', async () => {
  const mock = createMock({ pets: 3 });
  const response = await request(mock.keys[0], mock.fetch);
  assert.equal(response.status, 200);
  assert.equal((await response.json()).length, 3);
});

test('sends visitors nothing of the response of the service, and logs no cookies', async (t) => {
  const log = t.mock.method(console, 'error', () => undefined);
  const body = '{"code":"key_expired","message":"Key of shop 7 has expired","status":401}';
  const headers = { 'set-cookie': 'session=1' };
  const response = await request('sk-example', async () => new Response(body, { status: 401, headers }));
  assert.deepEqual([response.status, response.headers.get('set-cookie')], [503, null]);
  assert.deepEqual(await response.json(), { message: 'Try again later' });
  const [error] = log.mock.calls[0].arguments;
  assert.equal(error.response.headers['set-cookie'], '[redacted]');
});
