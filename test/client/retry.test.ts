import { getEventListeners } from 'node:events';
import { describe, expect, test } from 'vitest';
import type { ClientEvent } from '../../src/client/options.js';
import { fetchTransport } from '../../src/client/transport/fetch.js';
import {
  AbortedError,
  AuthenticationError,
  BadRequestError,
  ConnectionError,
  InvalidResponseError,
  type PetStoreError,
  RateLimitError,
  ServerError,
  TimeoutError,
  UnknownOutcomeError,
} from '../../src/errors.js';
import {
  type Answer,
  bytes,
  hangUp,
  head,
  json,
  rawThenEnd,
  rawThenSilence,
  refusedPort,
  reset,
  silence,
  startScriptedServer,
} from '../support/scripted-server.js';
import { KEY, nthWait, openStore, rejection, TRANSPORTS } from '../support/stores.js';
import { createVirtualClock, NOON, settle, until } from '../support/virtual-clock.js';

const REX = { id: 1, name: 'Rex', categoryId: 2 };
const NEW_PET = { name: 'Rex', categoryId: 2 };
const imf = (time: number): string => new Date(time).toUTCString();
const limited = (headers: Readonly<Record<string, string>>): Answer => json({}, 429, headers);
const sentAt = (events: readonly ClientEvent[]): number =>
  events.filter(({ type }) => type === 'request').length;

describe.each(TRANSPORTS)('over %s', (_, makeTransport) => {
  test.each<[string, Answer]>([
    ['hangs up', hangUp],
    ['resets', reset],
    ['answers 500', json({}, 500)],
    ['answers 503', json({}, 503, { 'retry-after': '1' })],
    ['answers 408', json({}, 408)],
    ['answers garbage', rawThenEnd('what?\r\n\r\n')],
    ['answers 201 with HTML', bytes('<html>', 201, { 'content-type': 'text/html' })],
    ['answers 201 with half a pet', json({ id: 1 }, 201)],
    ['answers 201 cut short', rawThenEnd(`${head(201, { 'content-length': '50' })}{"id":1`)],
    ['answers 303', json({}, 303, { location: '/v1/pets/1' })],
  ])('a POST is sent once where the service %s after it was read', async (__, answer) => {
    const server = await startScriptedServer(answer);
    const { store, clock } = openStore(server.baseUrl, { transport: makeTransport() });
    const error = (await rejection(store.pets.create(NEW_PET))) as UnknownOutcomeError;
    expect(error).toBeInstanceOf(UnknownOutcomeError);
    expect(error).toMatchObject({ outcome: 'unknown', retryable: false, type: 'unknown-outcome' });
    expect(error.request).toEqual({
      method: 'POST',
      url: `${server.baseUrl}/pets`,
      body: '{"name":"Rex","categoryId":2}',
    });
    expect(error.attempts).toHaveLength(1);
    await clock.advance(600_000);
    expect(server.requests).toHaveLength(1);
    expect(clock.pending).toBe(0);
  });

  test('a POST without an answer in time is sent once', async () => {
    const server = await startScriptedServer(silence);
    const { store, clock } = openStore(server.baseUrl, { transport: makeTransport() });
    const failed = rejection(store.pets.create(NEW_PET, { timeoutMs: 800 }));
    await until(() => server.requests.length === 1);
    await clock.advance(800);
    const error = (await failed) as UnknownOutcomeError;
    expect(error).toBeInstanceOf(UnknownOutcomeError);
    expect(error.cause).toBeInstanceOf(TimeoutError);
    await until(() => server.open === 0);
    expect(server.requests).toHaveLength(1);
  });

  test('a POST is sent again where the connection was refused', async () => {
    const port = await refusedPort();
    const { store, clock, events } = openStore(`http://127.0.0.1:${String(port)}/v1`, {
      transport: makeTransport(),
    });
    const failed = rejection(store.pets.create(NEW_PET, { retry: { attemptsMax: 3 } }));
    for (const count of [1, 2]) {
      const delayMs = await nthWait(events, count);
      await clock.advance(delayMs ?? 0);
    }
    const error = (await failed) as ConnectionError;
    expect(error).toBeInstanceOf(ConnectionError);
    expect(error).toMatchObject({ code: 'ECONNREFUSED', outcome: 'not-sent', retryable: true });
    expect(error.attempts.map(({ number, waitedMs, failure }) => [number, waitedMs, failure])).toEqual([
      [1, 0, 'connection'],
      [2, 250, 'connection'],
      [3, 500, 'connection'],
    ]);
  });

  test('a body that stalls after its headers ends by timeoutMs', async () => {
    const server = await startScriptedServer(rawThenSilence(`${head(200, { 'content-length': '50' })}[`));
    const { store, clock, events } = openStore(server.baseUrl, { transport: makeTransport() });
    const failed = rejection(store.pets.list({}, { timeoutMs: 800, retry: { attemptsMax: 2 } }));
    await until(() => server.requests.length === 1);
    await clock.advance(800);
    await clock.advance((await nthWait(events, 1)) ?? 0);
    await until(() => server.requests.length === 2);
    await clock.advance(800);
    expect(await failed).toMatchObject({ type: 'timeout', limit: 'attempt', outcome: 'unknown' });
    await until(() => server.open === 0);
    expect(clock.pending).toBe(0);
  });

  test.each([307, 308, 302, 301])(
    'a %i to another origin on a POST: that origin sees nothing',
    async (status) => {
      const other = await startScriptedServer(json(REX, 201));
      const server = await startScriptedServer(json({}, status, { location: `${other.origin}/v1/pets` }));
      const { store } = openStore(server.baseUrl, { transport: makeTransport() });
      const error = await rejection(store.pets.create(NEW_PET));
      expect(error).toBeInstanceOf(InvalidResponseError);
      expect(error).toMatchObject({ status, outcome: 'refused' });
      expect([server.requests.length, other.connections]).toEqual([1, 0]);
    },
  );

  test('a redirect to another origin on a GET: that origin sees nothing', async () => {
    const other = await startScriptedServer(json([]));
    const server = await startScriptedServer(json({}, 307, { location: `${other.origin}/v1/pets` }));
    const { store } = openStore(server.baseUrl, { transport: makeTransport() });
    expect(await rejection(store.pets.list())).toMatchObject({ type: 'invalid-response', status: 307 });
    expect([server.requests.length, other.connections]).toEqual([1, 0]);
  });

  test('a redirect within the origin is followed on a GET, and is no attempt', async () => {
    const server = await startScriptedServer(json({}, 308, { location: '/v2/pets?limit=1' }), json([REX]));
    const { store } = openStore(server.baseUrl, { transport: makeTransport() });
    expect(await store.pets.list({}, { retry: { attemptsMax: 1 } })).toHaveLength(1);
    expect(server.requests.map(({ path }) => path)).toEqual(['/v1/pets', '/v2/pets?limit=1']);
    expect(server.requests[1]?.headers.authorization).toBe(`Bearer ${KEY}`);
  });

  test('an id beyond 2^53 is exact both ways', async () => {
    const body = '{"id":9007199254740993,"name":"Rex","categoryId":-9223372036854775808}';
    const server = await startScriptedServer(json(body, 201));
    const { store } = openStore(server.baseUrl, { transport: makeTransport() });
    const pet = await store.pets.create({ name: 'Rex', categoryId: '9007199254740993' });
    expect(pet.id).toBe(9007199254740993n);
    expect(pet.categoryId).toBe(-(2n ** 63n));
    expect(server.requests[0]?.body).toBe('{"name":"Rex","categoryId":9007199254740993}');
  });

  test('50 calls leave no abort listener on their one signal, and no timer', async () => {
    const server = await startScriptedServer(json([]));
    const { store, clock } = openStore(server.baseUrl, { transport: makeTransport() });
    const { signal } = new AbortController();
    for (let count = 0; count < 50; count += 1) {
      await store.pets.list({}, count % 2 === 0 ? { signal } : { signal, deadlineMs: 5_000 });
    }
    expect(getEventListeners(signal, 'abort')).toHaveLength(0);
    expect(clock.pending).toBe(0);
  });
});

describe('a GET', () => {
  test.each([408, 500, 502, 503, 504])('is tried again after %i', async (status) => {
    const server = await startScriptedServer(json({}, status), json([REX]));
    const { store, clock, events } = openStore(server.baseUrl);
    const listed = store.pets.list();
    expect(await nthWait(events, 1)).toBe(250);
    await clock.advance(249);
    expect(server.requests).toHaveLength(1);
    await clock.advance(1);
    expect(await listed).toHaveLength(1);
  });

  test.each([400, 401, 403, 404, 409, 418, 422, 501, 505, 599])(
    'is not tried again after %i',
    async (status) => {
      const server = await startScriptedServer(json({ code: 'x', message: 'No.', status }, status));
      const { store, clock } = openStore(server.baseUrl);
      const error = (await rejection(store.pets.list())) as PetStoreError;
      expect(error).toMatchObject({ status, code: 'x', message: 'No.', retryable: false });
      expect(server.requests).toHaveLength(1);
      expect(clock.pending).toBe(0);
    },
  );

  test.each<[string, Answer]>([
    ['the connection broke', reset],
    ['the body was cut short', rawThenEnd(`${head(200, { 'content-length': '50' })}[`)],
  ])('is tried again where %s', async (_, answer) => {
    const server = await startScriptedServer(answer, json([REX]));
    const { store, clock, events } = openStore(server.baseUrl);
    const listed = store.pets.list();
    await clock.advance((await nthWait(events, 1)) ?? 0);
    expect(await listed).toHaveLength(1);
  });

  test.each<[string, Answer]>([
    ['HTML', bytes('<html>Maintenance</html>', 200, { 'content-type': 'text/html' })],
    ['null', json('null')],
    ['an object', json('{}')],
    ['nothing', bytes('')],
    ['204', rawThenSilence(head(204))],
    ['half a document', json('[{"id":1')],
    ['a wrong shape', json([{ id: '1', name: 'Rex', categoryId: 2 }])],
    ['UTF-16', bytes(Buffer.from('\ufeff[]', 'utf16le'))],
    ['an encoding that was not asked for', bytes('[]x', 200, { 'content-encoding': 'zstd' })],
  ])('that is answered with %s has an invalid answer, at once', async (_, answer) => {
    const server = await startScriptedServer(answer);
    const { store, clock } = openStore(server.baseUrl);
    const error = await rejection(store.pets.list());
    expect(error).toBeInstanceOf(InvalidResponseError);
    expect(server.requests).toHaveLength(1);
    expect(clock.pending).toBe(0);
  });

  test('takes a byte order mark before the body', async () => {
    const server = await startScriptedServer(json('\ufeff[]'));
    expect(await openStore(server.baseUrl).store.pets.list()).toEqual([]);
  });

  test('gives up after attemptsMax, with the trail of its attempts', async () => {
    const server = await startScriptedServer(json({}, 503));
    const { store, clock, events } = openStore(server.baseUrl);
    const failed = rejection(store.pets.list());
    for (const [index, delayMs] of [250, 500, 1_000].entries()) {
      expect(await nthWait(events, index + 1)).toBe(delayMs);
      await clock.advance(delayMs);
    }
    const error = (await failed) as ServerError;
    expect(error).toBeInstanceOf(ServerError);
    expect(
      error.attempts.map(({ startedAt, waitedMs, status }) => [startedAt - NOON, waitedMs, status]),
    ).toEqual([
      [0, 0, 503],
      [250, 250, 503],
      [750, 500, 503],
      [1_750, 1_000, 503],
    ]);
  });

  test('honours the Retry-After of a 503 in full', async () => {
    const server = await startScriptedServer(json({}, 503, { 'retry-after': '20' }), json([]));
    const { store, clock, events } = openStore(server.baseUrl);
    const listed = store.pets.list();
    expect(await nthWait(events, 1)).toBe(20_000);
    await clock.advance(20_000);
    expect(await listed).toEqual([]);
  });

  test('does not wait for a Retry-After of a 503 above waitMaxMs', async () => {
    const server = await startScriptedServer(json({}, 503, { 'retry-after': '61' }));
    const { store, clock } = openStore(server.baseUrl);
    expect(await rejection(store.pets.list())).toMatchObject({ status: 503 });
    expect(clock.pending).toBe(0);
  });

  test('follows no more than five redirects', async () => {
    const server = await startScriptedServer(json({}, 302, { location: '/v1/pets' }));
    const { store } = openStore(server.baseUrl);
    expect(await rejection(store.pets.list())).toBeInstanceOf(InvalidResponseError);
    expect(server.requests).toHaveLength(6);
  });

  test.each([undefined, 'http://[', '//evil.test/v1/pets', 'https://127.0.0.1/', 'data:,x'])(
    'is not redirected to %s',
    async (location) => {
      const server = await startScriptedServer(json({}, 302, location === undefined ? {} : { location }));
      const { store } = openStore(server.baseUrl);
      expect(await rejection(store.pets.list())).toMatchObject({ type: 'invalid-response', status: 302 });
      expect(server.requests).toHaveLength(1);
    },
  );
});

describe('a 429', () => {
  test.each<[string, Record<string, string>, number]>([
    ['seconds', { 'retry-after': '7' }, 7_000],
    ['0 seconds', { 'retry-after': '0' }, 0],
    ['a date, the service’s clock right', { date: imf(NOON), 'retry-after': imf(NOON + 3_000) }, 3_000],
    [
      'a date, its clock an hour behind',
      { date: imf(NOON - 3_600_000), 'retry-after': imf(NOON - 3_597_000) },
      3_000,
    ],
    [
      'a date, its clock an hour ahead',
      { date: imf(NOON + 3_600_000), 'retry-after': imf(NOON + 3_603_000) },
      3_000,
    ],
    [
      'the reset',
      {
        date: imf(NOON + 3_600_000),
        'x-ratelimit-limit': '60',
        'x-ratelimit-remaining': '0',
        'x-ratelimit-reset': String(NOON / 1_000 + 3_610),
      },
      10_000,
    ],
    [
      'a broken Retry-After and the reset',
      {
        'retry-after': '1.5',
        'x-ratelimit-limit': '60',
        'x-ratelimit-remaining': '0',
        'x-ratelimit-reset': String(NOON / 1_000 + 10),
      },
      10_000,
    ],
    [
      'a reset that is past, which tells nothing',
      {
        'x-ratelimit-limit': '60',
        'x-ratelimit-remaining': '0',
        'x-ratelimit-reset': String(NOON / 1_000 - 10),
      },
      500,
    ],
    ['nothing', {}, 500],
    ['nonsense', { 'retry-after': '5, 5' }, 500],
  ])('that tells %s is waited for in full', async (_, headers, expected) => {
    const server = await startScriptedServer(limited(headers), json([]));
    const { store, clock, events } = openStore(server.baseUrl);
    const listed = store.pets.list();
    if (expected > 0) {
      expect(await nthWait(events, 1)).toBe(expected);
      await clock.advance(expected - 1);
      expect(server.requests).toHaveLength(1);
      await clock.advance(1);
    }
    expect(await listed).toEqual([]);
    expect(server.requests).toHaveLength(2);
  });

  test('is waited for whatever the wall clock does meanwhile', async () => {
    const server = await startScriptedServer(limited({ 'retry-after': '7' }), json([]));
    const { store, clock, events } = openStore(server.baseUrl);
    const listed = store.pets.list();
    await nthWait(events, 1);
    clock.setWall(NOON + 86_400_000);
    await clock.advance(6_999);
    expect(server.requests).toHaveLength(1);
    await clock.advance(1);
    await listed;
  });

  test.each(['120', '9999999', '99999999999999999999'])(
    'that tells %s s, above waitMaxMs, fails at once and says until when',
    async (seconds) => {
      const server = await startScriptedServer(limited({ 'retry-after': seconds }));
      const { store, clock } = openStore(server.baseUrl);
      const error = (await rejection(store.pets.list())) as RateLimitError;
      expect(error).toBeInstanceOf(RateLimitError);
      expect(error).toMatchObject({ status: 429, outcome: 'refused', retryable: true });
      expect(error.retryAfterMs).toBe(Math.min(Number(seconds) * 1_000, Number.MAX_SAFE_INTEGER));
      expect(error.retryAt.getTime()).toBe(Math.min(NOON + error.retryAfterMs, 8.64e15));
      expect(clock.pending).toBe(0);
      expect(server.requests).toHaveLength(1);
    },
  );

  test.each([120, 9_999_999])('that tells %i s, below waitMaxMs, is kept whole', async (seconds) => {
    const server = await startScriptedServer(limited({ 'retry-after': String(seconds) }), json([]));
    const { store, clock, events } = openStore(server.baseUrl);
    const listed = store.pets.list({}, { retry: { waitMaxMs: Infinity } });
    expect(await nthWait(events, 1)).toBe(seconds * 1_000);
    await clock.advance(seconds * 1_000 - 1);
    expect(server.requests).toHaveLength(1);
    await clock.advance(1);
    await listed;
  });

  test('on a POST was refused, so it is sent again', async () => {
    const server = await startScriptedServer(limited({ 'retry-after': '1' }), json(REX, 201));
    const { store, clock, events } = openStore(server.baseUrl);
    const created = store.pets.create(NEW_PET);
    await clock.advance((await nthWait(events, 1)) ?? 0);
    expect((await created).id).toBe(1n);
    expect(server.requests).toHaveLength(2);
  });

  test('holds exponentially longer on each repeat, and gives up after attemptsMax', async () => {
    const server = await startScriptedServer(limited({ 'retry-after': '5' }));
    const { store, clock, events } = openStore(server.baseUrl);
    const failed = rejection(store.pets.list());
    for (const [index, delayMs] of [5_000, 6_000, 7_000].entries()) {
      expect(await nthWait(events, index + 1)).toBe(delayMs);
      await clock.advance(delayMs);
    }
    expect(await failed).toMatchObject({ type: 'rate-limit', retryAfterMs: 5_000 });
    expect(server.requests).toHaveLength(4);
  });

  test('gets jitter on top and never off', async () => {
    const server = await startScriptedServer(limited({ 'retry-after': '5' }), json([]));
    const { store, clock, events } = openStore(server.baseUrl, { random: () => 0.999 });
    const listed = store.pets.list();
    const delayMs = (await nthWait(events, 1)) ?? 0;
    expect(delayMs).toBeGreaterThan(5_000);
    expect(delayMs).toBeLessThan(6_000);
    await clock.advance(delayMs);
    await listed;
  });

  test('of one burst is one strike: the whole burst waits as long as its first', async () => {
    const server = await startScriptedServer(
      json([]),
      ...Array.from({ length: 5 }, () => limited({ 'retry-after': '5' })),
      json([]),
    );
    const { store, clock } = openStore(server.baseUrl, { pace: 'off' });
    await store.pets.list();
    const calls = Array.from({ length: 5 }, () => store.pets.list());
    await until(() => server.requests.length === 6);
    await until(() => clock.pendingDelays.length === 1);
    await clock.advance(5_000);
    await Promise.all(calls);
    expect(clock.monotonic()).toBe(5_000);
    expect(server.requests).toHaveLength(11);
  });

  test('holds all calls of the key: 20 more inside its window send nothing, then one probe goes first', async () => {
    const held: (() => void)[] = [];
    const server = await startScriptedServer(
      limited({ 'retry-after': '3' }),
      (socket, request) => {
        held.push(() => void json([])(socket, request));
      },
      json([]),
    );
    const { store, clock, events } = openStore(server.baseUrl);
    const first = store.pets.list();
    await nthWait(events, 1);
    const calls = Array.from({ length: 20 }, () => store.pets.list());
    await clock.advance(2_999);
    expect(server.requests).toHaveLength(1);
    await clock.advance(1);
    await until(() => held.length === 1);
    for (let turn = 0; turn < 20; turn += 1) await settle();
    expect(server.requests).toHaveLength(2);
    held[0]?.();
    await Promise.all([first, ...calls]);
    expect(server.requests).toHaveLength(22);
  });

  test('is met by a client made anew for each call, but not by another key or origin', async () => {
    const server = await startScriptedServer(limited({ 'retry-after': '100' }), json([]));
    const other = await startScriptedServer(json([]));
    const clock = createVirtualClock();
    const list = (baseUrl: string, apiKey: string): PromiseLike<unknown> =>
      openStore(baseUrl, { apiKey, clock }).store.pets.list();
    expect(await rejection(list(server.baseUrl, KEY))).toMatchObject({ outcome: 'refused' });
    for (let count = 0; count < 5; count += 1) {
      expect(await rejection(list(server.baseUrl, KEY))).toMatchObject({
        type: 'rate-limit',
        outcome: 'not-sent',
        retryAfterMs: 100_000,
        attempts: [],
      });
    }
    expect(server.requests).toHaveLength(1);
    await list(server.baseUrl, 'another-key');
    await list(other.baseUrl, KEY);
    expect([server.requests.length, other.requests.length]).toEqual([2, 1]);
  });

  test('is obeyed also with pace off', async () => {
    const server = await startScriptedServer(limited({ 'retry-after': '3' }), json([]));
    const { store, clock, events } = openStore(server.baseUrl, { pace: 'off' });
    const listed = store.pets.list();
    await nthWait(events, 1);
    const more = store.pets.list();
    await clock.advance(2_999);
    expect(server.requests).toHaveLength(1);
    await clock.advance(1);
    await Promise.all([listed, more]);
  });

  test('tells the limit, where its headers do', async () => {
    const server = await startScriptedServer(
      limited({
        'retry-after': '100',
        'x-ratelimit-limit': '60',
        'x-ratelimit-remaining': '0',
        'x-ratelimit-reset': String(NOON / 1_000 + 50),
        'x-request-id': 'r1',
      }),
    );
    const { store } = openStore(server.baseUrl);
    const error = await rejection(store.pets.list());
    expect(error).toMatchObject({ limit: 60, remaining: 0, window: 'minute', requestId: 'r1' });
    expect(store.rateLimit).toMatchObject({ limit: 60, remaining: 0, plan: 'free' });
  });
});

test('a write that never left and then meets the limit of others was not sent', async () => {
  const clock = createVirtualClock();
  const service: typeof fetch = (_, init) =>
    init?.method === 'POST'
      ? Promise.reject(Object.assign(new Error('refused'), { code: 'ECONNREFUSED' }))
      : Promise.resolve(new Response('{}', { status: 429, headers: { 'retry-after': '900' } }));
  const transport = fetchTransport(service);
  const { store, events } = openStore('https://api.test/v1', { transport, clock });
  const failed = rejection(store.pets.create(NEW_PET));
  const delayMs = await nthWait(events, 1);
  await rejection(store.pets.list());
  await clock.advance(delayMs ?? 0);
  expect(await failed).toMatchObject({ type: 'rate-limit', outcome: 'not-sent' });
});

describe('a used-up budget', () => {
  const headers = (remaining: number, inSeconds: number): Record<string, string> => ({
    'x-ratelimit-limit': '60',
    'x-ratelimit-remaining': String(remaining),
    'x-ratelimit-reset': String(NOON / 1_000 + inSeconds),
  });

  test('holds the next call until the reset', async () => {
    const server = await startScriptedServer(json([], 200, headers(0, 3)), json([], 200, headers(59, 63)));
    const { store, clock, events } = openStore(server.baseUrl);
    await store.pets.list();
    const next = store.pets.list();
    expect(await nthWait(events, 1)).toBe(3_000);
    await clock.advance(2_999);
    expect(server.requests).toHaveLength(1);
    await clock.advance(1);
    await next;
  });

  test('fails the next call at once where the reset is beyond waitMaxMs', async () => {
    const server = await startScriptedServer(json([], 200, headers(0, 61)));
    const { store } = openStore(server.baseUrl);
    await store.pets.list();
    expect(await rejection(store.pets.list())).toMatchObject({
      type: 'rate-limit',
      outcome: 'not-sent',
      retryAfterMs: 61_000,
      limit: 60,
      remaining: 0,
    });
    expect(server.requests).toHaveLength(1);
  });

  test('holds nothing with pace off', async () => {
    const server = await startScriptedServer(json([], 200, headers(0, 3)));
    const { store } = openStore(server.baseUrl, { pace: 'off' });
    await store.pets.list();
    await store.pets.list();
    expect(server.requests).toHaveLength(2);
  });
});

describe('an abort', () => {
  const reason = new Error('enough');

  test('before the call sends nothing', async () => {
    const server = await startScriptedServer(json([]));
    const { store } = openStore(server.baseUrl);
    const error = await rejection(store.pets.list({}, { signal: AbortSignal.abort(reason) }));
    expect(error).toBeInstanceOf(AbortedError);
    expect(error).toMatchObject({ cause: reason, outcome: 'not-sent', attempts: [] });
    expect(server.connections).toBe(0);
  });

  test.each<[string, Answer]>([
    ['before the answer', silence],
    ['while the body comes', rawThenSilence(`${head(200, { 'content-length': '50' })}[`)],
  ])('%s ends the call and its connection', async (_, answer) => {
    const server = await startScriptedServer(answer);
    const { store, clock } = openStore(server.baseUrl);
    const controller = new AbortController();
    const failed = rejection(store.pets.list({}, { signal: controller.signal }));
    await until(() => server.requests.length === 1);
    controller.abort(reason);
    expect(await failed).toMatchObject({ type: 'aborted', cause: reason, outcome: 'unknown' });
    await until(() => server.open === 0);
    expect(clock.pending).toBe(0);
    expect(getEventListeners(controller.signal, 'abort')).toHaveLength(0);
  });

  test('of a POST under way says that its outcome is unknown', async () => {
    const server = await startScriptedServer(silence);
    const { store } = openStore(server.baseUrl);
    const controller = new AbortController();
    const failed = rejection(store.pets.create(NEW_PET, { signal: controller.signal }));
    await until(() => server.requests.length === 1);
    controller.abort(reason);
    expect(await failed).toMatchObject({ type: 'aborted', outcome: 'unknown' });
  });

  test('in the middle of a backoff ends it without time passing', async () => {
    const server = await startScriptedServer(json({}, 503));
    const { store, clock, events } = openStore(server.baseUrl);
    const controller = new AbortController();
    const failed = rejection(store.pets.list({}, { signal: controller.signal }));
    await nthWait(events, 1);
    await clock.advance(100);
    controller.abort(reason);
    expect(await failed).toMatchObject({ type: 'aborted', cause: reason });
    expect([clock.monotonic(), clock.pending, server.requests.length]).toEqual([100, 0, 1]);
    expect(getEventListeners(controller.signal, 'abort')).toHaveLength(0);
  });

  test('in the queue of the gate ends it, and leaves no place behind', async () => {
    const server = await startScriptedServer(limited({ 'retry-after': '30' }), json([]));
    const { store, clock, events } = openStore(server.baseUrl);
    const controller = new AbortController();
    const first = store.pets.list();
    await nthWait(events, 1);
    const failed = rejection(store.pets.create(NEW_PET, { signal: controller.signal }));
    await nthWait(events, 2);
    controller.abort(reason);
    expect(await failed).toMatchObject({ type: 'aborted', cause: reason, outcome: 'not-sent' });
    expect(clock.pending).toBe(1);
    await clock.advance(30_000);
    await first;
    expect(server.requests.map(({ method }) => method)).toEqual(['GET', 'GET']);
  });

  test('by whoever hears of the request sends nothing', async () => {
    const server = await startScriptedServer(json([]));
    const controller = new AbortController();
    const { store } = openStore(server.baseUrl, {
      onEvent: (event) => {
        if (event.type === 'request') controller.abort(reason);
      },
    });
    const error = await rejection(store.pets.create(NEW_PET, { signal: controller.signal }));
    expect(error).toMatchObject({ type: 'aborted', outcome: 'not-sent' });
    expect(server.requests).toHaveLength(0);
  });

  test('at the very moment at which the gate opens sends nothing, and the gate stays open for others', async () => {
    const server = await startScriptedServer(limited({ 'retry-after': '20' }), json([]));
    const controller = new AbortController();
    const time = createVirtualClock();
    const clock = {
      ...time,
      setTimeout: (callback: () => void, delayMs: number) =>
        time.setTimeout(() => {
          callback();
          if (delayMs === 20_000) controller.abort(reason);
        }, delayMs),
    };
    const { store, events } = openStore(server.baseUrl, { clock });
    const failed = rejection(store.pets.list({}, { signal: controller.signal }));
    await nthWait(events, 1);
    await time.advance(20_000);
    expect(await failed).toMatchObject({ type: 'aborted', outcome: 'refused' });
    expect(server.requests).toHaveLength(1);
    expect(await store.pets.list()).toEqual([]);
  });

  test('while the key is fetched ends the call', async () => {
    const server = await startScriptedServer(json([]));
    const { store } = openStore(server.baseUrl, { apiKey: () => new Promise(() => undefined) });
    const controller = new AbortController();
    const failed = rejection(store.pets.list({}, { signal: controller.signal }));
    await settle();
    controller.abort(reason);
    expect(await failed).toMatchObject({ type: 'aborted', cause: reason, outcome: 'not-sent' });
    expect(getEventListeners(controller.signal, 'abort')).toHaveLength(0);
  });

  test('together with the arrival of the key sends nothing', async () => {
    const server = await startScriptedServer(json([]));
    const controller = new AbortController();
    const { store, clock } = openStore(server.baseUrl, {
      apiKey: () => Promise.resolve(KEY),
    });
    const failed = rejection(store.pets.list({}, { signal: controller.signal }));
    for (let tick = 0; tick < 3; tick += 1) await Promise.resolve();
    controller.abort(reason);
    expect(await failed).toMatchObject({ type: 'aborted', outcome: 'not-sent' });
    expect([server.requests.length, clock.pending]).toEqual([0, 0]);
  });
});

describe('the abort of the waits', () => {
  test('leaves alone what is under way', async () => {
    const server = await startScriptedServer(json(REX, 201));
    const controller = new AbortController();
    const { store } = openStore(server.baseUrl, {
      onEvent: ({ type }) => {
        if (type === 'request') controller.abort();
      },
    });
    expect(await store.pets.create(NEW_PET, { waitSignal: controller.signal })).toMatchObject({ id: 1n });
    expect(getEventListeners(controller.signal, 'abort')).toHaveLength(0);
  });

  test.each<[string, Answer, string]>([
    ['the rate limit', limited({ 'retry-after': '30' }), 'refused'],
    ['another try', json({}, 503), 'unknown'],
  ])('ends what waits for %s, and sends nothing more', async (_, answer, outcome) => {
    const server = await startScriptedServer(answer);
    const { store, clock, events } = openStore(server.baseUrl);
    const controller = new AbortController();
    const options = { signal: new AbortController().signal, waitSignal: controller.signal };
    const failed = rejection(store.pets.list({}, options));
    await nthWait(events, 1);
    controller.abort('stopped');
    expect(await failed).toMatchObject({ type: 'aborted', cause: 'stopped', outcome });
    expect([clock.monotonic(), server.requests.length]).toEqual([0, 1]);
    expect(getEventListeners(options.signal, 'abort')).toHaveLength(0);
  });
});

describe('what is called before a request leaves', () => {
  test('is called with the limit waited for, and waited for itself, each time', async () => {
    const server = await startScriptedServer(limited({ 'retry-after': '30' }), json(REX, 201));
    const { store, clock, events } = openStore(server.baseUrl);
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

  test('may refuse: nothing is sent, and the next call has the permit', async () => {
    const server = await startScriptedServer(json(REX, 201));
    const { store } = openStore(server.baseUrl);
    const cause = new Error('the disk is full');
    const failed = rejection(store.pets.create(NEW_PET, { beforeSend: () => Promise.reject(cause) }));
    expect(await failed).toMatchObject({ type: 'aborted', cause, outcome: 'not-sent' });
    expect(server.requests).toHaveLength(0);
    expect(await store.pets.create(NEW_PET)).toMatchObject({ id: 1n });
  });

  test.each(['signal', 'waitSignal'])('is too late where the %s ends the call meanwhile', async (name) => {
    const server = await startScriptedServer(json(REX, 201));
    const { store } = openStore(server.baseUrl);
    const controller = new AbortController();
    const beforeSend = (): void => {
      controller.abort('stopped');
    };
    const failed = rejection(store.pets.create(NEW_PET, { [name]: controller.signal, beforeSend }));
    expect(await failed).toMatchObject({ type: 'aborted', cause: 'stopped', outcome: 'not-sent' });
    expect(server.requests).toHaveLength(0);
  });

  test('lets a 429 that came meanwhile hold the request', async () => {
    const server = await startScriptedServer(json([]), limited({ 'retry-after': '30' }), json(REX, 201));
    const { store, clock, events } = openStore(server.baseUrl);
    // The gate lets several through once it has seen an answer.
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
  });
});

describe('a deadline', () => {
  test('covers the body', async () => {
    const server = await startScriptedServer(rawThenSilence(`${head(200, { 'content-length': '50' })}[`));
    const { store, clock } = openStore(server.baseUrl);
    const failed = rejection(store.pets.list({}, { deadlineMs: 1_000 }));
    await until(() => server.requests.length === 1);
    await clock.advance(1_000);
    const error = await failed;
    expect(error).toBeInstanceOf(TimeoutError);
    expect(error).toMatchObject({ limit: 'deadline' });
    await until(() => server.open === 0);
    expect(clock.pending).toBe(0);
  });

  test('that ends a POST under way leaves its outcome unknown', async () => {
    const server = await startScriptedServer(silence);
    const { store, clock } = openStore(server.baseUrl);
    const failed = rejection(store.pets.create(NEW_PET, { deadlineMs: 1_000 }));
    await until(() => server.requests.length === 1);
    await clock.advance(1_000);
    expect(await failed).toBeInstanceOf(UnknownOutcomeError);
  });

  test('that the next backoff would pass fails now, with the last failure as its cause', async () => {
    const server = await startScriptedServer(json({}, 503));
    const { store, clock } = openStore(server.baseUrl);
    const error = (await rejection(store.pets.list({}, { deadlineMs: 249 }))) as TimeoutError;
    expect(error).toMatchObject({ type: 'timeout', limit: 'deadline' });
    expect(error.cause).toBeInstanceOf(ServerError);
    expect([clock.monotonic(), clock.pending]).toEqual([0, 0]);
  });

  test('that a told wait would pass fails now, and says until when', async () => {
    const server = await startScriptedServer(limited({ 'retry-after': '5' }));
    const { store, clock } = openStore(server.baseUrl);
    const error = await rejection(store.pets.list({}, { deadlineMs: 4_999 }));
    expect(error).toMatchObject({ type: 'rate-limit', retryAfterMs: 5_000 });
    expect(await rejection(store.pets.list({}, { deadlineMs: 4_999 }))).toMatchObject({
      type: 'rate-limit',
      outcome: 'not-sent',
    });
    expect([clock.monotonic(), clock.pending, server.requests.length]).toEqual([0, 0, 1]);
  });

  test('covers the queue behind another call', async () => {
    const server = await startScriptedServer(silence);
    const { store, clock } = openStore(server.baseUrl);
    const controller = new AbortController();
    const first = rejection(store.pets.list({}, { signal: controller.signal }));
    await until(() => server.requests.length === 1);
    const failed = rejection(store.pets.create(NEW_PET, { deadlineMs: 1_000 }));
    await clock.advance(1_000);
    expect(await failed).toMatchObject({ type: 'timeout', limit: 'deadline', outcome: 'not-sent' });
    controller.abort();
    await first;
    expect(clock.pending).toBe(0);
  });

  test('covers the fetching of the key', async () => {
    const { store, clock } = openStore('http://127.0.0.1:1/v1', {
      apiKey: () => new Promise(() => undefined),
    });
    const failed = rejection(store.pets.list({}, { deadlineMs: 1_000 }));
    await clock.advance(1_000);
    expect(await failed).toMatchObject({ type: 'timeout', limit: 'deadline', outcome: 'not-sent' });
  });
});

describe('a key from a function', () => {
  test('is fetched for each attempt', async () => {
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

  test('that fails is a configuration error, and nothing is sent', async () => {
    const server = await startScriptedServer(json([]));
    const cause = new Error('vault sealed');
    const { store } = openStore(server.baseUrl, { apiKey: () => Promise.reject(cause) });
    expect(await rejection(store.pets.list())).toMatchObject({ type: 'configuration', cause });
    expect(server.connections).toBe(0);
  });
});

test.each<[number, Answer, new (...rest: never[]) => Error]>([
  [400, json({ code: 'x', message: 'm', status: 400 }, 400), BadRequestError],
  [401, json({ code: 'x', message: 'm', status: 401 }, 401), AuthenticationError],
])('a POST that is refused with %i was not carried out', async (status, answer, kind) => {
  const server = await startScriptedServer(answer);
  const error = await rejection(openStore(server.baseUrl).store.pets.create(NEW_PET));
  expect(error).toBeInstanceOf(kind);
  expect(error).toMatchObject({ status, outcome: 'refused', code: 'x', message: 'm' });
});

test('one wait is told of as one event, also where its end depends on another call', async () => {
  const server = await startScriptedServer(silence);
  const { store, events } = openStore(server.baseUrl);
  const controller = new AbortController();
  const { signal } = controller;
  const calls = [store.pets.list({}, { signal }), store.pets.list({}, { signal })].map(rejection);
  await until(() => server.requests.length === 1);
  expect(events.filter(({ type }) => type === 'wait')).toEqual([
    { type: 'wait', call: 2, attempt: 1, reason: 'paced' },
  ]);
  expect(sentAt(events)).toBe(1);
  controller.abort();
  await Promise.all(calls);
});
