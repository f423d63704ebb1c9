import { describe, expect, test } from 'vitest';
import type { RetryOptions } from '../../../src/client/contract/options.js';
import { fetchTransport } from '../../../src/client/transport/fetch.js';
import { RateLimitError } from '../../../src/errors.js';
import { rateLimitHeaders } from '../../support/rate-limit-headers.js';
import { NEW_PET, REX } from '../../support/rex.js';
import { json, limited, startScriptedServer } from '../../support/scripted-server.js';
import { KEY, nthWait, openScripted, openStore, rejection } from '../../support/stores.js';
import { createVirtualClock, NOON, settle, until } from '../../support/virtual-clock.js';

const imf = (time: number): string => new Date(time).toUTCString();

describe('a 429', () => {
  test.each<[string, Record<string, string>, number]>([
    ['seconds', { 'retry-after': '7' }, 7_000],
    ['0 seconds', { 'retry-after': '0' }, 0],
    [
      'a date, with a clock an hour ahead',
      { date: imf(NOON + 3_600_000), 'retry-after': imf(NOON + 3_603_000) },
      3_000,
    ],
    ['the reset', { date: imf(NOON + 3_600_000), ...rateLimitHeaders({ resetInSeconds: 3_610 }) }, 10_000],
    ['a reset in the past', rateLimitHeaders({ resetInSeconds: -10 }), 1_000],
    ['nothing', {}, 1_000],
  ])('waits for the whole time of %s', async (_, headers, expected) => {
    const { server, store, clock, events } = await openScripted([limited(headers), json([])]);
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

  test('waits the same time if the wall clock jumps', async () => {
    const { server, store, clock, events } = await openScripted([limited({ 'retry-after': '7' }), json([])]);
    const listed = store.pets.list();
    await nthWait(events, 1);
    clock.setWall(NOON + 86_400_000);
    await clock.advance(6_999);
    expect(server.requests).toHaveLength(1);
    await clock.advance(1);
    await listed;
  });

  test.each(['120', '86400', '9999999', '99999999999999999999', String(NOON / 1_000 + 30)])(
    'with Retry-After %s s, above waitMaxMs, rejects at once with the end of the wait',
    async (seconds) => {
      const { server, store, clock, warnings } = await openScripted([limited({ 'retry-after': seconds })]);
      const error = (await rejection(store.pets.list())) as RateLimitError;
      expect(error).toBeInstanceOf(RateLimitError);
      expect(error).toMatchObject({ status: 429, outcome: 'refused', retryable: true });
      expect(error.retryAfterMs).toBe(Math.min(Number(seconds), 86_400) * 1_000);
      expect(error.retryAt?.getTime()).toBe(NOON + (error.retryAfterMs ?? NaN));
      expect(warnings.map(({ code }) => code)).toEqual(Number(seconds) > 86_400 ? ['implausible-wait'] : []);
      expect(clock.pending).toBe(0);
      expect(server.requests).toHaveLength(1);
    },
  );

  test('warns once of a wait above 24 hours, and waits 24 hours if that is allowed', async () => {
    const server = await startScriptedServer(
      limited({ 'retry-after': '9999999' }),
      limited({ 'retry-after': '9999998' }),
      json([]),
    );
    const options = { retry: { waitMaxMs: Infinity } };
    const { store, clock, events, warnings } = openStore(server.baseUrl, options);
    const listed = store.pets.list();
    expect(await nthWait(events, 1)).toBe(86_400_000);
    await clock.advance(86_399_999);
    expect(server.requests).toHaveLength(1);
    await clock.advance(1);
    await clock.advance((await nthWait(events, 2)) ?? 0);
    await listed;
    expect(warnings.map(({ code }) => code)).toEqual(['implausible-wait']);
  });

  test('a reset that is not credible does not outlast a credible Retry-After', async () => {
    const headers = { 'retry-after': '5', ...rateLimitHeaders({ remaining: 0, resetInSeconds: 9e8 }) };
    const { store, clock, events, warnings } = await openScripted([limited(headers), json([])]);
    const listed = store.pets.list();
    expect(await nthWait(events, 1)).toBe(5_000);
    await clock.advance(5_000);
    expect(await listed).toEqual([]);
    expect(warnings.map(({ code }) => code)).toEqual(['implausible-wait']);
  });

  test('on a POST is retried, because it was refused', async () => {
    const { server, store, clock, events } = await openScripted([
      limited({ 'retry-after': '1' }),
      json(REX, 201),
    ]);
    const created = store.pets.create(NEW_PET);
    await clock.advance((await nthWait(events, 1)) ?? 0);
    expect((await created).id).toBe(1n);
    expect(server.requests).toHaveLength(2);
  });

  test('waits exponentially longer on each repeat, for as long as waitMaxMs allows', async () => {
    const { server, store, clock, events } = await openScripted([limited({ 'retry-after': '5' })], {
      retry: { waitMaxMs: 67_000 },
    });
    const failed = rejection(store.pets.list());
    for (const [index, delayMs] of [5_000, 6_000, 7_000, 9_000, 13_000, 13_000, 13_000].entries()) {
      expect(await nthWait(events, index + 1)).toBe(delayMs);
      await clock.advance(delayMs);
    }
    // 1 s is left.
    const error = (await failed) as RateLimitError;
    expect(error).toMatchObject({ type: 'rate-limit', retryAfterMs: 5_000 });
    expect([clock.monotonic(), server.requests.length]).toEqual([66_000, 8]);
  });

  test('that repeats may make the wait longer than the rest of waitMaxMs, which is then used', async () => {
    const { server, store, clock, events } = await openScripted([limited({ 'retry-after': '1' })], {
      retry: { waitMaxMs: 2_500 },
    });
    const failed = rejection(store.pets.list());
    expect(await nthWait(events, 1)).toBe(1_000);
    await clock.advance(1_000);
    expect(await nthWait(events, 2)).toBe(2_000);
    await clock.advance(1_499);
    expect(clock.pending).toBeGreaterThan(0);
    await clock.advance(1);
    const error = await failed;
    expect(error).toMatchObject({ type: 'rate-limit', outcome: 'refused' });
    expect(error).not.toHaveProperty('retryAt');
    expect([clock.monotonic(), server.requests.length]).toEqual([2_500, 2]);
  });

  /** Makes one call to a service that rejects every request, and fires each timer when nothing else is left to do. */
  async function rejectAll(headers: Record<string, string>, retry: RetryOptions) {
    const sentAt: number[] = [];
    const clock = createVirtualClock();
    const transport = fetchTransport(() => {
      sentAt.push(clock.monotonic());
      return Promise.resolve(new Response('{}', { status: 429, headers }));
    });
    const { store } = openStore('https://api.test/v1', { clock, transport, retry });
    let error: RateLimitError | undefined;
    const failed = rejection(store.pets.list()).then((reason) => (error = reason as RateLimitError));
    while (error === undefined) {
      for (let turn = 0; turn < 5; turn += 1) await settle();
      if (clock.pending > 0) await clock.next();
    }
    return { error: await failed, sentAt, endedAt: clock.monotonic() };
  }

  test('with a time that can’t be read: quotes its header', async () => {
    const { error } = await rejectAll({ 'Retry-After-Ms': '5', 'X-Other': '1' }, { waitMaxMs: 5_000 });
    const quoted = 'Retry-After-ms: 5';
    expect(error.message).toBe(
      `Rate limit reached; the service sends rate limit headers that can't be read: ${quoted}`,
    );
  });

  test('without a time: backs off until waitMaxMs is used, and presents no time', async () => {
    const { error, sentAt, endedAt } = await rejectAll({}, { waitMaxMs: 300_000 });
    expect(error.message).toBe('Rate limit reached; the service did not say until when');
    expect([error.retryAt, error.retryAfterMs]).toEqual([undefined, undefined]);
    expect(error).toMatchObject({ outcome: 'refused', retryable: true });
    expect(endedAt).toBe(300_000);
    // More attempts than attemptsMax, but fewer than those that ban a key.
    const seconds = sentAt.map((at) => at / 1_000);
    expect(seconds).toEqual([0, 1, 3, 7, 15, 31, 63, 123, 183, 243]);
  });

  test('without retries rejects the call, and presents no time', async () => {
    const server = await startScriptedServer(limited({}));
    const error = await rejection(
      openStore(server.baseUrl).store.pets.list({}, { retry: { attemptsMax: 1 } }),
    );
    expect(error).toMatchObject({ type: 'rate-limit', outcome: 'refused' });
    expect(error).not.toHaveProperty('retryAt');
    expect(server.requests).toHaveLength(1);
  });

  test('after consecutive 429 responses waits half a second at least, whatever the policy says', async () => {
    const retry = { baseDelayMs: 0, capDelayMs: 0, waitMaxMs: 2_000 };
    const { sentAt } = await rejectAll({ 'retry-after': '0' }, retry);
    expect(sentAt).toEqual([0, 0, 500, 1_000, 1_500, 2_000]);
  });

  test('waits for a Retry-After of exactly waitMaxMs, without jitter', async () => {
    const server = await startScriptedServer(limited({ 'retry-after': '2' }), json([]));
    const options = { random: () => 0.9, retry: { waitMaxMs: 2_000 } };
    const { store, clock, events } = openStore(server.baseUrl, options);
    const listed = store.pets.list();
    expect(await nthWait(events, 1)).toBe(2_000);
    await clock.advance(2_000);
    expect(await listed).toEqual([]);
  });

  test('adds jitter to the wait and never subtracts it', async () => {
    const { store, clock, events } = await openScripted([limited({ 'retry-after': '5' }), json([])], {
      random: () => 0.999,
    });
    const listed = store.pets.list();
    const delayMs = (await nthWait(events, 1)) ?? 0;
    expect(delayMs).toBeGreaterThan(5_000);
    expect(delayMs).toBeLessThan(6_000);
    await clock.advance(delayMs);
    await listed;
  });

  test('to several simultaneous requests counts once: all wait as long as the first', async () => {
    const { server, store, clock } = await openScripted(
      [json([]), ...Array.from({ length: 5 }, () => limited({ 'retry-after': '5' })), json([])],
      { pace: 'off' },
    );
    await store.pets.list();
    const calls = Array.from({ length: 5 }, () => store.pets.list());
    await until(() => server.requests.length === 6);
    await until(() => clock.pendingDelays.length === 1);
    await clock.advance(5_000);
    await Promise.all(calls);
    expect(clock.monotonic()).toBe(5_000);
    expect(server.requests).toHaveLength(11);
  });

  test('delays all calls of the key, and then sends one probe first', async () => {
    const pendingResponses: (() => void)[] = [];
    const server = await startScriptedServer(
      limited({ 'retry-after': '3' }),
      (socket, request) => {
        pendingResponses.push(() => void json([])(socket, request));
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
    await until(() => pendingResponses.length === 1);
    for (let turn = 0; turn < 20; turn += 1) await settle();
    expect(server.requests).toHaveLength(2);
    pendingResponses[0]?.();
    await Promise.all([first, ...calls]);
    expect(server.requests).toHaveLength(22);
  });

  test('delays new clients with the same key and origin, and no others', async () => {
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

  test('delays calls with pace off as well', async () => {
    const { server, store, clock, events } = await openScripted([limited({ 'retry-after': '3' }), json([])], {
      pace: 'off',
    });
    const listed = store.pets.list();
    await nthWait(events, 1);
    const more = store.pets.list();
    await clock.advance(2_999);
    expect(server.requests).toHaveLength(1);
    await clock.advance(1);
    await Promise.all([listed, more]);
  });

  test('rejects with the limit of its headers', async () => {
    const { store } = await openScripted([
      limited({
        'retry-after': '100',
        ...rateLimitHeaders({ resetInSeconds: 50 }),
        'x-request-id': 'r1',
      }),
    ]);
    const error = await rejection(store.pets.list());
    expect(error).toMatchObject({ limit: 60, remaining: 0, window: 'minute', requestId: 'r1' });
    expect(store.rateLimit).toMatchObject({ limit: 60, remaining: 0, plan: 'free' });
  });
});

test('a write that was never sent has the outcome not-sent', async () => {
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
