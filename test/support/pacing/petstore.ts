import type { Gate } from '../../../src/client/index.js';
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
export function overGate(product: Product, name: string, gateOf: (seat: Seat) => Gate): Contender {
  return {
    name: `petstore, ${name}`,
    clients: 'gate',
    open: (seat) => open(product, seat, gateOf(seat)),
  };
}

function open({ createPetStore }: Product, { clock, fetch, random }: Seat, gate?: Gate) {
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
