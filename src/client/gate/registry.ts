import { nodeModule } from '../../node-module.js';
import type { Clock } from '../time/clock.js';
import type { GateStore } from './gate-store.js';
import type { Gate } from './gate.js';
import { createMemoryGate } from './memory-gate.js';
import { MemoryStore } from './memory-store.js';
import { createSharedGate } from './shared-gate.js';

/** Above this number of keys, idle gates are dropped. */
const GATES_MAX = 1_000;

interface Entry {
  gate: Gate;
  /** Reports a failure to the client created last. */
  onFailure: (error: unknown) => void;
}

/**
 * The gates of this process by service, clock and name. Module state, because a program that creates a client
 * for each call must still obey the last 429 response. Two injected `fetch` functions are two services, even at one
 * address.
 */
const gatesByService = new WeakMap<object, WeakMap<object, Map<string, Entry>>>();

/** Identifies a gate, and has the dependencies to create it. */
export interface GateOptions {
  /** Distinguishes services with the same address. */
  service: object;
  clock: Clock;
  random: () => number;
  origin: string;
  /** Stores the budget. `undefined` for a budget in memory. */
  store: GateStore | undefined;
  onFailure: (error: unknown) => void;
}

/** Returns the gate of a key. Creates it if it does not exist. */
export function findGate(options: GateOptions, key: string): Gate {
  const { service, clock, origin, store, onFailure } = options;
  // The budget of a memory store belongs to its clients, also if their services differ.
  const isOwned = store instanceof MemoryStore;
  const gatesByClock = getOrCreate(
    gatesByService,
    isOwned ? store : service,
    () => new WeakMap<object, Map<string, Entry>>(),
  );
  const gates = getOrCreate(gatesByClock, clock, () => new Map<string, Entry>());
  const name = `${store?.id ?? ''}\n${origin}\n${key}`;
  const known = gates.get(name);
  if (known !== undefined) {
    known.onFailure = onFailure;
    return known.gate;
  }
  if (gates.size >= GATES_MAX) dropIdleGates(gates);
  const entry: Entry = { gate: createMemoryGate(clock), onFailure };
  if (store !== undefined && !isOwned) entry.gate = openGate(store, entry, options, key);
  gates.set(name, entry);
  return entry.gate;
}

/** Returns the name of a stored budget. It is a digest, so that neither key nor origin can be recovered. */
export function budgetName(origin: string, key: string): string {
  // Loaded here, because node:crypto takes 2 ms of the start of a command, and only a stored budget needs it.
  const { createHash } = nodeModule('node:crypto');
  return createHash('sha256').update(`petstore rate budget\n${origin}\n${key}`).digest('hex').slice(0, 32);
}

function openGate(store: GateStore, entry: Entry, { clock, random, origin }: GateOptions, key: string): Gate {
  const onFailure = (error: unknown): void => {
    entry.onFailure(error);
  };
  try {
    return createSharedGate(store.open(budgetName(origin, key)), { clock, random, onFailure });
  } catch (error) {
    onFailure(error);
    return entry.gate;
  }
}

function dropIdleGates(gates: Map<string, Entry>): void {
  for (const [name, { gate }] of gates) if (gate.isIdle) gates.delete(name);
}

function getOrCreate<K extends object, V>(map: WeakMap<K, V>, key: K, create: () => V): V {
  let value = map.get(key);
  if (value === undefined) {
    value = create();
    map.set(key, value);
  }
  return value;
}
