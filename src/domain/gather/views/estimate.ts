import type { Facts } from '../facts/facts.js';
import type { Estimate } from '../../report/report.js';
import { resolverView } from './resolver-view.js';

/**
 * Estimates when all queried resolvers have the record, from the TTLs of their stale records. Null if none is stale, or if
 * one shows no latest time: it serves expired records, the records of another cache, the lowest TTL for all of them, or one
 * that does not count down or was shorter in an earlier check.
 * Ignores resolvers whose query failed.
 */
export function estimateVisibility(facts: Facts): Estimate | null {
  // Without the time of one of them, there is no latest time.
  const views = facts.resolvers.map((resolver) => resolverView(facts, resolver));
  if (views.some((view) => view.kind === 'expired' || 'mayBeLonger' in view)) return null;
  const perResolver = facts.resolvers.flatMap((resolver) => {
    const view = resolverView(facts, resolver);
    return 'remaining' in view ? [{ resolver: resolver.label, remaining: view.remaining }] : [];
  });
  if (perResolver.length === 0) return null;
  const inSeconds = Math.max(...perResolver.map(({ remaining }) => remaining));
  return { latest: dateAfter(facts.queriedAt, inSeconds), inSeconds, perResolver };
}

/** Returns the time `seconds` after a start in milliseconds since the epoch. */
export function dateAfter(startMs: number, seconds: number): Date {
  return new Date(startMs + seconds * 1000);
}

/** Formats a time (milliseconds since the epoch) as RFC 3339 in UTC, which the command shows as local time. */
export function timeText(time: number): string {
  return new Date(time).toISOString();
}
