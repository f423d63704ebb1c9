import { AsyncLocalStorage } from 'node:async_hooks';
import { runInNewContext } from 'node:vm';
import { inspect } from 'node:util';
import { describe, expect, expectTypeOf, test } from 'vitest';
import * as z from 'zod';
import { isPetStatus, petsSchema } from '../../src/index.js';
import type { ClientEvent } from '../../src/client/contract/events.js';
import { fetchTransport } from '../../src/client/transport/fetch.js';
import {
  type ApiError,
  InvalidResponseError,
  type RateLimitError,
  UnknownOutcomeError,
} from '../../src/errors.js';
import { NEW_PET, REX } from '../support/rex.js';
import {
  bytes,
  hangUp,
  json,
  limited,
  type Responder,
  startScriptedServer,
} from '../support/scripted-server.js';
import { KEY, nthWait, openStore, rejection } from '../support/stores.js';
import { createVirtualClock, settle } from '../support/virtual-clock.js';

describe('headers', () => {
  test('of the client and of a call are sent; those of the call win', async () => {
    const server = await startScriptedServer(json([]));
    const { store } = openStore(server.baseUrl, { headers: { 'User-Agent': 'app/1', 'x-a': 'client' } });
    await store.pets.list({}, { headers: { 'X-A': 'call', 'x-b': undefined } });
    await store.request('POST', '/pets', { body: {} }, { headers: { 'content-type': 'application/x+json' } });
    expect(server.requests[0]?.headers).toMatchObject({ 'user-agent': 'app/1', 'x-a': 'call' });
    expect(server.requests[0]?.headers).not.toHaveProperty('x-b');
    expect(server.requests[1]?.headers).toMatchObject({
      'user-agent': 'app/1',
      'content-type': 'application/x+json',
    });
  });

  test('can not replace the key', async () => {
    const server = await startScriptedServer(json([]));
    const { store } = openStore(server.baseUrl);
    const error = await rejection(store.pets.list({}, { headers: { Authorization: 'Bearer other' } }));
    expect(error).toMatchObject({ type: 'invalid-input', field: 'headers', outcome: 'not-sent' });
    expect(server.requests).toEqual([]);
  });

  test.each([new Date(0), /x/, Promise.resolve(), 5, 'x-a: 1', null])('reject %o', async (headers) => {
    const message = 'headers must be an object of names and values';
    const open = (): unknown => openStore('https://api.test/v1', { headers: headers as never });
    expect(open).toThrow(expect.objectContaining({ type: 'configuration', message }) as Error);
    const { store } = openStore('https://api.test/v1');
    const error = await rejection(store.pets.list({}, { headers: headers as never }));
    expect(error).toMatchObject({ type: 'invalid-input', field: 'headers', message });
  });

  test.each([
    new Headers({ 'x-a': '1' }),
    new Map([['x-a', '1']]),
    Object.assign(Object.create(null), { 'x-a': '1' }) as object,
    runInNewContext('({ "x-a": "1" })') as object,
  ])('may be %o', (headers) => {
    expect(() => openStore('https://api.test/v1', { headers: headers as never })).not.toThrow();
  });

  test('from functions are read for each request, in the context of the caller', async () => {
    const server = await startScriptedServer(limited({ 'retry-after': '1' }), json({}, 503), json([]));
    const context = new AsyncLocalStorage<string>();
    let count = 0;
    const { store, clock, events } = openStore(server.baseUrl, {
      headers: () => ({ 'x-trace': context.getStore(), 'x-count': String((count += 1)), 'x-a': 'client' }),
    });
    const traced = store.with({ headers: { 'x-b': 'with' } });
    const calls = ['one', 'two'].map((name) =>
      context.run(name, () =>
        traced.pets.list({}, { headers: () => Promise.resolve([['X-A', name]] as const) }),
      ),
    );
    for (let waits = 1; server.requests.length < 4; waits += 1) {
      await nthWait(events, waits);
      await clock.advance(2_000);
      await settle();
    }
    await Promise.all(calls);
    const sent = server.requests.map(({ headers }) => headers);
    expect(sent.map((headers) => headers['x-count'])).toEqual(['1', '2', '3', '4']);
    expect(new Set(sent.map((headers) => headers['x-trace']))).toEqual(new Set(['one', 'two']));
    for (const headers of sent) expect(headers).toMatchObject({ 'x-a': headers['x-trace'], 'x-b': 'with' });
  });

  test.each<[string, () => unknown, string]>([
    ['throws', () => fail(`with ${KEY}`), 'Could not get the headers'],
    ['rejects', () => Promise.reject(new Error(`with ${KEY}`)), 'Could not get the headers'],
    ['replaces the key', () => ({ Authorization: 'Bearer other' }), "headers can't replace authorization"],
    ['returns nothing', () => undefined, 'headers must be an object of names and values'],
    ['returns a function', () => () => ({}), 'headers must be an object of names and values'],
  ])('from a function that %s reject the call, and nothing is sent', async (_, headers, message) => {
    const server = await startScriptedServer(json(REX, 201));
    const { store } = openStore(server.baseUrl, { headers: headers as never });
    let isCalled = false;
    const beforeSend = (): void => void (isCalled = true);
    const error = await rejection(store.pets.create(NEW_PET, { beforeSend }));
    expect(error).toMatchObject({ type: 'configuration', option: 'headers', message, outcome: 'not-sent' });
    expect(inspect(error, { depth: 20 })).not.toContain(KEY);
    expect(server.requests).toEqual([]);
    expect(isCalled).toBe(false);
    await store.close();
  });

  test('are checked as they are sent, also if a name changes with each read', async () => {
    const server = await startScriptedServer(json([]));
    const names = ['x-a', 'authorization'];
    const pair = Object.defineProperty(['', 'Bearer other'], 0, { get: () => names.shift() });
    const { store } = openStore(server.baseUrl, { headers: () => [pair] as never });
    await store.pets.list();
    expect(server.requests[0]?.headers).toMatchObject({
      authorization: `Bearer ${KEY}`,
      'x-a': 'Bearer other',
    });
  });
});

function fail(message: string): never {
  throw new Error(message);
}

describe('with()', () => {
  test('returns the same client with other defaults', async () => {
    const server = await startScriptedServer(json([]));
    const { store, events } = openStore(server.baseUrl, { headers: { 'x-a': '1', 'x-b': '1' } });
    const other = store.with({ headers: { 'x-b': '2' }, retry: { attemptsMax: 1 } }).with({ timeoutMs: 5 });
    await other.pets.list();
    await store.pets.list();
    expect(server.requests[0]?.headers).toMatchObject({ 'x-a': '1', 'x-b': '2' });
    expect(server.requests[1]?.headers).toMatchObject({ 'x-a': '1', 'x-b': '1' });
    expect(server.connections).toBe(1);
    expect(new Set(events.map(({ call }) => call))).toEqual(new Set([1, 2]));
    expect(other.rateLimit).toBe(store.rateLimit);
  });

  test.each([
    [
      { apiKey: 'other' },
      "with() can't change apiKey",
      'Pass apiKey to createPetStore() or, if it is an option of a call, to each call.',
    ],
    [{ signal: undefined }, "with() can't change signal", undefined],
    [{ timeout: 5 }, 'Unknown option "timeout"', 'Did you mean "timeoutMs"?'],
    [undefined, 'options must be an object', undefined],
  ])('rejects %j', (options, message, hint) => {
    const { store } = openStore('https://api.test/v1');
    const make = (): unknown => store.with(options as never);
    expect(make).toThrow(expect.objectContaining({ type: 'configuration', message }) as Error);
    if (hint !== undefined) expect(make).toThrow(expect.objectContaining({ hint }) as Error);
  });
});

describe('arguments of JavaScript callers', () => {
  test.each<[string, string, (store: ReturnType<typeof openStore>['store']) => unknown]>([
    ['method', 'request()', (s) => s.request(...([] as unknown as ['', '']))],
    ['path', "request('GET')", (s) => s.request('GET', undefined as never)],
    ['path', 'a path that is a number', (s) => s.request('GET', 5 as never, { query: { a: 1 } })],
    ['querry', 'an unknown input', (s) => s.request('GET', '/pets', { querry: {} } as never)],
    ['input', 'an input that is no object', (s) => s.request('GET', '/pets', 'a=1' as never)],
    ['query', 'a query that is no object', (s) => s.request('GET', '/pets', { query: 'a=1' } as never)],
    ['query.a', 'an object in the query', (s) => s.request('GET', '/pets', { query: { a: {} } } as never)],
    ['query.a', 'null in the query', (s) => s.request('GET', '/pets', { query: { a: null } } as never)],
    ['query.a', 'NaN in the query', (s) => s.request('GET', '/pets', { query: { a: NaN } })],
    ['body', 'a function as body', (s) => s.request('POST', '/pets', { body: () => undefined })],
    ['schema', 'a schema that is none', (s) => s.request('GET', '/pets', {}, { schema: {} as never })],
    ['signal', 'a signal that is a number', (s) => s.pets.list({}, { signal: 5 as never })],
    ['timeout', 'an unknown option', (s) => s.pets.list({}, { timeout: 5 } as never)],
    ['schema', 'a schema for list', (s) => s.pets.list({}, { schema: petsSchema } as never)],
    ['state', 'an unknown filter', (s) => s.pets.list({ state: 'sold' } as never)],
    ['query', 'a query that is a text', (s) => s.pets.list('sold' as never)],
    ['limit', 'a limit for listAll', (s) => s.pets.listAll({ limit: 5 } as never)],
    ['status', 'an unknown status for listAll', (s) => s.pets.listAll({ status: 'lost' } as never)],
    ['options', 'options that are a number', (s) => s.pets.create(NEW_PET, 5 as never)],
    ['nmae', 'an unknown field', (s) => s.pets.create({ ...NEW_PET, nmae: 'x' } as never)],
    ['pet', 'a pet that is a text', (s) => s.pets.create('Rex' as never)],
    ['id', 'no id', (s) => s.pets.get(undefined as never)],
    ['id', 'no id for find', (s) => s.pets.find(undefined as never)],
  ])('rejects with field %s: %s', async (field, _, start) => {
    const error = await rejection(start(openStore('https://api.test/v1').store) as Promise<unknown>);
    expect(error).toMatchObject({ type: 'invalid-input', field, outcome: 'not-sent' });
  });

  test('rejects a circular body', async () => {
    const body: Record<string, unknown> = {};
    body.self = body;
    const { store: own } = openStore('https://api.test/v1');
    expect(await rejection(own.request('POST', '/pets', { body }))).toMatchObject({
      type: 'invalid-input',
      field: 'body',
    });
  });

  test('suggests the nearest field', async () => {
    const { store: own } = openStore('https://api.test/v1');
    expect(await rejection(own.pets.list({ state: 'sold' } as never))).toMatchObject({
      message: 'Unknown field "state"',
      hint: 'Did you mean "status"?',
    });
  });
});

describe('a call', () => {
  test('works with destructured methods', async () => {
    const server = await startScriptedServer(json([REX]));
    const { list, find } = openStore(server.baseUrl).store.pets;
    const { request } = openStore(server.baseUrl).store;
    expect(await list()).toHaveLength(1);
    expect(await find(REX.id)).toMatchObject({ name: REX.name });
    expect(await request('GET', '/pets')).toHaveLength(1);
  });

  test('is shown as pending, fulfilled or rejected', async () => {
    const server = await startScriptedServer(json([REX]), json({}, 401));
    const { store } = openStore(server.baseUrl);
    const call = store.pets.list();
    expect(inspect(call)).toContain('<pending>');
    await call;
    expect(inspect(call)).toContain("name: 'Rex'");
    const rejected = store.pets.list();
    await rejection(rejected);
    expect(inspect(rejected)).toMatch(/<rejected> AuthenticationError/);
  });

  const failingCalls: [string, (store: ReturnType<typeof openStore>['store']) => Promise<unknown>][] = [
    ['list', (store) => store.pets.list()],
    ['an invalid list', (store) => store.pets.list({ limit: 0 })],
    ['listAll', (store) => store.pets.listAll()],
    ['create', (store) => store.pets.create(NEW_PET)],
    ['get', (store) => store.pets.get(1)],
    ['find', (store) => store.pets.find(1)],
    ['request', (store) => store.request('GET', '/pets')],
    ['withResponse', (store) => store.pets.list().withResponse()],
  ];
  test.each(failingCalls)('that fails names its caller first in the stack: %s', async (_, start) => {
    const server = await startScriptedServer(json({}, 401));
    const { store } = openStore(server.baseUrl);
    const error = (await rejection(start(store))) as Error;
    const [head, frame] = (error.stack ?? '').split('\n    at ');
    expect(head).toBe(`${error.name}: ${error.message}`);
    expect(frame).toContain('features.test.ts');
  });
});

describe('a schema', () => {
  const shape = { names: ['Rex'] };
  const zod = z.object({ names: z.array(z.string()) });

  test.each<[string, unknown]>([
    ['zod', zod],
    ['parse', { parse: (value: unknown) => zod.parse(value) }],
    [
      'Standard Schema, asynchronous',
      {
        '~standard': {
          version: 1,
          vendor: 'test',
          validate: (value: unknown) => Promise.resolve(zod['~standard'].validate(value)),
        },
      },
    ],
  ])('validates the body (%s)', async (_, schema) => {
    const server = await startScriptedServer(json(shape), json({ names: [5] }));
    const { store } = openStore(server.baseUrl);
    expect(await store.request('GET', '/names', {}, { schema: schema as typeof zod })).toEqual(shape);
    const error = await rejection(store.request('GET', '/names', {}, { schema: schema as typeof zod }));
    expect(error).toBeInstanceOf(InvalidResponseError);
    expect(error).toMatchObject({
      response: { status: 200 },
      message: expect.stringMatching(/does not match the schema \(names\.0: .*string/) as string,
    });
  });

  test('types the result', () => {
    const { store } = openStore('https://api.test/v1');
    const call = (): unknown => {
      const typed = store.request('GET', '/names', {}, { schema: zod });
      expectTypeOf<Awaited<typeof typed>>().toEqualTypeOf<{ names: string[] }>();
      const untyped = store.request('GET', '/names');
      expectTypeOf<Awaited<typeof untyped>>().toEqualTypeOf<unknown>();
      return [typed, untyped];
    };
    expect(call).toBeTypeOf('function');
  });

  test('that rejects the response to a write leaves the outcome unknown', async () => {
    const server = await startScriptedServer(json({}, 201));
    const { store } = openStore(server.baseUrl);
    const error = await rejection(store.request('POST', '/names', { body: {} }, { schema: zod }));
    expect(error).toBeInstanceOf(UnknownOutcomeError);
  });

  test('that throws rejects with a typed error', async () => {
    const server = await startScriptedServer(json({}));
    const schema = {
      parse: (): never => {
        throw new Error('no schema');
      },
    };
    const error = await rejection(openStore(server.baseUrl).store.request('GET', '/x', {}, { schema }));
    expect(error).toMatchObject({
      type: 'invalid-response',
      message: expect.stringContaining('no schema') as string,
    });
  });
});

describe('the body of an ApiError', () => {
  test.each<[string, string, unknown]>([
    ['JSON', '{"code":"c","details":[1,9007199254740993]}', { code: 'c', details: [1, 9007199254740993n] }],
    ['text', '<h1>no</h1>', '<h1>no</h1>'],
    ['empty', '', undefined],
    ['a key in it', `{"${KEY}":["${KEY}"]}`, { '[redacted]': ['[redacted]'] }],
    ['a key in text', `no ${KEY}`, 'no [redacted]'],
  ])('is parsed and redacted (%s)', async (_, body, expected) => {
    const server = await startScriptedServer(bytes(body, 404));
    const error = await rejection(openStore(server.baseUrl).store.pets.list());
    expect((error as ApiError).response?.body).toEqual(expected);
    expect(Object.keys(error as ApiError)).not.toContain('response');
  });

  test('is in a RateLimitError, and in the cause of an unknown outcome', async () => {
    const server = await startScriptedServer(
      json({ a: 1 }, 429, { 'retry-after': '900' }),
      json({ b: 1 }, 500),
    );
    const limited = openStore(server.baseUrl).store;
    expect(await rejection(limited.pets.list())).toHaveProperty('response.body', { a: 1 });
    const error = (await rejection(openStore(server.baseUrl).store.pets.create(NEW_PET))) as Error;
    for (const each of [error, error.cause]) expect(each).toHaveProperty('response.body', { b: 1 });
  });
});

describe('events', () => {
  const calls = (events: readonly ClientEvent[]): unknown[] =>
    events
      .filter(({ type }) => type.startsWith('call-'))
      .map((event) => ('durationMs' in event ? { ...event, durationMs: typeof event.durationMs } : event));
  /** What the end of a call of one request with a response has. */
  const ended = { type: 'call-end', durationMs: 'number', attempts: 1, status: 200, outcome: 'succeeded' };

  test('and the budget have whole milliseconds, which round a wait up', async () => {
    const clock = createVirtualClock();
    const responses = [
      () => new Response('{}', { status: 503 }),
      () => new Response('{}', { status: 429, headers: { 'retry-after': '50' } }),
    ];
    const fetch = async (): Promise<Response> => {
      await clock.advance(10.4);
      return responses.shift()!();
    };
    const options = { transport: fetchTransport(fetch), clock, random: () => 0.123_45 };
    const { store, events } = openStore('https://api.test/v1', options);
    const failed = rejection(store.pets.list({}, { retry: { waitMaxMs: 20_000 } }));
    await clock.advance(1_000);
    const { retryAfterMs } = (await failed) as RateLimitError;
    const { heldForMs } = await store.budget();
    const durations = events.flatMap((event) => [
      ...('elapsedMs' in event ? [event.elapsedMs] : []),
      ...('durationMs' in event ? [event.durationMs] : []),
      ...('delayMs' in event ? [event.delayMs] : []),
    ]);
    expect(durations).toHaveLength(4);
    for (const value of [...durations, retryAfterMs, heldForMs])
      expect(value).toSatisfy((each) => Number.isInteger(each));
    // 429 at about 301 ms; 699 ms have passed since.
    expect(heldForMs).toBeGreaterThan(49_000);
  });

  test('name the operation of a call, and its error', async () => {
    const server = await startScriptedServer(json(REX), json({}, 404), json([]));
    const { store, events } = openStore(server.baseUrl);
    await store.pets.get(1);
    await rejection(store.pets.create(NEW_PET));
    await store.request('GET', '/pets');
    expect(calls(events)).toEqual([
      { type: 'call-start', call: 1, operation: 'getPet' },
      { ...ended, call: 1, operation: 'getPet' },
      { type: 'call-start', call: 2, operation: 'createPet' },
      {
        ...{ ...ended, call: 2, operation: 'createPet' },
        ...{ status: 404, outcome: 'refused', errorType: 'not-found' },
      },
      { type: 'call-start', call: 3, operation: 'request' },
      { ...ended, call: 3, operation: 'request' },
    ]);
  });

  test('name the parent of the parts of listAll and find', async () => {
    const server = await startScriptedServer(json([REX]));
    const { store, events } = openStore(server.baseUrl);
    await store.pets.listAll();
    await store.pets.find(1);
    expect(calls(events)).toEqual([
      { type: 'call-start', call: 1, operation: 'listAll' },
      { type: 'call-start', call: 2, operation: 'listPets', parent: 1 },
      { ...ended, call: 2, operation: 'listPets', parent: 1 },
      { ...ended, call: 1, operation: 'listAll' },
      { type: 'call-start', call: 3, operation: 'find' },
      { type: 'call-start', call: 4, operation: 'listPets', parent: 3 },
      { ...ended, call: 4, operation: 'listPets', parent: 3 },
      { ...ended, call: 3, operation: 'find' },
    ]);
  });
});

test.each<[string, Responder[], string, object]>([
  ['nothing sent', [json({})], 'authorization', { attempts: 0, outcome: 'not-sent' }],
  ['no response', [hangUp], 'x-a', { attempts: 1, outcome: 'unknown' }],
  ['a status, then none', [json({}, 401), hangUp], 'x-a', { attempts: 2, outcome: 'unknown' }],
])('the event of the end of a call with %s', async (_, responders, name, expected) => {
  const server = await startScriptedServer(...responders);
  let key = 0;
  const { store, events } = openStore(server.baseUrl, {
    apiKey: () => `key-${String((key += 1))}`,
    headers: () => ({ [name]: '1' }),
  });
  await rejection(store.pets.create(NEW_PET));
  const end = events.find(({ type }) => type === 'call-end');
  expect(end).toMatchObject(expected);
  expect(end).not.toHaveProperty('status');
});

test('isPetStatus narrows a status', () => {
  expect([isPetStatus('sold'), isPetStatus('lost'), isPetStatus(undefined)]).toEqual([true, false, false]);
});
