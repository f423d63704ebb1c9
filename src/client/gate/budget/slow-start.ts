import type { Budget } from './budget.js';

/** One more simultaneous request for so many that passed. The smallest published limit is learned with one 429 response. */
const PASSES_PER_REQUEST = 64;

/** The length of a shown window of a minute: its reset may be rounded up, so its likely length is up to two minutes. */
const MINUTE_LENGTH_MAX_MS = 120_000;

/**
 * Returns how many requests may be in flight at once. A limit that no header shows rejects all requests that are in
 * flight when it is reached. Infinite if the plan is known, or if the headers show a window of at most a minute: no shorter
 * one is published (interface specification, "Request rate, by plan").
 */
export function simultaneousMax({ passedCount, limits }: Pick<Budget, 'passedCount' | 'limits'>): number {
  const isShown = limits.some(
    ({ source, lengthMs }) =>
      source === 'plan' || (source === 'response' && lengthMs > 0 && lengthMs <= MINUTE_LENGTH_MAX_MS),
  );
  return isShown ? Number.POSITIVE_INFINITY : 1 + Math.floor(passedCount / PASSES_PER_REQUEST);
}
