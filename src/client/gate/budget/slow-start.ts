import type { Budget } from './budget.js';

/** One more simultaneous request for so many that passed. The smallest published limit is learned with one 429 response. */
const PASSES_PER_REQUEST = 64;

/**
 * Returns how many requests may be in flight at once. A limit that no header shows rejects all requests that are in
 * flight when it is reached. Infinite if the plan is known: it has no other limits.
 */
export function simultaneousMax({ passedCount, limits }: Pick<Budget, 'passedCount' | 'limits'>): number {
  if (limits.some(({ source }) => source === 'plan')) return Number.POSITIVE_INFINITY;
  return 1 + Math.floor(passedCount / PASSES_PER_REQUEST);
}
