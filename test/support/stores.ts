import { onTestFinished } from 'vitest';
import { createPetStoreOver } from '../../src/client/create.js';
import type { PetStoreOptions, Warning } from '../../src/client/contract/options.js';
import type { ClientEvent } from '../../src/client/contract/events.js';
import type { PetStore } from '../../src/client/contract/pet-store.js';
import { fetchTransport } from '../../src/client/transport/fetch.js';
import { nodeHttpTransport } from '../../src/client/transport/node-http.js';
import type { Transport } from '../../src/client/transport/transport.js';
import { undiciTransport } from '../../src/client/transport/undici.js';
import { type Responder, type ScriptedServer, startScriptedServer } from './scripted-server.js';
import { undiciFetch } from './undici-fetch.js';
import { createVirtualClock, until, type VirtualClock } from './virtual-clock.js';

/** A key that occurs nowhere by chance. Lower case and digits only, so that it can be part of a host name. */
export const KEY = 'sk0test0key7f3a9c5e1b';

/** The three transports, by name. */
export const TRANSPORTS: readonly (readonly [string, () => Transport])[] = [
  ['undici', () => undiciTransport()],
  ['node:http', nodeHttpTransport],
  ['fetch', () => fetchTransport(undiciFetch)],
];

/** A client under test with its events, warnings and log. */
export interface StoreUnderTest {
  store: PetStore;
  clock: VirtualClock;
  events: ClientEvent[];
  warnings: Warning[];
  lines: string[];
}

/**
 * Opens a client on a clock of its own, and so with a gate of its own, without jitter by default. It is closed when the
 * test ends.
 */
export function openStore(
  baseUrl: string,
  options: Partial<PetStoreOptions> & { transport?: Transport; clock?: VirtualClock } = {},
): StoreUnderTest {
  const { transport = nodeHttpTransport(), clock = createVirtualClock(), ...rest } = options;
  const events: ClientEvent[] = [];
  const warnings: Warning[] = [];
  const lines: string[] = [];
  const store = createPetStoreOver(transport, {
    apiKey: KEY,
    baseUrl,
    clock,
    random: () => 0,
    onEvent: (event) => events.push(event),
    onWarning: (warning) => warnings.push(warning),
    logger: { debug: (line) => lines.push(line), warn: (line) => lines.push(line) },
    ...rest,
  });
  // A call may still wait on the clock, so this does not wait for store.close().
  onTestFinished(() => {
    void store.close();
    return transport.close();
  });
  return { store, clock, events, warnings, lines };
}

/** Opens a client of a server that responds with each responder in turn, as `startScriptedServer`. */
export async function openScripted(
  responders: readonly Responder[],
  options?: Parameters<typeof openStore>[1],
): Promise<StoreUnderTest & { server: ScriptedServer }> {
  const server = await startScriptedServer(...responders);
  return { server, ...openStore(server.baseUrl, options) };
}

/** Returns the reason of a rejected promise. Fails if the promise is fulfilled. */
export async function rejection(promise: PromiseLike<unknown>): Promise<unknown> {
  let value: unknown;
  try {
    value = await promise;
  } catch (error) {
    return error;
  }
  throw new Error(`expected a rejection, got ${JSON.stringify(value)}`);
}

/** Resolves with the delay of the client's n-th wait when that wait starts. */
export async function nthWait(events: readonly ClientEvent[], count: number): Promise<number | undefined> {
  const waits = (): ClientEvent[] => events.filter(({ type }) => type === 'wait');
  await until(() => waits().length >= count);
  const wait = waits()[count - 1];
  return wait?.type === 'wait' ? wait.delayMs : undefined;
}
