import type { Clock } from '../clock.js';
import type { Gate } from './gate.js';
import { createMemoryGate, type MemoryGate } from './memory.js';

/** Above this many keys, the gates that hold nothing back are let go. */
const GATES_MAX = 1_000;

/**
 * The gates of this process. Module state on purpose, the only such: a program that makes a new client for each call
 * must still meet the 429 of its last one. Gates are kept apart by the clock and by an injected `fetch`, since two of
 * those are two services even at one address.
 */
const gatesOf = new WeakMap<object, WeakMap<object, Map<string, MemoryGate>>>();

/** The gate of a key at an origin, made at the first call. */
export function sharedGate(service: object, clock: Clock, origin: string, key: string): Gate {
  const gatesOfService = entry(gatesOf, service, () => new WeakMap<object, Map<string, MemoryGate>>());
  const gates = entry(gatesOfService, clock, () => new Map<string, MemoryGate>());
  const name = `${origin}\n${key}`;
  const known = gates.get(name);
  if (known !== undefined) return known;
  if (gates.size >= GATES_MAX) dropIdle(gates);
  const gate = createMemoryGate(clock);
  gates.set(name, gate);
  return gate;
}

function dropIdle(gates: Map<string, MemoryGate>): void {
  for (const [name, gate] of gates) if (gate.idle) gates.delete(name);
}

function entry<K extends object, V>(map: WeakMap<K, V>, key: K, make: () => V): V {
  let value = map.get(key);
  if (value === undefined) {
    value = make();
    map.set(key, value);
  }
  return value;
}
