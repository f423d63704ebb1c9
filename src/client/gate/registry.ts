import { nodeModule } from '../../node-module.js';
import { type Clock, systemClock } from '../../time/clock.js';
import { createBudget, hasLimits, resetState } from './budget/budget.js';
import { formatBudget, parseBudget } from './budget/budget-text.js';
import { compareAndSwap, limitOperation } from './compare-and-swap.js';
import type { GateStore, BudgetStore } from './gate-store.js';
import type { Gate } from './gate.js';
import type { LayeredStore } from './store-with-fallback.js';
import type { StoreOptions } from './fallible-store.js';
import { isMemoryGateStore } from './memory-gate.js';
import { ProcessGate } from './process-gate.js';
import { SharedGate } from './shared-gate.js';

/** Above this number of keys, idle gates are dropped. */
const GATES_MAX = 1_000;

interface Entry {
  gate: Gate;
  /** Reports a failure to the client created last. */
  onFailure: OnFailure;
}

type OnFailure = StoreOptions['onFailure'];

/** The gates of one service and clock. Functions, because debuggers print maps, and the names contain keys. */
type FindEntry = (name: string, create: () => Entry) => Entry;

function createGateTable(): FindEntry {
  const entries = new Map<string, Entry>();
  return (name, create) => {
    let entry = entries.get(name);
    if (entry === undefined) {
      if (entries.size >= GATES_MAX)
        for (const [other, { gate }] of entries) if (gate.isIdle) entries.delete(other);
      entries.set(name, (entry = create()));
    }
    return entry;
  };
}

/**
 * The gates of this process by service, clock and name. State of the process, because a program that creates a client
 * for each call must still obey the last 429 response. Two injected `fetch` functions are two services, even at one
 * address.
 */
interface ProcessGates {
  /** Raised if the types of the shared objects change; a test compares them. */
  readonly format: number;
  readonly tablesByService: WeakMap<object, WeakMap<object, FindEntry>>;
}

const OWN_GATES: ProcessGates = { format: 4, tablesByService: new WeakMap() };

/** Where all copies of this package in a process find the gates. */
const GATES = Symbol.for('petstore.gates');

let processGates: ProcessGates | undefined;

function gatesOfProcess(onOtherFormat: GateOptions['onOtherFormat']): ProcessGates {
  if (processGates !== undefined) return processGates;
  const holder = globalThis as { [GATES]?: ProcessGates };
  // The global object may be frozen.
  if (Object.isExtensible(holder)) holder[GATES] ??= OWN_GATES;
  const { [GATES]: found = OWN_GATES } = holder;
  const isSame = found.format === OWN_GATES.format;
  processGates = isSame ? found : OWN_GATES;
  if (!isSame) onOtherFormat?.();
  return processGates;
}

/** Identifies a gate, and has the dependencies to create it. */
export interface GateOptions {
  /** Distinguishes services with the same address. `undefined` for the network. */
  service: object | undefined;
  clock: Clock;
  random: () => number;
  origin: string;
  /** Stores the budget. `undefined` for a budget in memory. */
  store: GateStore | undefined;
  onFailure: OnFailure;
  /** Called once in the process if another release of this package keeps gates of another format. */
  onOtherFormat?: () => void;
}

/** Returns the gate of a key. Creates it if it does not exist. */
export function findGate(options: GateOptions, key: string): Gate {
  const { service, clock, origin, store, onFailure } = options;
  const gates = gatesOfProcess(options.onOtherFormat);
  // The budget of a memory store belongs to its clients, also if their services differ.
  const isOwned = isMemoryGateStore(store);
  // Each copy of the package has its own object for the network and for the system clock. The shared gates replace both.
  const tables = getOrCreate(
    gates.tablesByService,
    isOwned ? store : (service ?? gates),
    () => new WeakMap<object, FindEntry>(),
  );
  const findEntry = getOrCreate(tables, clock === systemClock ? gates : clock, createGateTable);
  const found = findEntry(`${store?.id ?? ''}\n${origin}\n${key}`, () => {
    const entry: Entry = { gate: new ProcessGate(clock), onFailure };
    if (store !== undefined && !isOwned) entry.gate = openGate(store, entry, options, key);
    return entry;
  });
  found.onFailure = onFailure;
  return found.gate;
}

/** Closes a store. A store that fails or hangs does not prevent the client from closing. */
export async function closeStore(store: GateStore, clock: Clock): Promise<void> {
  try {
    await limitOperation(store.close(), clock);
  } catch {
    // The budget is stored by now, so nothing is lost.
  }
}

/**
 * Clears the stored budget of a key, with its waits. Sends no request to the service.
 *
 * @param onFallback called when the fallback of the store is cleared, with whether it had a budget: the store may fail.
 * @returns whether a budget was stored.
 * @throws Error if the store fails.
 */
export async function resetBudget(
  store: GateStore,
  origin: string,
  key: string,
  clock: Clock = systemClock,
  onFallback?: (wasStored: boolean) => void,
): Promise<boolean> {
  const budgetStore: LayeredStore = store.open(budgetName(origin, key));
  // The fallback first: it is in use if the store fails.
  const wasBelow = budgetStore.fallback !== undefined && (await resetStore(budgetStore.fallback, clock));
  if (budgetStore.fallback !== undefined) onFallback?.(wasBelow);
  return (await resetStore(budgetStore, clock)) || wasBelow;
}

async function resetStore(budgetStore: BudgetStore, clock: Clock): Promise<boolean> {
  let wasStored = false;
  await compareAndSwap(budgetStore, { clock, random: Math.random }, ({ text, damage }) => {
    const state = text === undefined ? undefined : parseBudget(text);
    const isDamaged = damage !== undefined || (text !== undefined && state === undefined);
    wasStored = isDamaged || (state !== undefined && hasLimits(state));
    // An empty store stays empty.
    return { text: wasStored ? formatBudget(resetState(state ?? createBudget())) : undefined };
  });
  return wasStored;
}

/** Returns the name of a stored budget. It is a digest, so that neither key nor origin can be recovered. */
export function budgetName(origin: string, key: string): string {
  // Loaded here, because node:crypto takes 2 ms of the start of a command, and only a stored budget needs it.
  const { createHash } = nodeModule('node:crypto');
  return createHash('sha256').update(`petstore rate budget\n${origin}\n${key}`).digest('hex').slice(0, 32);
}

function openGate(store: GateStore, entry: Entry, { clock, random, origin }: GateOptions, key: string): Gate {
  const onFailure: OnFailure = (...failure) => entry.onFailure(...failure);
  try {
    const budgetStore = store.open(budgetName(origin, key));
    // A caller without TypeScript may return a promise. It is no store, and its rejection must not end the process.
    Promise.resolve(budgetStore).catch(() => undefined);
    return new SharedGate(budgetStore, { clock, random, onFailure });
  } catch (error) {
    onFailure(error, false);
    return entry.gate;
  }
}

function getOrCreate<K extends object, V>(map: WeakMap<K, V>, key: K, create: () => V): V {
  let value = map.get(key);
  if (value === undefined) {
    value = create();
    map.set(key, value);
  }
  return value;
}
