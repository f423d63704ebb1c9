import { ABSENCE_MAX } from '../gather/facts/classify.js';
import type { Report } from '../report/report.js';

/** A stale record of a resolver in the checks of a watch. */
export interface StaleCache {
  /** When it should expire, as first shown, by the monotonic clock in milliseconds. */
  expiry: number;
  isLate: boolean;
}

/** Checks last differently long. */
const EXPIRY_MARGIN_MS = 10_000;

/**
 * Whether a resolver has a stale record for longer than it showed before.
 *
 * @param remaining Seconds that it shows now.
 * @param now By the monotonic clock in milliseconds.
 */
export function isLate(known: StaleCache | undefined, remaining: number, now: number): boolean {
  // The time of an absence is limited, so it may be the same in each check.
  const leftMs = remaining === ABSENCE_MAX ? 0 : remaining * 1_000;
  return known !== undefined && (known.isLate || now + leftMs > known.expiry + EXPIRY_MARGIN_MS);
}

/** The stale records after a check, by the label of the resolver. */
export function staleCachesAfter(
  staleCaches: ReadonlyMap<string, StaleCache>,
  { state, observed }: Report,
  now: number,
): ReadonlyMap<string, StaleCache> {
  // What caches have after a change of the record is another one.
  if (state === 'action-required') return new Map();
  const seen = observed.recursive.flatMap(({ resolver, remaining }): [string, StaleCache][] => {
    if (remaining === undefined) return [];
    const known = staleCaches.get(resolver);
    const expiry = known?.expiry ?? now + remaining * 1_000;
    return [[resolver, { expiry, isLate: isLate(known, remaining, now) }]];
  });
  return new Map([...staleCaches, ...seen]);
}
