import { getEventListeners } from 'node:events';
import { describe, expect, test, vi } from 'vitest';
import type { RateLimitError } from '../../../src/errors.js';
import { rateLimitHeaders } from '../../support/rate-limit-headers.js';
import { NEW_PET, REX } from '../../support/rex.js';
import { json, limited, silence, startScriptedServer } from '../../support/scripted-server.js';
import { nthWait, openScripted, openStore, rejection } from '../../support/stores.js';
import { createTestStorage } from '../../support/test-storage.js';
import { createVirtualClock, settle, until } from '../../support/virtual-clock.js';

describe('a used-up budget', () => {
  test('delays the next call until the reset', async () => {
    const { server, store, clock, events } = await openScripted([
      json([], 200, rateLimitHeaders({ remaining: 0, resetInSeconds: 3 })),
      json([], 200, rateLimitHeaders({ remaining: 59, resetInSeconds: 63 })),
    ]);
    await store.pets.list();
    const next = store.pets.list();
    expect(await nthWait(events, 1)).toBe(3_000);
    const until = new Date(clock.now() + 3_000);
    expect(events.at(-1)).toEqual({
      type: 'wait',
      call: 2,
      attempt: 1,
      reason: 'paced',
      delayMs: 3_000,
      until,
    });
    await clock.advance(2_999);
    expect(server.requests).toHaveLength(1);
    await clock.advance(1);
    await next;
    expect(events.findLast(({ type }) => type === 'response')).toMatchObject({ call: 2 });
  });

  test('rejects the next call at once if the reset is beyond waitMaxMs', async () => {
    const { server, store } = await openScripted([
      json([], 200, rateLimitHeaders({ remaining: 0, resetInSeconds: 76 })),
    ]);
    await store.pets.list();
    expect(await rejection(store.pets.list())).toMatchObject({
      type: 'rate-limit',
      outcome: 'not-sent',
      retryAfterMs: 76_000,
      limit: 60,
      remaining: 0,
    });
    expect(server.requests).toHaveLength(1);
  });

  test('delays nothing with pace off', async () => {
    const { server, store } = await openScripted(
      [json([], 200, rateLimitHeaders({ remaining: 0, resetInSeconds: 3 }))],
      { pace: 'off' },
    );
    await store.pets.list();
    await store.pets.list();
    expect(server.requests).toHaveLength(2);
  });
});

test('a call that would wait for another process is not sent if it may not wait, and no time is named', async () => {
  const virtual = createVirtualClock();
  let elapsed = 0;
  // As a real clock, it goes on while the process works.
  const clock = { ...virtual, monotonic: () => virtual.monotonic() + (elapsed += 1e-3) };
  const storage = createTestStorage(clock);
  const server = await startScriptedServer(silence);
  const [one, other] = ['one', 'other'].map((id) => {
    const gate = { id, open: () => storage.open(id), close: () => Promise.resolve() };
    return openStore(server.baseUrl, { clock, gate, retry: { waitMaxMs: 0 } }).store;
  });
  void one?.pets.list().catch(() => undefined);
  await until(() => server.requests.length === 1);
  const ended = vi.fn<(error: RateLimitError) => void>();
  other?.pets.list().then(undefined, ended);
  while (ended.mock.calls.length === 0) await clock.advance(1);
  const error = ended.mock.calls[0]?.[0];
  expect(error).toMatchObject({ type: 'rate-limit', outcome: 'not-sent' });
  expect(error?.retryAt).toBeUndefined();
  expect(error?.message).toContain('Not sent: the rate limit allowed no request');
});

describe('beforeSend', () => {
  test('is called before each request, after the wait for the rate limit', async () => {
    const { server, store, clock, events } = await openScripted([
      limited({ 'retry-after': '30' }),
      json(REX, 201),
    ]);
    const seen: number[] = [];
    const made = store.pets.create(NEW_PET, {
      async beforeSend() {
        await settle();
        seen.push(clock.monotonic(), server.requests.length);
      },
    });
    await nthWait(events, 1);
    await clock.advance(30_000);
    expect(await made).toMatchObject({ id: 1n });
    expect(seen).toEqual([0, 0, 30_000, 1]);
  });

  const cause = new Error('the disk is full');
  const fail = (): never => {
    throw cause;
  };
  test.each([
    ['throws', fail],
    ['rejects', () => Promise.reject(cause)],
  ])('prevents sending if it %s, and releases the permit', async (_, beforeSend) => {
    const headers = rateLimitHeaders({ remaining: 5, resetInSeconds: 60 });
    const { server, store } = await openScripted([json([], 200, headers), json(REX, 201)]);
    await store.pets.list();
    const failed = rejection(store.pets.create(NEW_PET, { beforeSend }));
    expect(await failed).toMatchObject({ type: 'aborted', cause, outcome: 'not-sent' });
    expect(server.requests).toHaveLength(1);
    expect(await store.budget()).toMatchObject({ windows: [{ remaining: 5 }, { source: 'plan' }] });
    expect(await store.pets.create(NEW_PET)).toMatchObject({ id: 1n });
  });

  test.each(['signal', 'waitSignal'])('can abort the %s, which ends the call', async (name) => {
    const { server, store } = await openScripted([json(REX, 201)]);
    const controller = new AbortController();
    const beforeSend = (): void => {
      controller.abort('stopped');
    };
    const failed = rejection(store.pets.create(NEW_PET, { [name]: controller.signal, beforeSend }));
    expect(await failed).toMatchObject({ type: 'aborted', cause: 'stopped', outcome: 'not-sent' });
    expect(server.requests).toHaveLength(0);
  });

  test('is called again after a 429 to another call', async () => {
    const headers = rateLimitHeaders({ remaining: 5, resetInSeconds: 60 });
    const limit429 = limited({ 'retry-after': '30' });
    const { server, store, clock, events } = await openScripted([
      json([], 200, headers),
      limit429,
      json(REX, 201),
    ]);
    // The gate admits several calls only after a first response.
    await store.pets.list();
    let limit: Promise<unknown> | undefined;
    const made = store.pets.create(NEW_PET, {
      beforeSend: async () => {
        limit ??= rejection(store.pets.list({}, { retry: { attemptsMax: 1 } }));
        await limit;
      },
    });
    await nthWait(events, 1);
    expect(server.requests).toHaveLength(2);
    await clock.advance(29_999);
    expect(server.requests).toHaveLength(2);
    await clock.advance(1);
    expect(await made).toMatchObject({ id: 1n });
    // The 429 and the last request count. The permit of the request that was not sent does not.
    expect(await store.budget()).toMatchObject({ windows: [{ remaining: 3 }, { source: 'plan' }] });
  });
});

test('only the named part of a hold with backoff rejects a call at once', async () => {
  const limit = limited({ 'retry-after': '30' });
  const { server, store, clock, events } = await openScripted([limit, limit]);
  const controller = new AbortController();
  const retrying = rejection(store.pets.list({}, { signal: controller.signal }));
  await nthWait(events, 1);
  await clock.advance(30_000);
  expect(await nthWait(events, 2)).toBe(31_000);
  const refused = rejection(store.pets.list({}, { retry: { waitMaxMs: 29_999 } }));
  expect(await refused).toMatchObject({ type: 'rate-limit', outcome: 'not-sent', retryAfterMs: 30_000 });
  const waiting = rejection(store.pets.list({}, { retry: { waitMaxMs: 30_999 } }));
  await nthWait(events, 3);
  await clock.advance(30_999);
  const error = await waiting;
  expect(error).toMatchObject({ type: 'rate-limit', outcome: 'not-sent' });
  expect(error).not.toHaveProperty('retryAt');
  expect(server.requests).toHaveLength(2);
  controller.abort();
  await retrying;
});

describe('an API key function', () => {
  test('is called for each attempt', async () => {
    const server = await startScriptedServer(json({}, 503), json([]));
    const keys = ['key-one', 'key-two'];
    const { store, clock, events } = openStore(server.baseUrl, { apiKey: () => keys.shift() ?? '' });
    const listed = store.pets.list();
    await clock.advance((await nthWait(events, 1)) ?? 0);
    await listed;
    expect(server.requests.map(({ headers }) => headers.authorization)).toEqual([
      'Bearer key-one',
      'Bearer key-two',
    ]);
  });

  test('causes a configuration error if it fails, and nothing is sent', async () => {
    const server = await startScriptedServer(json([]));
    const cause = new Error('vault sealed');
    const { store } = openStore(server.baseUrl, { apiKey: () => Promise.reject(cause) });
    expect(await rejection(store.pets.list())).toMatchObject({
      type: 'configuration',
      cause,
      message: 'Could not fetch the API key',
    });
    expect(server.connections).toBe(0);
  });
});

test.each([
  ['is not cut short', 1_000],
  ['counts from its start', 1_001],
])(
  'a wait of unknown length that becomes known %s (after %i ms), and leaves no listener',
  async (_, afterMs) => {
    let respond = (): void => undefined;
    const server = await startScriptedServer((socket, request) => {
      respond = () => void limited({ 'retry-after': '9' })(socket, request);
    }, json([]));
    const { store, clock, events } = openStore(server.baseUrl, { retry: { waitMaxMs: 10_000 } });
    const first = rejection(store.pets.list({}, { retry: { attemptsMax: 1 } }));
    const { signal } = new AbortController();
    const next = store.pets.list({}, { signal }).catch((error: unknown) => error);
    await until(() => server.requests.length === 1);
    await clock.advance(afterMs);
    respond();
    await first;
    if (afterMs === 1_000) expect(await nthWait(events, 2)).toBe(9_000);
    await clock.advance(9_000);
    expect(await next).toMatchObject(
      afterMs === 1_000 ? [] : { type: 'rate-limit', outcome: 'not-sent', retryAfterMs: 9_000 },
    );
    expect([getEventListeners(signal, 'abort'), clock.pending]).toEqual([[], 0]);
  },
);

test('a wait emits one event, also if its end depends on another call', async () => {
  const { server, store, events, clock } = await openScripted([silence], { retry: { waitMaxMs: Infinity } });
  const controller = new AbortController();
  const { signal } = controller;
  const calls = [store.pets.list({}, { signal }), store.pets.list({}, { signal })].map(rejection);
  await until(() => server.requests.length === 1);
  expect(events.filter(({ type }) => type === 'wait')).toEqual([
    { type: 'wait', call: 2, attempt: 1, reason: 'paced' },
  ]);
  expect(events.filter(({ type }) => type === 'request')).toHaveLength(1);
  // The wait has no limit: the only timers are those of the gate and of the request.
  expect(clock.pendingDelays).toEqual([2_000, 30_000]);
  controller.abort();
  await Promise.all(calls);
});
