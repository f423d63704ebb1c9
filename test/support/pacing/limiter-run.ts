import type { PetStoreOptions } from '../../../src/client/internal.js';
import { readRateLimit } from '../../../src/client/response/response-headers.js';
import { createLimiter, type LimiterKind } from '../limiters/limiter.js';
import type { Quota } from '../limiters/counters.js';
import { seededRandom } from '../random-runs.js';
import { createTestStorage } from '../test-storage.js';
import { createVirtualClock, NOON } from '../virtual-clock.js';
import { createStore } from './petstore.js';
import type { Product } from './simulation.js';

/** Calls of one or more processes, in front of one limiter. */
export interface LimiterScenario {
  kind: LimiterKind;
  quota: Quota;
  /** All calls. With several processes, each makes the same number. */
  calls: number;
  processes: number;
  /** One call after another in each process, or all at once. */
  isSequential: boolean;
  /** Latency of the shared store each way: 0 for a disk, more for a network. */
  storeLatencyMs: number;
  latencyMs: readonly [number, number];
  seed: number;
}

export interface LimiterFigures {
  succeeded: number;
  errors: unknown[];
  /** Responses of 429. */
  rejected: number;
  /** The most 429 responses without one that passed in between, in order of arrival. */
  rejectedInRow: number;
  durationMs: number;
  /** The shortest possible duration: requests pass as soon as the limiter allows, and never before a named time. */
  idealMs: number;
}

/** Runs calls in virtual time until all have ended. */
export async function runLimiter(product: Product, scenario: LimiterScenario): Promise<LimiterFigures> {
  const { kind, quota, processes, isSequential, latencyMs, storeLatencyMs, seed } = scenario;
  // Not at the start of a second, and not at that of a window.
  const startAt = NOON + 730;
  const clock = createVirtualClock(startAt);
  const random = seededRandom(seed);
  const limiter = createLimiter(kind, quota);
  const statuses: number[] = [];
  const travel = (extraMs = 0): Promise<void> => {
    const [minimumMs, maximumMs] = latencyMs;
    const delayMs = Math.round(minimumMs + (maximumMs - minimumMs) * random());
    return new Promise((resolve) => void clock.setTimeout(resolve, delayMs + extraMs));
  };
  const fetch = async (): Promise<Response> => {
    await travel();
    const { status, headers, body, delayMs } = limiter.handle(clock.now());
    statuses.push(status);
    await travel(delayMs);
    return new Response(body, { status, headers });
  };
  const storage = createTestStorage(clock);
  storage.latencyMs = () => storeLatencyMs;
  const gateOf = (process: number): PetStoreOptions['gate'] =>
    processes === 1
      ? 'memory'
      : {
          id: `process ${String(process)}`,
          open: () => storage.open(`process-${String(process)}`),
          close: () => Promise.resolve(),
        };
  const stores = Array.from({ length: processes }, (_, process) =>
    createStore(product, { clock, fetch, random }, gateOf(process)),
  );
  const errors: unknown[] = [];
  let ended = 0;
  let endedAt = startAt;
  const call = async (process: number): Promise<void> => {
    await stores[process]!.pets.list({ limit: 1 }).catch((error: unknown) => errors.push(error));
    ended += 1;
    endedAt = clock.now();
  };
  const perProcess = scenario.calls / processes;
  for (let process = 0; process < processes; process += 1) {
    if (!isSequential) for (let count = 0; count < perProcess; count += 1) void call(process);
    else
      void (async () => {
        for (let count = 0; count < perProcess; count += 1) await call(process);
      })();
  }
  for (let seconds = 0; ended < scenario.calls; seconds += 1) {
    if (seconds > 3_600) throw new Error(`The calls of ${kind.name} do not end`);
    await clock.advance(1_000);
  }
  return {
    succeeded: ended - errors.length,
    errors,
    rejected: statuses.filter((status) => status === 429).length,
    rejectedInRow: longestRow(statuses),
    durationMs: endedAt - startAt,
    idealMs: obedientMs(scenario, startAt),
  };
}

function longestRow(statuses: readonly number[]): number {
  let [longest, row] = [0, 0];
  for (const status of statuses) {
    row = status === 429 ? row + 1 : 0;
    longest = Math.max(longest, row);
  }
  return longest;
}

/**
 * Returns how long a client needs that knows the limiter. It sends one request after another, with the shortest latency, as
 * soon as the limiter allows it. It never sends before a time that it received, and needs one 429 response to learn a
 * limit that no other response shows.
 */
function obedientMs({ kind, quota, calls, latencyMs }: LimiterScenario, startAt: number): number {
  const limiter = createLimiter(kind, quota);
  const [oneWayMs] = latencyMs;
  let now = startAt;
  let hasLearned = false;
  let isUsedUp = false;
  for (let sent = 0; sent < calls;) {
    now += oneWayMs;
    while ((isUsedUp || hasLearned) && !limiter.wouldAllow(now)) now += quota.windowMs / 500;
    const { status, headers, delayMs } = limiter.handle(now);
    const limits = readRateLimit(headers, now)?.rateLimit;
    isUsedUp = limits?.remaining === 0;
    if (status === 429) hasLearned = true;
    else sent += 1;
    const retryAfterMs = status === 429 ? Number(headers['retry-after'] ?? 0) * 1_000 : 0;
    const resetAt = isUsedUp ? (limits?.resetAt ?? 0) : 0;
    now += oneWayMs + delayMs;
    if (sent < calls) now = Math.max(now, now - oneWayMs + retryAfterMs, resetAt);
  }
  return now - startAt;
}
