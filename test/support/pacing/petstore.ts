import type { PetStoreOptions } from '../../../src/client/index.js';
import { createTestStorage } from '../test-storage.js';
import type { VirtualClock } from '../virtual-clock.js';
import type { Contender, Product, Seat } from './simulation.js';

/** Petstore's clients in one process, which share its gate by themselves. */
export function inOneProcess(product: Product): Contender {
  return { name: 'petstore, one process', clients: 'process', open: (seat) => open(product, seat) };
}

/** Petstore's clients in a process each, every one with a gate of its own. */
export function apart(product: Product): Contender {
  return { name: 'petstore, a gate each', clients: 'apart', open: (seat) => open(product, seat) };
}

/** Petstore's clients in a process each, with a gate between them. */
function overGate(
  product: Product,
  name: string,
  gateOf: (seat: Seat) => PetStoreOptions['gate'],
): Contender {
  return {
    name: `petstore, ${name}`,
    clients: 'gate',
    open: (seat) => open(product, seat, gateOf(seat)),
  };
}

/**
 * Petstore's clients in a process each, which keep their budget in one place.
 *
 * @param latencyMs how long an operation takes each way: nothing on a disk, some over a network.
 */
export function overPlace(product: Product, clock: VirtualClock, latencyMs: number): Contender {
  const place = createTestStorage(clock);
  place.latencyMs = () => latencyMs;
  return overGate(product, latencyMs === 0 ? 'a gate of files' : 'a gate across a network', ({ client }) => ({
    id: `of process ${client}`,
    open: () => place.open(`process-${client}`),
    close: () => Promise.resolve(),
  }));
}

function open({ createPetStore }: Product, { clock, fetch, random }: Seat, gate?: PetStoreOptions['gate']) {
  const store = createPetStore({
    apiKey: 'simulated',
    baseUrl: 'https://api.test/v1',
    clock,
    fetch,
    random,
    gate,
    // The day's window is a wait like any other here.
    retry: { waitMaxMs: Number.MAX_SAFE_INTEGER },
  });
  return (signal: AbortSignal): Promise<unknown> => store.pets.list({ limit: 1 }, { signal });
}
