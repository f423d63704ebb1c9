import { expect, test } from 'vitest';
import { createMock } from '../../../src/mock/index.js';
import { frozenClock } from '../send-request.js';

const authorization = 'Bearer mock-key';
const PETS = 'http://mock.test/v1/pets';

test('accepts a string, a URL or a Request, with or without init', async () => {
  const mock = createMock();
  const headers = { authorization };
  const responses = [
    await mock.fetch(PETS, { headers }),
    await mock.fetch(new URL(PETS), { headers }),
    await mock.fetch(new Request(PETS, { headers })),
    await mock.fetch(new Request(PETS), { headers }),
  ];
  for (const response of responses) {
    expect(response.status).toBe(200);
    expect(await response.json()).toHaveLength(20);
  }
  await expect(mock.fetch('/v1/pets')).rejects.toThrow(TypeError);
});

test('passes the body and the headers', async () => {
  const mock = createMock();
  const created = await mock.fetch(PETS, {
    method: 'POST',
    headers: { Authorization: authorization, 'Content-Type': 'application/json' },
    body: '{"name":"Möhre","categoryId":9007199254740993}',
  });
  expect([created.status, await created.text()]).toEqual([
    201,
    '{"id":25,"name":"Möhre","categoryId":9007199254740993}',
  ]);
  expect(mock.journal[0]?.headers).toMatchObject({ authorization: 'Bearer [redacted]' });
});

test.each(['reset', 'lost-write'] as const)('%s rejects like a lost connection', async (action) => {
  const mock = createMock({ faults: [{ action }] });
  const failure: unknown = await mock.fetch(PETS).catch((error: unknown) => error);
  expect(failure).toBeInstanceOf(TypeError);
  expect(failure).toMatchObject({ message: 'fetch failed', cause: { code: 'ECONNRESET' } });
});

test('truncate returns the headers, and the body fails', async () => {
  const mock = createMock({ faults: ['truncate'] });
  const response = await mock.fetch(PETS, { headers: { authorization } });
  expect(response.status).toBe(200);
  await expect(response.text()).rejects.toMatchObject({
    message: 'terminated',
    cause: { code: 'UND_ERR_SOCKET' },
  });
});

test('rejects with the reason of the signal, before the request or during the delay', async () => {
  const mock = createMock({ clock: frozenClock, latencyMs: 3_600_000 });
  const reason = new Error('enough');
  await expect(mock.fetch(PETS, { signal: AbortSignal.abort(reason) })).rejects.toBe(reason);
  expect(mock.journal).toHaveLength(0);
  const controller = new AbortController();
  const waiting = mock.fetch(PETS, { signal: controller.signal });
  while (mock.journal.length === 0) await Promise.resolve();
  controller.abort(reason);
  await expect(waiting).rejects.toBe(reason);
});

test.each([204, 205, 304])('%i has no body', async (status) => {
  const mock = createMock({ faults: [{ action: { status } }] });
  const response = await mock.fetch(PETS, { headers: { authorization } });
  expect([response.status, response.body, await response.text()]).toEqual([status, null, '']);
  expect(response.headers.get('x-ratelimit-limit')).toBe('60');
});
