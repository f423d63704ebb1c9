import { inspect } from 'node:util';
import { describe, expect, test } from 'vitest';
import { createPetStore } from '../../src/client/create.js';
import { fetchTransport } from '../../src/client/transport/fetch.js';
import { memoryGate } from '../../src/client/gate/memory-gate.js';
import { fileGate } from '../../src/client/gate/file/file-gate.js';
import type { PetStoreOptions } from '../../src/client/contract/options.js';
import { ConfigurationError } from '../../src/errors.js';
import { rateLimitHeaders } from '../support/rate-limit-headers.js';
import { json, rawThenSilence, startScriptedServer } from '../support/scripted-server.js';
import { KEY, nthWait, openScripted, openStore, rejection } from '../support/stores.js';
import { temporaryFolder } from '../support/temporary-folder.js';
import { createVirtualClock, NOON } from '../support/virtual-clock.js';

const GOOD: PetStoreOptions = { apiKey: KEY, baseUrl: 'https://api.test/v1' };

describe('createPetStore', () => {
  test.each<[string, Record<string, unknown>]>([
    ['apiKey', { apiKey: undefined }],
    ['apiKey', { apiKey: '' }],
    ['baseUrl', { baseUrl: undefined }],
    ['baseUrl', { baseUrl: 'http://api.test/v1' }],
    ['pace', { pace: 'fast' }],
    ['gate', { gate: 'redis' }],
    ['gate', { gate: {} }],
    ['gate', { gate: null }],
    ['gate', { gate: { id: 'a', open: () => undefined } }],
    ['fetch', { fetch: 5 }],
    ['fetch', { fetch: null }],
    ['dispatcher', { dispatcher: {} }],
    ['random', { random: 0.5 }],
    ['logger', { logger: { warn: () => undefined } }],
    ['onEvent', { onEvent: {} }],
    ['onWarning', { onWarning: 'log' }],
    ['allowInsecure', { allowInsecure: 'yes' }],
    ['headers', { headers: { authorization: 'x' } }],
    ['headers', { headers: [['__proto__', 'x']] }],
    ['clock', { clock: {} }],
    ['clock', { clock: { now: () => 'noon', monotonic: () => 0, setTimeout: () => () => undefined } }],
    ['timeout', { timeout: 5 }],
    ['signal', { signal: new AbortController().signal }],
  ])('rejects an invalid %s (%o)', (option, change) => {
    const make = (): unknown => createPetStore({ ...GOOD, ...change });
    expect(make).toThrow(ConfigurationError);
    expect(make).toThrow(expect.objectContaining({ option }) as Error);
  });

  test('suggests the nearest name for an unknown option', () => {
    const make = (): unknown => createPetStore({ ...GOOD, baseURL: '' } as never);
    expect(make).toThrow(expect.objectContaining({ hint: 'Did you mean "baseUrl"?' }) as Error);
  });

  test('does not show the key', () => {
    expect(inspect(createPetStore(GOOD), { depth: 20, showHidden: true })).not.toContain(KEY);
    expect(JSON.stringify(createPetStore(GOOD))).not.toContain(KEY);
  });

  test('sends with the given fetch', async () => {
    const seen: unknown[] = [];
    const fetch: typeof globalThis.fetch = (input, init) => {
      seen.push([input, init?.method, init?.redirect, new Headers(init?.headers).get('authorization')]);
      return Promise.resolve(new Response('[]'));
    };
    const store = createPetStore({ ...GOOD, fetch });
    expect(await store.pets.list()).toEqual([]);
    expect(seen).toEqual([['https://api.test/v1/pets', 'GET', 'manual', `Bearer ${KEY}`]]);
    await store.close();
  });

  test('treats two fetch functions as two services: a 429 of one does not hold the other', async () => {
    const clock = createVirtualClock();
    const limited = (): Promise<Response> =>
      Promise.resolve(new Response('{}', { status: 429, headers: { 'retry-after': '900' } }));
    const good = (): Promise<Response> => Promise.resolve(new Response('[]'));
    await rejection(createPetStore({ ...GOOD, clock, fetch: limited }).pets.list());
    expect(await createPetStore({ ...GOOD, clock, fetch: good }).pets.list()).toEqual([]);
    expect(await rejection(createPetStore({ ...GOOD, clock, fetch: limited }).pets.list())).toMatchObject({
      type: 'rate-limit',
      outcome: 'not-sent',
    });
  });

  test('reads the budget without a request', async () => {
    const headers = rateLimitHeaders({ remaining: 41, resetInSeconds: 30 });
    const server = await startScriptedServer(
      json([], 200, { date: new Date(NOON).toUTCString(), ...headers }),
    );
    const gate = fileGate({ directory: temporaryFolder() });
    const { store } = openStore(server.baseUrl, { gate });
    expect(await store.budget()).toEqual({ windows: [], heldForMs: 0, retryAfterMs: 0 });
    await store.pets.list();
    const other = openStore(server.baseUrl, { gate });
    expect(await other.store.budget()).toMatchObject({
      windows: [
        { source: 'response', limit: 60, remaining: 41, window: 'minute', plan: 'free' },
        { source: 'plan', limit: 1_000, remaining: 999, window: 'day', plan: 'free' },
      ],
      heldForMs: 0,
      retryAfterMs: 0,
    });
    expect(server.requests).toHaveLength(1);
  });

  test('knows the last rate limit of its key from its first call on', async () => {
    const headers = rateLimitHeaders({ remaining: 41, resetInSeconds: 30 });
    const { store, clock, server } = await openScripted([json([], 200, headers), json([])]);
    await store.pets.list();
    const other = openStore(server.baseUrl, { clock }).store;
    expect(other.rateLimit).toBeUndefined();
    await other.pets.list();
    expect(other.rateLimit).toMatchObject({ limit: 60, remaining: 41 });
  });

  test('sends a call with pace off at once, also with a used-up limit', async () => {
    const used = json([], 200, rateLimitHeaders({ remaining: 0, resetInSeconds: 30 }));
    const { store, server, events } = await openScripted([used]);
    await store.pets.list();
    await store.pets.list({}, { pace: 'off' });
    await store.with({ pace: 'off' }).pets.list();
    expect([server.requests.length, events.some(({ type }) => type === 'wait')]).toEqual([3, false]);
    await rejection(store.pets.list({}, { retry: { waitMaxMs: 0 } }));
    expect(server.requests).toHaveLength(3);
  });

  test('reads every window that a response shows', async () => {
    const headers = {
      'ratelimit-policy': '"5-in-5sec"; q=5; w=5, "83-in-2hrs"; q=83; w=7200',
      ratelimit: '"5-in-5sec"; r=4; t=5, "83-in-2hrs"; r=80; t=7200',
    };
    const { store } = openStore((await startScriptedServer(json([], 200, headers))).baseUrl);
    await store.pets.list();
    expect(await store.budget()).toMatchObject({
      windows: [
        { source: 'response', limit: 5, remaining: 4, resetsInMs: 5_000 },
        { source: 'response', limit: 83, remaining: 80, resetsInMs: 7_200_000 },
      ],
    });
  });

  test.each<[string, () => PetStoreOptions['gate']]>([
    ['in memory', () => 'memory'],
    ['of memoryGate()', () => memoryGate()],
    ['in files', () => fileGate({ directory: temporaryFolder() })],
  ])('forgets a budget %s, and waiting calls continue', async (_, makeGate) => {
    const { server, store, clock, events } = await openScripted(
      [json({}, 429, { 'retry-after': '50' }), json([])],
      { gate: makeGate() },
    );
    expect(await store.resetBudget()).toBe(false);
    const listed = store.pets.list();
    // Files have a clock of the machine.
    expect(await nthWait(events, 1)).toBeCloseTo(50_000, -4);
    expect((await store.budget()).heldForMs).toBeCloseTo(50_000, -4);
    expect(await store.with({ timeoutMs: 900 }).resetBudget()).toBe(true);
    expect(await listed).toEqual([]);
    expect(await store.budget()).toEqual({ windows: [], heldForMs: 0, retryAfterMs: 0 });
    expect(server.requests).toHaveLength(2);
    expect(clock.pending).toBe(0);
    await store.close();
    expect(await rejection(store.resetBudget())).toBeInstanceOf(ConfigurationError);
  });

  test('sends these headers', async () => {
    const server = await startScriptedServer(json([]));
    await openStore(server.baseUrl).store.pets.list();
    expect(server.requests[0]?.headers).toMatchObject({
      accept: 'application/json',
      'accept-encoding': 'gzip, deflate',
      authorization: `Bearer ${KEY}`,
      'user-agent': expect.stringMatching(/^petstore\/\d/) as string,
    });
    expect(server.requests[0]?.headers).not.toHaveProperty('content-type');
  });

  test('reports a failure without the key', async () => {
    const { store, events } = openStore('https://api.test/v1', {
      transport: fetchTransport(() => Promise.reject(Object.assign(new Error(`no ${KEY}`), { code: 'X' }))),
      retry: { attemptsMax: 1 },
    });
    await rejection(store.pets.list());
    expect(events[2]).toMatchObject({ type: 'failure', attempt: 1, message: 'connection: no [redacted]' });
  });

  test('reports its steps as events and as log lines, in order', async () => {
    const { server, store, events, lines } = await openScripted([json([], 200, { 'set-cookie': 'a=b' })]);
    await store.pets.list({ limit: 1 });
    await store.pets.list();
    expect(events.map(({ type, call }) => [type, call])).toEqual([
      ['call-start', 1],
      ['request', 1],
      ['response', 1],
      ['call-end', 1],
      ['call-start', 2],
      ['request', 2],
      ['response', 2],
      ['call-end', 2],
    ]);
    const url = `${server.baseUrl}/pets?limit=1`;
    expect(events.slice(1, 3)).toMatchObject([
      { attempt: 1, method: 'GET', url, headers: { authorization: '[redacted]' } },
      { attempt: 1, status: 200, headers: { 'set-cookie': '[redacted]' }, bytes: 2, elapsedMs: 0 },
    ]);
    expect(lines.slice(0, 2)).toEqual([
      '#1 call-start operation=listPets',
      `#1 request attempt=1 method=GET url=${url}`,
    ]);
    expect(lines).toHaveLength(8);
  });
});

describe('a raw request', () => {
  test('sends method, path, query and body', async () => {
    const { server, store } = await openScripted([json('{"big":9007199254740993}', 201)]);
    const data = await store.request('put', '/pets/1?a=1', {
      query: { b: 'x y&', c: 5n, d: true, e: undefined },
      body: { id: 2n ** 60n },
    });
    expect(data).toEqual({ big: 9007199254740993n });
    expect(server.requests[0]).toMatchObject({
      method: 'PUT',
      path: '/v1/pets/1?a=1&b=x+y%26&c=5&d=true',
      body: '{"id":1152921504606846976}',
    });
  });

  test('returns undefined for an empty response', async () => {
    const server = await startScriptedServer(rawThenSilence('HTTP/1.1 204 No Content\r\n\r\n'));
    expect(await openStore(server.baseUrl).store.request('DELETE', '/pets/1')).toBeUndefined();
  });

  test('with HEAD ends after the headers', async () => {
    const server = await startScriptedServer(
      rawThenSilence('HTTP/1.1 200 OK\r\ncontent-length: 50\r\nx-request-id: r1\r\n\r\n'),
    );
    const { response } = await openStore(server.baseUrl).store.request('HEAD', '/pets').withResponse();
    expect(response).toMatchObject({ status: 200, requestId: 'r1' });
  });

  test.each([
    ['method', 'GET /', '/pets'],
    ['method', '', '/pets'],
    ['method', 'CONNECT', '/pets'],
    ['method', 'trace', '/pets'],
    ['method', 'GÉT', '/pets'],
    ['path', 'GET', 'https://evil.test/pets'],
    ['path', 'GET', '//evil.test/pets'],
    ['path', 'GET', '/../admin'],
  ])('rejects an invalid %s (%s %s) and sends nothing', async (field, method, path) => {
    const { store } = openStore('http://127.0.0.1:1/v1');
    expect(await rejection(store.request(method, path))).toMatchObject({ type: 'invalid-input', field });
  });
});

describe('a raw request', () => {
  test.each(['GET', 'HEAD', 'get'])('rejects %s with a body and sends nothing', async (method) => {
    let sent = 0;
    const fetch = (): Promise<Response> => {
      sent += 1;
      return Promise.resolve(new Response('[]'));
    };
    const error = await rejection(createPetStore({ ...GOOD, fetch }).request(method, '/pets', { body: {} }));
    expect(error).toMatchObject({ type: 'invalid-input', field: 'body', outcome: 'not-sent' });
    expect(sent).toBe(0);
  });
});

test('redacts a key that the service echoes in a header', async () => {
  const headers = { 'x-debug': `Bearer ${KEY}`, 'x-request-id': KEY };
  const fetch = (): Promise<Response> => Promise.resolve(new Response('[]', { headers }));
  const result = await createPetStore({ ...GOOD, fetch })
    .pets.list()
    .withResponse();
  expect(inspect(result, { depth: 20, showHidden: true })).not.toContain(KEY);
  expect(result.response.headers['x-debug']).toBe('Bearer [redacted]');
});

test('warns at most 100 times about different statuses', async () => {
  const warnings: string[] = [];
  let count = 0;
  const fetch = (): Promise<Response> => {
    count += 1;
    return Promise.resolve(
      new Response(`[{"id":1,"name":"Rex","categoryId":1,"status":"s${String(count)}"}]`),
    );
  };
  const store = createPetStore({ ...GOOD, fetch, onWarning: ({ message }) => warnings.push(message) });
  for (let call = 0; call < 150; call += 1) await store.pets.list();
  expect(warnings).toHaveLength(100);
});
