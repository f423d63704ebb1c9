import type { Facts } from '../facts/facts.js';
import type { Estimate } from '../../report/report.js';
import { resolverView } from './resolver-view.js';

/**
 * Estimates when all queried resolvers have the record, from the TTLs of their stale records. Null if none is stale, or if
 * one shows no latest time: it serves expired records, the lowest TTL for all of them, or the records of another cache.
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

/** Formats a duration with at most two units: `45 s`, `14 min 5 s`, `2 days`. */
export function durationText(seconds: number): string {
  const parts = UNITS.map(({ size, next, name }) => ({
    count: Math.floor((seconds % next) / size),
    name,
  }));
  const first = parts.findIndex(({ count }) => count > 0);
  if (first < 0) return '0 s';
  return parts
    .slice(first, first + 2)
    .filter(({ count }) => count > 0)
    .map(({ count, name }) => `${count} ${name}${name === 'day' && count > 1 ? 's' : ''}`)
    .join(' ');
}

const UNITS = [
  { name: 'day', size: 86_400, next: Number.POSITIVE_INFINITY },
  { name: 'h', size: 3600, next: 86_400 },
  { name: 'min', size: 60, next: 3600 },
  { name: 's', size: 1, next: 60 },
];

/** Formats a time (milliseconds since the epoch) as RFC 3339 in UTC, which the command shows as local time. */
export function timeText(time: number): string {
  return new Date(time).toISOString();
}
