import { expect, test } from 'vitest';
import { createPetStoreOver } from '../../../src/client/create.js';
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
