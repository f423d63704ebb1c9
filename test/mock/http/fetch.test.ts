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
