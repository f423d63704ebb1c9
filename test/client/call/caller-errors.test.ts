import { getEventListeners } from 'node:events';
import { describe, expect, test } from 'vitest';
import { createPetStore } from '../../../src/client/create.js';
import type { PetStoreOptions } from '../../../src/client/contract/options.js';
import { fetchTransport } from '../../../src/client/transport/fetch.js';
import type { Transport } from '../../../src/client/transport/transport.js';
import { ConfigurationError, ConnectionError, UnknownOutcomeError } from '../../../src/errors.js';
import { NEW_PET } from '../../support/rex.js';
import { json } from '../../support/scripted-server.js';
import { KEY, openScripted, openStore, rejection } from '../../support/stores.js';
import { createVirtualClock } from '../../support/virtual-clock.js';

const ORIGIN = 'https://api.test/v1';

/** A `fetch` that fails in one way, with the number of its calls. */
function failing(fail: (init: RequestInit | undefined) => unknown): {
  transport: Transport;
  calls: () => number;
} {
  let calls = 0;
  const fetch = (_: unknown, init?: RequestInit): unknown => {
    calls += 1;
    return fail(init);
  };
  return { transport: fetchTransport(fetch as typeof globalThis.fetch), calls: () => calls };
}

const thrown = (error: unknown) => (): never => {
  throw error;
};
const rejected = (error: unknown) => (): Promise<never> => Promise.reject(error);

const BUGS: [string, (init?: RequestInit) => unknown][] = [
  ['calls what is no function', thrown(new TypeError('foo is not a function'))],
  ['uses an undefined name', rejected(new ReferenceError('foo is not defined'))],
  ['recurses for ever', thrown(new RangeError('Maximum call stack size exceeded'))],
  ['passes an invalid argument', rejected(Object.assign(new Error('bad'), { code: 'ERR_INVALID_ARG_TYPE' }))],
  ['throws a string', thrown('no')],
  ['throws undefined', rejected(undefined)],
  ['throws null', rejected(null)],
  ['returns undefined', () => undefined],
  ['resolves to undefined', () => Promise.resolve()],
  ['returns an object that is no Response', () => ({ ok: true, status: 200 })],
  ['returns a Response without headers', () => ({ status: 200, body: null })],
];

describe.each(BUGS)('a fetch that %s', (_, bug) => {
  test.each(['list', 'create'] as const)('rejects %s at once with a ConfigurationError', async (method) => {
    const { transport, calls } = failing(bug);
    const { store, clock } = openStore(ORIGIN, { transport });
    const error = await rejection(method === 'list' ? store.pets.list() : store.pets.create(NEW_PET));
    expect(error).toBeInstanceOf(ConfigurationError);
    expect(error).toMatchObject({
      option: 'fetch',
      outcome: 'not-sent',
      retryable: false,
      attempts: [{ failure: 'configuration' }],
      hint: expect.stringContaining('.') as string,
    });
    expect(calls()).toBe(1);
    expect(clock.pending).toBe(0);
  });
});

test.each<[string, (init?: RequestInit) => unknown]>([
  [
    'throws after it sent the request',
    async (init) => {
      await new Response(init?.body).text();
      throw new TypeError('foo is not a function');
    },
  ],
  [
    'sends the request and returns nothing',
    (init) => {
      new Response(init?.body);
    },
  ],
])('a fetch that %s leaves the outcome of a POST unknown', async (_, bug) => {
  const { transport, calls } = failing(bug);
  const { store } = openStore(ORIGIN, { transport });
  const error = (await rejection(store.pets.create(NEW_PET))) as UnknownOutcomeError;
  expect(error).toBeInstanceOf(UnknownOutcomeError);
  expect(error.cause).toBeInstanceOf(ConfigurationError);
  expect(calls()).toBe(1);
});

test.each<[string, unknown]>([
  ['undici', new TypeError('fetch failed', { cause: Object.assign(new Error('x'), { code: 'ECONNRESET' }) })],
  ['undici, without a code', new TypeError('fetch failed', { cause: new Error('bad port') })],
  ['Chrome and msw', new TypeError('Failed to fetch')],
  ['Safari', new TypeError('Load failed')],
  ['Firefox', new TypeError('NetworkError when attempting to fetch resource.')],
  ['Deno', new TypeError('error sending request for url (https://api.test/)')],
  ['Workers', new Error('Network connection lost.')],
  ['Bun', Object.assign(new Error('Unable to connect'), { code: 'ConnectionRefused' })],
])('the failed connection of %s is a ConnectionError, and a read is retried', async (_, error) => {
  const { transport, calls } = failing(rejected(error));
  const { store, clock } = openStore(ORIGIN, { transport, retry: { attemptsMax: 2 } });
  const listed = rejection(store.pets.list());
  await clock.advance(1_000);
  expect(await listed).toBeInstanceOf(ConnectionError);
  expect(calls()).toBe(2);
  expect(await rejection(store.pets.create(NEW_PET))).toBeInstanceOf(UnknownOutcomeError);
  expect(calls()).toBe(3);
});

test('a dispatcher that is no dispatcher is a configuration error', async () => {
  const dispatcher = {
    dispatch() {
      throw new TypeError('this.kDispatch is not a function');
    },
  } as unknown as NonNullable<PetStoreOptions['dispatcher']>;
  const store = createPetStore({ apiKey: KEY, baseUrl: ORIGIN, dispatcher, clock: createVirtualClock() });
  expect(await rejection(store.pets.create(NEW_PET))).toMatchObject({
    type: 'configuration',
    option: 'dispatcher',
    outcome: 'not-sent',
  });
});

test('a transport that cannot be loaded is a configuration error at once', async () => {
  let calls = 0;
  const transport: Transport = {
    send() {
      calls += 1;
      const error = new ConfigurationError(`Could not load undici (${KEY})`, { hint: 'Install undici.' });
      return { response: Promise.reject(error), sent: false, abort: () => undefined };
    },
    close: () => Promise.resolve(),
  };
  const error = await rejection(openStore(ORIGIN, { transport }).store.pets.create(NEW_PET));
  expect(error).toBeInstanceOf(ConfigurationError);
  expect(error).toMatchObject({ message: 'Could not load undici ([redacted])', hint: 'Install undici.' });
  expect(calls).toBe(1);
});

test('circular causes end', async () => {
  const circular: Error & { errors?: unknown } = new Error('round');
  circular.cause = new Error('and round', { cause: circular });
  circular.errors = [circular];
  const { transport } = failing(rejected(circular));
  const { store } = openStore(ORIGIN, { transport, retry: { attemptsMax: 1 } });
  const error = await rejection(store.pets.list());
  expect(error).toBeInstanceOf(ConnectionError);
  expect(error).toMatchObject({ message: 'No response from https://api.test (round)' });
});

test('one signal for 20 calls has one listener, and none after them', async () => {
  const { store } = await openScripted([json([])]);
  const { signal } = new AbortController();
  const calls = Array.from({ length: 20 }, () => store.pets.list({}, { signal, waitSignal: signal }));
  calls.push(store.pets.listAll({}, { signal, deadlineMs: 5_000 }) as never);
  expect(getEventListeners(signal, 'abort').length).toBe(1);
  await Promise.all(calls);
  expect(getEventListeners(signal, 'abort')).toEqual([]);
});
