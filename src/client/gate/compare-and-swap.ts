import { withinTimeLimit } from '../../time/time-limit.js';
import type { Clock } from '../../time/clock.js';
import { BUDGET_LIFETIME_MS } from './budget/budget.js';
import type { BudgetStore, Reading } from './gate-store.js';

/** Time limit of a read, and of an update with all its retries. Longer than the two steps of the Redis store. */
const UPDATE_MAX_MS = 3_000;
/** A store that is silent for so long at the end of an update does not respond, although it did before. */
const SILENCE_MS = UPDATE_MAX_MS / 2;
/** Maximum number of conflicts. A clock that stands still must not prevent the end. */
const CONFLICTS_MAX = 1_000;
/** Fewer conflicts are no failure of a store that responds at once: a busy machine may need longer for them. */
const CONFLICTS_MIN = 20;
/** After this many conflicts, each retry follows a short random pause. */
const CONFLICTS_BEFORE_PAUSE = 3;
const PAUSE_MAX_MS = 50;

/**
 * Reads the text of a store and replaces it. Retries if another process has replaced it in between.
 *
 * @param createProposal returns the new text for a reading. `requestedAt` is when the reading was requested, by the
 *   monotonic clock of this process. A proposal with the same text, or without a text, is not written.
 * @throws Error if the store fails, takes too long or never accepts a write.
 */
export async function compareAndSwap<T extends { text: string | undefined }>(
  store: BudgetStore,
  { clock, random }: { clock: Clock; random: () => number },
  createProposal: (reading: Reading, requestedAt: number) => T,
): Promise<Accepted<T>> {
  const startedAt = clock.monotonic();
  let conflicts = 0;
  let respondedAt = startedAt;
  let isEnded = false;
  const update = async (first: Reading | Promise<Reading>): Promise<Accepted<T>> => {
    let requestedAt = startedAt;
    let reading = checkReading(await first);
    for (; ; conflicts += 1) {
      const proposal = createProposal(reading, requestedAt);
      const { text } = proposal;
      if (text === undefined || text === reading.text) return { accepted: proposal, reading };
      requestedAt = clock.monotonic();
      const swap = await limitOperation(store.swap(reading, text, BUDGET_LIFETIME_MS), clock);
      reading = checkReading(swap.reading);
      respondedAt = clock.monotonic();
      if (swap.swapped) return { accepted: proposal, reading };
      const isOverdue = conflicts >= CONFLICTS_MIN && clock.monotonic() - startedAt > UPDATE_MAX_MS;
      if (isEnded || isOverdue || conflicts >= CONFLICTS_MAX) throw new Error(REJECTED);
      if (conflicts < CONFLICTS_BEFORE_PAUSE) continue;
      const pauseMs = Math.max(1, Math.min(PAUSE_MAX_MS, 2 ** conflicts) * random());
      await new Promise<void>((resolve) => void clock.setTimeout(resolve, pauseMs));
      requestedAt = clock.monotonic();
      reading = await readStore(store, clock);
    }
  };
  const first = store.read();
  // A store that responds at once takes long only if this process is busy.
  if (!isPromise(first)) return update(first);
  const createError = (): Error => {
    isEnded = true;
    const isSilent = clock.monotonic() - respondedAt > SILENCE_MS;
    return new Error(conflicts === 0 || isSilent ? NO_RESPONSE : REJECTED);
  };
  return withinTimeLimit(clock, UPDATE_MAX_MS, update(first), createError);
}

/** The accepted proposal of an update, and the content of the store that it led to. */
interface Accepted<T> {
  accepted: T;
  reading: Reading;
}

const REJECTED = 'Every write was rejected';
const NO_RESPONSE = `No response within ${String(UPDATE_MAX_MS)} ms`;

/**
 * Reads a store.
 *
 * @throws Error if the store fails, takes too long or returns an invalid reading.
 */
export async function readStore(store: BudgetStore, clock: Clock): Promise<Reading> {
  return checkReading(await limitOperation(store.read(), clock));
}

/**
 * Writes the text of a store again, to know whether it accepts writes: a replica or a full server can be read. An empty
 * store stays empty.
 *
 * @throws Error if the store fails, takes too long or rejects the write.
 */
export async function rewriteStore(store: BudgetStore, clock: Clock): Promise<void> {
  let reading = await readStore(store, clock);
  for (let conflicts = 0; reading.text !== undefined; conflicts += 1) {
    const swap = await limitOperation(store.swap(reading, reading.text, BUDGET_LIFETIME_MS), clock);
    if (swap.swapped) return;
    if (conflicts >= CONFLICTS_BEFORE_PAUSE) throw new Error(REJECTED);
    reading = checkReading(swap.reading);
  }
}

/** Stores can be written by the caller, without TypeScript. An invalid time would release requests too early. */
function checkReading(reading: Reading): Reading {
  const { text, now }: Partial<Reading> = { ...reading };
  if (Number.isFinite(now) && (text === undefined || typeof text === 'string')) return reading;
  throw new Error('The store returned an invalid reading');
}

/** Rejects if an operation takes too long. Its late result is ignored. */
export function limitOperation<T>(operation: T | Promise<T>, clock: Clock): T | Promise<T> {
  if (!isPromise(operation)) return operation;
  return withinTimeLimit(clock, UPDATE_MAX_MS, Promise.resolve(operation), () => new Error(NO_RESPONSE));
}

function isPromise<T>(value: T | Promise<T>): value is Promise<T> {
  return typeof (value as Partial<Promise<T>> | undefined)?.then === 'function';
}
