import type { Clock } from '../time/clock.js';
import { budgetName } from './budget/budget-name.js';
import type { Gate } from './budget/gate.js';
import type { GateStore } from './ledger.js';
import { createMemoryGate } from './memory.js';
import { createSharedGate } from './shared.js';

/** Above this many keys, the gates that hold nothing back are let go. */
const GATES_MAX = 1_000;

/** A gate as it is kept. */
interface Kept {
  gate: Gate & { readonly idle: boolean };
  /** Tells the client that came last of a failure. */
  onFailure: (error: unknown) => void;
}

/**
 * The gates of this process. Module state on purpose, the only such: a program that makes a new client for each call
 * must still meet the 429 of its last one. Gates are kept apart by the clock and by an injected `fetch`, since two of
 * those are two services even at one address.
 */
const gatesOf = new WeakMap<object, WeakMap<object, Map<string, Kept>>>();

/** What a gate is looked up and made by. */
export interface GatePlace {
  /** Tells two services at one address apart. */
  service: object;
  clock: Clock;
  random: () => number;
  origin: string;
  /** Where the budget is kept; in this process without one. */
  store: GateStore | undefined;
  onFailure: (error: unknown) => void;
}

/** The gate of a key at a place, made at the first call. */
export function findGate({ service, clock, random, origin, store, onFailure }: GatePlace, key: string): Gate {
  const gatesOfService = entry(gatesOf, service, () => new WeakMap<object, Map<string, Kept>>());
  const gates = entry(gatesOfService, clock, () => new Map<string, Kept>());
  const name = `${store?.id ?? ''}\n${origin}\n${key}`;
  const known = gates.get(name);
  if (known !== undefined) {
    known.onFailure = onFailure;
    return known.gate;
  }
  if (gates.size >= GATES_MAX) dropIdle(gates);
  const kept: Kept = { gate: createMemoryGate(clock), onFailure };
  if (store !== undefined) {
    kept.gate = createSharedGate(store.open(budgetName(origin, key)), {
      clock,
      random,
      onFailure: (error) => {
        kept.onFailure(error);
      },
    });
  }
  gates.set(name, kept);
  return kept.gate;
}

function dropIdle(gates: Map<string, Kept>): void {
  for (const [name, { gate }] of gates) if (gate.idle) gates.delete(name);
}

function entry<K extends object, V>(map: WeakMap<K, V>, key: K, make: () => V): V {
  let value = map.get(key);
  if (value === undefined) {
    value = make();
    map.set(key, value);
  }
  return value;
}
