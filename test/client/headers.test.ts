import { AsyncLocalStorage } from 'node:async_hooks';
import { runInNewContext } from 'node:vm';
import { inspect } from 'node:util';
import { describe, expect, test } from 'vitest';
import { NEW_PET, REX } from '../support/rex.js';
import { json, limited, startScriptedServer } from '../support/scripted-server.js';
import { KEY, nthWait, openScripted, openStore, rejection } from '../support/stores.js';
import { settle } from '../support/virtual-clock.js';
describe('headers', () => {
  test('of the client and of a call are sent; those of the call win', async () => {
    const { server, store } = await openScripted([json([])], {
      headers: { 'User-Agent': 'app/1', 'x-a': 'client' },
    });
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
    const { server, store } = await openScripted([json([])]);
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
    const { server, store } = await openScripted([json(REX, 201)], { headers: headers as never });
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
    const { server, store, events } = await openScripted([json([])], { headers: { 'x-a': '1', 'x-b': '1' } });
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
