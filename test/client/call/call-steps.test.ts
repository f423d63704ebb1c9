import { describe, expect, test } from 'vitest';
import type { PetStoreOptions } from '../../../src/client/contract/options.js';
import { fetchTransport } from '../../../src/client/transport/fetch.js';
import { rateLimitHeaders } from '../../support/rate-limit-headers.js';
import { KEY, openStore, type StoreUnderTest } from '../../support/stores.js';
import { createVirtualClock, NOON, settle } from '../../support/virtual-clock.js';

const BASE = 'https://api.test/v1';
/** The clock of a call does not start at 0, so that a difference of two times is not one of them. */
const START_MS = 1_000;
const LIMIT = { limit: 60, remaining: 9, window: 'minute', plan: 'free' };
const MINUTE = rateLimitHeaders({ remaining: 9, resetInSeconds: 60 });

/** A response, or the error of an attempt without one. */
type Reply = readonly [status: number, headers?: Record<string, string>] | Error;

interface Ended extends StoreUnderTest {
  error: unknown;
  /** The keys and URLs of the requests. */
  sent: string[];
}

/** Makes one call with these responses, the last of them repeatedly, and advances the clock by each of its waits. */
async function run(
  replies: readonly Reply[],
  options: Partial<Omit<PetStoreOptions, 'clock'>> = {},
  method = 'GET',
): Promise<Ended> {
  const clock = createVirtualClock();
  await clock.advance(START_MS);
  const sent: string[] = [];
  const transport = fetchTransport((url, init) => {
    const key = new Headers(init?.headers).get('authorization')?.replace('Bearer ', '') ?? '';
    const reply = replies[Math.min(sent.push(`${key} ${url as string}`), replies.length) - 1]!;
    if (reply instanceof Error) return Promise.reject(reply);
    const [status, headers] = reply;
    return Promise.resolve(
      new Response(status === 200 ? '[]' : '{"code":"c"}', { status, headers: headers ?? {} }),
    );
  });
  const opened = openStore(BASE, { clock, transport, ...options });
  let ended: { error: unknown } | undefined;
  const end = (error: unknown): void => void (ended = { error });
  opened.store.request(method, '/pets').then(() => {
    end(undefined);
  }, end);
  for (let waits = 0; ended === undefined;) {
    await settle();
    const wait = opened.events.filter(({ type }) => type === 'wait')[waits];
    if (wait?.type !== 'wait') continue;
    waits += 1;
    await clock.advance(wait.delayMs ?? 0);
  }
  return { ...opened, ...(ended as { error: unknown }), sent };
}

describe('a call reports', () => {
  const at = (ms: number): Date => new Date(NOON + START_MS + ms);
  const end = { type: 'call-end', call: 1, operation: 'request', status: 200, outcome: 'succeeded' };
  const wait = (reason: string, delayMs: number, attempt = 2) => ({
    type: 'wait',
    call: 1,
    attempt,
    reason,
    delayMs,
    until: at(delayMs),
  });

  test.each<[string, Parameters<typeof run>[0], object[]]>([
    [
      'a rate limit',
      [[200, MINUTE]],
      [
        { type: 'rate-limit', call: 1, rateLimit: { ...LIMIT, resetAt: new Date(NOON + 60_000) } },
        { ...end, attempts: 1, durationMs: 0 },
      ],
    ],
    [
      'the rate limit of a 429, and the wait for it',
      [[429, { 'retry-after': '5', ...MINUTE }], [200]],
      [
        { type: 'rate-limit', call: 1, rateLimit: { ...LIMIT, resetAt: new Date(NOON + 60_000) } },
        wait('rate-limited', 5_000),
        { ...end, attempts: 2, durationMs: 5_000 },
      ],
    ],
    [
      'a backoff, and its last status',
      [[503, { 'retry-after': '2' }], [200]],
      [wait('backoff', 2_000), { ...end, attempts: 2, durationMs: 2_000 }],
    ],
  ])('%s', async (_, responses, expected) => {
    const { events } = await run(responses);
    expect(events.filter(({ type }) => /^(rate-limit|wait|call-end)$/.test(type))).toEqual(expected);
    for (const event of events) if ('elapsedMs' in event) expect(event.elapsedMs).toBe(0);
  });

  test.each<[string, Parameters<typeof run>[1], number]>([
    ['an event listener', { logger: undefined }, 0],
    ['a logger', { onEvent: undefined }, 4],
    ['neither', { logger: undefined, onEvent: undefined }, 0],
  ])('to %s alone', async (_, options, lines) => {
    const ended = await run([[200]], options);
    expect(ended.error).toBeUndefined();
    expect([ended.events.length, ended.lines.length]).toEqual(['onEvent' in (options ?? {}) ? 0 : 4, lines]);
  });
});

test.each<[string, Reply, number]>([
  ['is not counted if it was certainly not sent', Object.assign(new Error(), { code: 'ECONNREFUSED' }), 9],
  ['is counted if it may have been sent', new Error('lost'), 8],
  ['is counted if its response shows no limit', [404], 8],
])('a request %s', async (_, response, remaining) => {
  const { store } = await run([[302, { location: '/', ...MINUTE }], response], { retry: { attemptsMax: 1 } });
  expect(await store.budget()).toMatchObject({ windows: [{ remaining }, { source: 'plan' }] });
});

test('allowInsecure permits http', () => {
  expect(() => openStore('http://api.test/v1', { allowInsecure: true })).not.toThrow();
});

test.each([null, 'redis', { id: 5, open: settle, close: settle }, { id: 'own', open: settle }])(
  'gate can not be %j',
  (gate) => {
    const message = "gate must be 'memory' or a store such as fileGate(…)";
    const error = expect.objectContaining({ message, option: 'gate' }) as Error;
    expect(() => openStore(BASE, { gate: gate as never })).toThrow(error);
  },
);

test('a write reports its body without the key, and its response has the rate limit', async () => {
  const sent: unknown[] = [];
  const transport = fetchTransport((_, init) => {
    sent.push([new Headers(init?.headers).get('content-type'), init?.body]);
    return Promise.resolve(new Response('{}', { status: 201, headers: MINUTE }));
  });
  const { store, events } = openStore(BASE, { transport });
  const { response } = await store.request('POST', '/keys', { body: { key: KEY } }).withResponse();
  expect(sent).toEqual([['application/json', `{"key":"${KEY}"}`]]);
  expect(response.rateLimit).toMatchObject(LIMIT);
  expect(events[1]).toMatchObject({ type: 'request', body: '{"key":"[redacted]"}' });
});

const RETRIED: Parameters<typeof run>[0] = [[503], [200]];
test.each([
  ...['GET', 'HEAD', 'OPTIONS'].map((method) => [method, 2, undefined] as const),
  ...['POST', 'PUT', 'PATCH', 'DELETE'].map((method) => [method, 1, 'unknown-outcome'] as const),
])('%s is sent %i times if the first response is a 503', async (method, requests, type) => {
  const { error, sent } = await run(RETRIED, {}, method);
  expect([sent.length, (error as { type?: string } | undefined)?.type]).toEqual([requests, type]);
});

describe('the attempts of a call', () => {
  test('have the wait before each, for the rate limit as well', async () => {
    const { error } = await run([[429, { 'retry-after': '5' }], [503], [404]]);
    expect(error).toMatchObject({
      attempts: [
        { number: 1, status: 429, waitedMs: 0, startedAt: new Date(NOON + START_MS) },
        { number: 2, status: 503, waitedMs: 5_000, startedAt: new Date(NOON + START_MS + 5_000) },
        { number: 3, status: 404, waitedMs: 250 },
      ],
    });
  });

  test('do not include redirects and a renewed key, which is used once', async () => {
    let keys = 0;
    const { error, sent } = await run([[302, { location: '/v2/pets' }], [401], [503], [200]], {
      apiKey: () => `${KEY}${String((keys += 1))}`,
      retry: { attemptsMax: 2 },
    });
    expect(error).toBeUndefined();
    expect(sent).toEqual([
      `${KEY}1 ${BASE}/pets`,
      ...[2, 3, 4].map((key) => `${KEY}${String(key)} https://api.test/v2/pets`),
    ]);
  });
});

describe('waitMaxMs limits the sum of', () => {
  const unavailable = [503, { 'retry-after': '2' }] as const;
  const limited = [429, { 'retry-after': '2' }] as const;
  test.each<[string, Parameters<typeof run>[0], number, number]>([
    ['two waits after a 503', [unavailable, unavailable, [200]], 3_999, 2],
    ['two waits after a 503', [unavailable, unavailable, [200]], 4_000, 3],
    ['waits after a 429 and a 503', [limited, unavailable, [200]], 3_999, 2],
    ['waits after a 429 and a 503', [limited, unavailable, [200]], 4_000, 3],
    ['waits after a 503 and a 429', [unavailable, limited, [200]], 3_999, 2],
    ['waits after a 503 and a 429', [unavailable, limited, [200]], 4_000, 3],
  ])('%s: %j with %i ms makes %i requests', async (_, responses, waitMaxMs, requests) => {
    const { error, sent } = await run(responses, { retry: { waitMaxMs } });
    expect([sent.length, error === undefined]).toEqual([requests, requests === 3]);
  });
});

test.each([
  ['a redirect to another origin', 'https://other.test/pets?secret', 'https://other.test'],
  ['a redirect without a valid target', 'http://[', undefined],
])('%s names only the origin of its target', async (_, location, redirectOrigin) => {
  const { error } = await run([[307, { location }]]);
  expect(error).toMatchObject({ hint: 'If the service has moved, change the base URL.', outcome: 'refused' });
  expect((error as { redirectOrigin?: string }).redirectOrigin).toBe(redirectOrigin);
});

test.each([[200], [429]])('a reset that is not credible is a warning (status %i)', async (status) => {
  const reset = rateLimitHeaders({ remaining: 5, resetInSeconds: 9e8 });
  const { warnings } = await run([[status, { 'retry-after': '1', ...reset }], [200]]);
  expect(warnings).toEqual([
    {
      code: 'implausible-wait',
      message: expect.stringMatching(
        /^The service requires .* at most 24 hours\. .* call resetBudget\(\)\.$/,
      ),
    },
  ]);
});
