import type { RedisClient } from '../../../src/client/gate/redis/redis-client.js';
import { redisGateOver } from '../../../src/client/gate/redis/redis-gate.js';
import type { PetStoreOptions } from '../../../src/client/internal.js';
import { createTestStorage } from '../test-storage.js';
import type { VirtualClock } from '../virtual-clock.js';
import type { Candidate, Product, Environment } from './simulation.js';

/** All clients in one process, which share its gate. */
export function inOneProcess(product: Product): Candidate {
  return {
    name: 'petstore, one process',
    clients: 'process',
    open: (environment) => open(product, environment),
  };
}

/** One process per client, without a shared gate. */
export function apart(product: Product): Candidate {
  return {
    name: 'petstore, nothing shared',
    clients: 'apart',
    open: (environment) => open(product, environment),
  };
}

/** A time in which the storage fails, in milliseconds from the start. */
export interface Outage {
  mode: 'fails' | 'hangs';
  startMs: number;
  endMs: number;
  text: 'kept' | 'lost';
}

/**
 * One process per client, with a shared gate in a test storage.
 *
 * @param latencyMs latency of an operation each way: 0 for a disk, more for a network.
 */
export function withStorage(
  product: Product,
  clock: VirtualClock,
  latencyMs: number,
  outages: readonly Outage[] = [],
  { hasFallback = false, isOneShot = false } = {},
): Candidate {
  const storage = createTestStorage(clock);
  storage.latencyMs = () => latencyMs;
  // The files of the machine have another clock.
  const files = createTestStorage(clock, 9_000_000);
  for (const { mode, startMs, endMs, text } of outages) {
    clock.setTimeout(() => (storage.mode = mode), startMs);
    clock.setTimeout(() => {
      storage.mode = 'works';
      if (text === 'lost') storage.text = undefined;
    }, endMs);
  }
  let processes = 0;
  const gateOf = (): PetStoreOptions['gate'] => {
    const holder = `process-${(processes += 1)}`;
    const budgetStore = storage.open(holder);
    return {
      id: holder,
      open: () => (hasFallback ? { ...budgetStore, fallback: files.open(holder) } : budgetStore),
      close: () => Promise.resolve(),
    };
  };
  // A process for each call, as a command.
  const openOnce =
    (environment: Environment) =>
    async (signal: AbortSignal): Promise<unknown> => {
      const store = createStore(product, environment, gateOf());
      try {
        return await store.pets.list({ limit: 1 }, { signal });
      } finally {
        await store.close();
      }
    };
  return {
    name: `petstore, ${latencyMs === 0 ? 'file' : 'network'} gate`,
    clients: 'gate',
    open: isOneShot ? openOnce : (environment) => open(product, environment, gateOf()),
  };
}

/** One process per client, with a shared gate in Redis. */
export function withRedis(product: Product, client: RedisClient): Candidate {
  const noFallback = (): never => {
    throw new Error('Redis does not fail');
  };
  return {
    name: 'petstore, Redis gate',
    clients: 'gate',
    open: (environment) => open(product, environment, redisGateOver({ client }, noFallback)),
  };
}

function open(product: Product, environment: Environment, gate?: PetStoreOptions['gate']) {
  const store = createStore(product, environment, gate);
  return (signal: AbortSignal): Promise<unknown> => store.pets.list({ limit: 1 }, { signal });
}

/** Creates a client. By default its calls wait even for the reset of the day limit. */
export function createStore(
  { createPetStore }: Product,
  { clock, fetch, random }: Omit<Environment, 'client'>,
  gate: PetStoreOptions['gate'],
  waitMaxMs = Number.MAX_SAFE_INTEGER,
) {
  return createPetStore({
    apiKey: 'simulated',
    baseUrl: 'https://api.test/v1',
    clock,
    fetch,
    random,
    gate,
    onWarning: () => undefined,
    retry: { waitMaxMs },
  });
}
