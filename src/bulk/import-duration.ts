import type { KnownBudget, PetStore } from '../client/internal.js';
import { limitsOfPlan } from '../schema/rate-limit.js';
import type { ImportCounts, OnUnknown } from './job/import-job.js';

/** Smaller imports need no request to learn the rate limit. */
const PROBE_FROM_REQUESTS = 20;
const LENGTH_MS = { minute: 60_000, day: 86_400_000 };

/** Returns the maximum number of requests that a run sends. */
export function requestsOf({ left, unknown }: ImportCounts, onUnknown: OnUnknown): number {
  if (onUnknown === 'retry') return left + unknown;
  return onUnknown === 'stop' && unknown > 0 ? 0 : left;
}

/**
 * Calculates how long requests take at least because of the rate limit. Lists one pet if the limit is not known yet and
 * there are many requests.
 *
 * @returns milliseconds; infinite if the reserve leaves nothing.
 * @throws the client's error.
 */
export async function minDurationOf(
  requests: number,
  store: Pick<PetStore, 'pets' | 'budget'>,
  { reservePercent, signal }: { reservePercent: number; signal: AbortSignal | undefined },
): Promise<number> {
  let known = await store.budget();
  if (known.windows.length === 0 && known.heldForMs === 0 && requests >= PROBE_FROM_REQUESTS) {
    await store.pets.list({ limit: 1 }, { signal });
    known = await store.budget();
  }
  return durationOf(requests, known, reservePercent);
}

/** Ignores other users of the key and the duration of the requests. If the plan is known, its other window is unused. */
function durationOf(requests: number, { windows, heldForMs }: KnownBudget, reservePercent: number): number {
  const plan = windows.find((window) => window.plan !== undefined)?.plan;
  const unused = (['minute', 'day'] as const).flatMap((window) => {
    if (plan === undefined || windows.some((known) => known.window === window)) return [];
    const limit = limitsOfPlan(plan)[window];
    return [{ window, limit, remaining: limit, resetsInMs: LENGTH_MS[window] }];
  });
  const waits = [...windows, ...unused].map(({ window = 'minute', limit, remaining, resetsInMs }) => {
    const reserve = Math.ceil((limit * reservePercent) / 100);
    const later = requests - Math.max(0, remaining - reserve);
    return later <= 0 ? 0 : resetsInMs + (Math.ceil(later / (limit - reserve)) - 1) * LENGTH_MS[window];
  });
  return Math.max(heldForMs, ...waits);
}
