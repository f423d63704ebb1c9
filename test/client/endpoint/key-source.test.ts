import { inspect } from 'node:util';
import { describe, expect, test } from 'vitest';
import { keySource } from '../../../src/client/endpoint/key-source.js';
import { ConfigurationError } from '../../../src/errors.js';
import { NEW_PET, REX } from '../../support/rex.js';
import { json, type Responder, startScriptedServer } from '../../support/scripted-server.js';
import { openScripted, openStore, rejection } from '../../support/stores.js';
import { until } from '../../support/virtual-clock.js';

const BAD_KEYS: readonly (readonly [unknown, string])[] = [
  ['', 'is empty'],
  ['sk_1\nX-Evil: 1', 'contains a line break'],
  ['sk_1\r', 'contains a line break'],
  ['sk_ключ', 'contains a character that is not ASCII'],
  ['sk_\u00a0', 'contains a character that is not ASCII'],
  ['sk 1', 'contains a space or a control character'],
  ['sk_1\t', 'contains a space or a control character'],
  ['sk_\0', 'contains a space or a control character'],
  ['sk_\x7f', 'contains a space or a control character'],
];

describe('a key that is not valid in a header', () => {
  test.each(BAD_KEYS)('%j is rejected and not shown', (key, problem) => {
    const make = (): unknown => keySource(key as string);
    expect(make).toThrow(ConfigurationError);
    expect(make).toThrow(`The API key ${problem}`);
    try {
      make();
    } catch (error) {
      if (key !== '') expect(inspect(error, { depth: 20, showHidden: true })).not.toContain(String(key));
    }
  });

  test.each<readonly [unknown, string]>([
    ...BAD_KEYS,
    [42, 'is not a string'],
    [undefined, 'is missing: the function apiKey returned no key'],
  ])('%j from a function is also rejected', async (key, problem) => {
    const error = await rejection(Promise.resolve(keySource(() => key as string).read()));
    expect(error).toBeInstanceOf(ConfigurationError);
    expect((error as ConfigurationError).message).toBe(`The API key ${problem}`);
    expect((error as ConfigurationError).option).toBe('apiKey');
    const hint = typeof key === 'string' ? 'Check how the key was copied' : 'must return the key as a string';
    expect((error as ConfigurationError).hint).toContain(hint);
  });

  test('rejects a missing key', () => {
    expect(() => keySource(undefined)).toThrow('No API key');
  });
});

test('returns a string without a promise', () => {
  expect(keySource('sk_~!1').read()).toBe('sk_~!1');
});

test('calls a function each time, so that a rotated key takes effect', async () => {
  const keys = ['one', 'two'];
  const { read } = keySource(() => keys.shift() ?? '');
  expect([await read(), await read()]).toEqual(['one', 'two']);
});

test('inspect does not show the key', () => {
  expect(inspect(keySource('sk_secret'), { depth: 20, showHidden: true })).not.toContain('sk_secret');
});

/** Accepts these keys only. */
const accepts =
  (...keys: string[]): Responder =>
  (socket, request) =>
    keys.includes(request.headers.authorization?.replace('Bearer ', '') ?? '')
      ? json(request.method === 'POST' ? REX : [REX], request.method === 'POST' ? 201 : 200)(socket, request)
      : json({ message: 'no' }, 401)(socket, request);

/** A key function that returns these values in turn, and the last one from then on. */
function keysInTurn(...keys: (string | Error)[]): { apiKey: () => Promise<string>; calls: () => number } {
  let calls = 0;
  const apiKey = (): Promise<string> => {
    const key = keys[Math.min(calls, keys.length - 1)] ?? '';
    calls += 1;
    return key instanceof Error ? Promise.reject(key) : Promise.resolve(key);
  };
  return { apiKey, calls: () => calls };
}

describe('after a 401, a key function is called once more', () => {
  test.each(['list', 'create'] as const)('and %s is repeated with another key', async (method) => {
    const server = await startScriptedServer(accepts('new'));
    const { apiKey, calls } = keysInTurn('old', 'new');
    const { store, clock } = openStore(server.baseUrl, { apiKey, retry: { attemptsMax: 1 } });
    expect(await (method === 'list' ? store.pets.list() : store.pets.create(NEW_PET))).toBeTruthy();
    expect(server.requests.map(({ headers }) => headers.authorization)).toEqual(['Bearer old', 'Bearer new']);
    expect(server.requests[1]?.body).toBe(server.requests[0]?.body);
    expect(calls()).toBe(2);
    expect(clock.pending).toBe(0);
  });

  test.each<[string, (string | Error)[], number]>([
    ['not repeated with the same key', ['old'], 1],
    ['repeated only once', ['old', 'older', 'oldest'], 2],
    ['not repeated if the function fails', ['old', new Error('the vault is sealed')], 1],
    ['not repeated with a key that is invalid', ['old', 'one two'], 1],
  ])('and the call is %s', async (_, keys, requests) => {
    const server = await startScriptedServer(accepts('new'));
    const { apiKey, calls } = keysInTurn(...keys);
    const error = await rejection(openStore(server.baseUrl, { apiKey }).store.pets.create(NEW_PET));
    expect(error).toMatchObject({ type: 'authentication', status: 401, outcome: 'refused' });
    expect((error as ConfigurationError).attempts).toHaveLength(requests);
    expect(server.requests).toHaveLength(requests);
    expect(calls()).toBe(2);
    const { cause } = error as { cause?: unknown };
    if (keys[1] instanceof Error)
      expect(cause).toMatchObject({ option: 'apiKey', cause: { message: 'the vault is sealed' } });
    else expect(cause === undefined).toBe(keys[1] !== 'one two');
  });

  test('and not if the key is a string', async () => {
    const { server, store } = await openScripted([accepts('new')], { apiKey: 'old' });
    expect(await rejection(store.pets.list())).toMatchObject({ type: 'authentication' });
    expect(server.requests).toHaveLength(1);
  });

  test('by all calls in flight together, also if their 401 comes later', async () => {
    const waiting: (() => unknown)[] = [];
    const server = await startScriptedServer((socket, request) => {
      const respond = (): unknown => accepts('new')(socket, request);
      if (request.headers.authorization === 'Bearer old') waiting.push(respond);
      else respond();
    });
    const { apiKey, calls } = keysInTurn('old', 'old', 'old', 'new', 'old', 'newest');
    const { store } = openStore(server.baseUrl, { apiKey, pace: 'off' });
    const [first, second, late] = [1, 2, 3].map((limit) => store.pets.list({ limit }));
    await until(() => waiting.length === 3);
    waiting.shift()?.();
    waiting.shift()?.();
    await Promise.all([first, second]);
    waiting.shift()?.();
    await late;
    expect(calls()).toBe(4);
    // A call that starts later does not share it.
    const next = rejection(store.pets.list());
    await until(() => waiting.length === 1);
    waiting.shift()?.();
    expect(await next).toMatchObject({ type: 'authentication' });
    expect(calls()).toBe(6);
    expect(server.requests.at(-1)?.headers.authorization).toBe('Bearer newest');
  });

  test('and a signal ends the wait for it', async () => {
    const server = await startScriptedServer(accepts('new'));
    let calls = 0;
    const apiKey = (): string | Promise<string> =>
      (calls += 1) === 1 ? 'old' : new Promise(() => undefined);
    const { store } = openStore(server.baseUrl, { apiKey });
    const controller = new AbortController();
    const failed = rejection(store.pets.create(NEW_PET, { signal: controller.signal }));
    await until(() => calls === 2);
    controller.abort();
    expect(await failed).toMatchObject({ type: 'aborted', outcome: 'refused' });
    await store.close();
  });
});
