import { expect, test } from 'vitest';
import { createPetStore, createPetStoreOver } from '../../../src/client/create.js';
import type { PetStore } from '../../../src/client/contract/pet-store.js';
import { fileGate } from '../../../src/client/gate/file/file-gate.js';
import { memoryGate } from '../../../src/client/gate/memory-gate.js';
import { redisGate } from '../../../src/client/gate/redis/redis-gate.js';
import { NEW_PET } from '../../support/rex.js';
import { isPetStoreError } from '../../../src/errors.js';
import { fetchTransport } from '../../../src/client/transport/fetch.js';
import { KEY } from '../../support/stores.js';

const THROWS = {
  get: (): never => {
    throw new Error('stray');
  },
};

/** Returns an object whose property throws when it is read. */
function throwing<T extends object>(object: T, name: string): T {
  return Object.defineProperty(object, name, { ...THROWS, enumerable: true, configurable: true });
}

const budgetStore = (): object => ({
  holder: 'h',
  read: () => ({ text: undefined, version: '0', now: 0 }),
  swap: () => ({ swapped: true, reading: { text: undefined, version: '1', now: 0 } }),
});
const gate = (open: () => unknown): object => ({
  id: Math.random().toString(),
  open,
  close: () => Promise.resolve(),
});

/** Returns an object whose property throws when it is read for the n-th time. */
function throwingAt<T extends object>(object: T, name: string, count: number): T {
  const value = object[name as keyof T];
  let reads = 0;
  const get = (): unknown => ((reads += 1) === count ? THROWS.get() : value);
  return Object.defineProperty(object, name, { get, enumerable: true, configurable: true });
}

/** An object whose names can't be listed. */
const unlisted = (): object => new Proxy({}, { ownKeys: THROWS.get });

const OPTIONS: Readonly<Record<string, () => object>> = {
  timeoutMs: () => ({ timeoutMs: 1_000 }),
  'retry.attemptsMax': () => ({ retry: { attemptsMax: 1 } }),
  'headers.accept': () => ({ headers: { accept: '*/*' } }),
};

/** Options with a property that throws at its first, second, third and fourth read. */
const throwingOptions = Object.entries(OPTIONS).flatMap(([path, create]) =>
  [1, 2, 3, 4].map((count): [string, () => object] => [
    `${path} at read ${String(count)}`,
    () => {
      const options = create() as Record<string, object>;
      const [name = '', inner] = path.split('.');
      if (inner === undefined) return throwingAt(options, name, count);
      return { [name]: throwingAt(options[name]!, inner, count) };
    },
  ]),
);

test.each([
  ...throwingOptions,
  ...['retry', 'headers'].map((name): [string, () => object] => [name, () => ({ [name]: unlisted() })]),
  ['all', unlisted],
])('no foreign error leaves a client, a call or with() if options throw: %s', async (_, options) => {
  const fetch = (): Promise<Response> => Promise.resolve(Response.json([]));
  const open = (own: object): PetStore =>
    createPetStoreOver(
      fetchTransport(fetch),
      Object.assign(own, { apiKey: KEY, baseUrl: 'https://api.test/v1' }),
    );
  const store = open({});
  const steps: (() => unknown)[] = [
    () => open(options()),
    () => createPetStore(options() as never),
    () => store.with(options()),
    () => store.pets.list({}, options()),
    () => store.pets.list(options() as never),
    () => store.pets.listAll({}, options()),
    () => store.pets.create(NEW_PET, options()),
    () => store.pets.create(options() as never),
    () => store.request('GET', '/pets', { query: options() as never }),
    () => store.request('POST', '/pets', { body: options() }),
    () => (memoryGate as (given: unknown) => unknown)(options()),
    () => fileGate(options()),
    () => redisGate(options() as never),
  ];
  for (const step of steps) {
    try {
      await step();
    } catch (error) {
      expect(isPetStoreError(error) ? true : [String(step), error]).toBe(true);
    }
  }
});

test.each<[string, () => object]>([
  ...['id', 'open', 'close'].map((name): [string, () => object] => [
    `gate.${name}`,
    () => ({ gate: throwing(gate(budgetStore), name) }),
  ]),
  ...['holder', 'read', 'swap', 'isDead', 'isCurrent', 'fallback', 'then'].map(
    (name): [string, () => object] => [
      `budget store.${name}`,
      () => ({ gate: gate(() => throwing(budgetStore(), name)) }),
    ],
  ),
  ...['text', 'version', 'now', 'damage', 'then'].map((name): [string, () => object] => [
    `reading.${name}`,
    () => ({
      gate: gate(() => ({
        ...budgetStore(),
        read: () => throwing({ text: undefined, version: '0', now: 0 }, name),
      })),
    }),
  ]),
  ...['swapped', 'reading', 'then'].map((name): [string, () => object] => [
    `swap.${name}`,
    () => ({
      gate: gate(() => ({ ...budgetStore(), swap: () => throwing({ swapped: true, reading: {} }, name) })),
    }),
  ]),
  ...['debug', 'warn'].map((name): [string, () => object] => [
    `logger.${name}`,
    () => ({ logger: throwing({ debug: () => undefined, warn: () => undefined }, name) }),
  ]),
  ...['now', 'monotonic', 'setTimeout'].map((name): [string, () => object] => [
    `clock.${name}`,
    () => ({
      clock: throwing({ now: Date.now, monotonic: () => 0, setTimeout: () => () => undefined }, name),
    }),
  ]),
])('no foreign error leaves the client if a property throws: %s', async (_, options) => {
  const fetch = (): Promise<Response> => Promise.resolve(Response.json([]));
  let failure: unknown;
  try {
    const store = createPetStoreOver(fetchTransport(fetch), {
      apiKey: KEY,
      baseUrl: 'https://api.test/v1',
      onWarning: () => undefined,
      ...options(),
    });
    await store.pets.list();
    await store.budget();
    await store.close();
  } catch (error) {
    failure = error;
  }
  if (failure !== undefined) expect(isPetStoreError(failure) ? true : failure).toBe(true);
});
