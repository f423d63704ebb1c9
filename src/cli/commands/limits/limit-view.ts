import type { KnownBudget } from '../../../client/index.js';
import { limitsOfPlan, type Plan, type RateWindow } from '../../../schema/rate-limit.js';
import type { Session } from '../../session/action.js';
import { describeDuration } from '../../../time/duration.js';
import type { Column, View } from '../../output/index.js';

/** What is known about a limit, from the headers of a response. */
export interface KnownLimit {
  limit?: number;
  remaining?: number;
  /** By the service's clock. */
  resetAt?: Date;
  /** Milliseconds from the response to the reset, independent of the local clock. */
  resetsInMs?: number;
  window?: RateWindow;
  plan?: Plan;
}

const COLUMNS: readonly Column[] = [
  { field: 'plan', header: 'plan' },
  { field: 'window', header: 'window' },
  { field: 'limit', header: 'limit', fixed: true },
  { field: 'remaining', header: 'remaining', fixed: true },
  { field: 'reset', header: 'reset', fixed: true },
];

export const FIELDS = [
  ...COLUMNS.map(({ field }) => field),
  'planInferred',
  'resetInSeconds',
  'retryInSeconds',
  'windows',
];

/**
 * Makes the view of the active limit and all known windows.
 *
 * @param known the limit of the response, or the tightest known one.
 */
export function limitView(known: KnownLimit, budget: KnownBudget, session: Session): View {
  const { format, global } = session;
  const windows = budget.windows.map((window) => withReceivedReset(window, known));
  if (isForPeople({ format, global })) return peopleView(known, windows);
  const row = {
    plan: known.plan ?? null,
    planInferred: known.plan !== undefined,
    ...dataOf(known),
    retryInSeconds: budget.heldForMs === 0 ? null : Math.ceil(budget.heldForMs / 1_000),
    windows: windows.map(dataOf),
  };
  return { kind: 'record', row, columns: COLUMNS };
}

/** One reset has one distance: the latest response has another `Date` than the one that the budget is counted from. */
function withReceivedReset(window: KnownLimit, { limit, resetAt, resetsInMs }: KnownLimit): KnownLimit {
  const isSame = window.limit === limit && window.resetAt?.getTime() === resetAt?.getTime();
  return isSame && resetsInMs !== undefined ? { ...window, resetsInMs } : window;
}

/** Whether the output is for people: it then names the plan as inferred. */
export function isForPeople({ format, global }: Pick<Session, 'format' | 'global'>): boolean {
  return format === 'table' && global.fields === undefined;
}

function dataOf({ window, limit, remaining, resetAt, resetsInMs }: KnownLimit): Record<string, unknown> {
  return {
    window: window ?? null,
    limit: limit ?? null,
    remaining: remaining ?? null,
    reset: resetAt?.toISOString() ?? null,
    resetInSeconds: resetsInMs === undefined ? null : Math.ceil(resetsInMs / 1_000),
  };
}

function peopleView(known: KnownLimit, windows: readonly KnownLimit[]): View {
  const { plan } = known;
  const row: Record<string, unknown> = { plan: plan === undefined ? 'unknown' : `${plan} (inferred)` };
  const limits: KnownLimit[] = [...windows];
  if (!limits.some(({ limit, window }) => limit === known.limit && window === known.window))
    limits.unshift(known);
  for (const limit of limits) row[limit.window ?? 'window'] = lineOf(limit);
  if (plan !== undefined) {
    for (const window of ['minute', 'day'] as const)
      row[window] ??= `the plan allows ${count(limitsOfPlan(plan)[window])}`;
  }
  const columns = ['plan', 'minute', 'day', 'window']
    .filter((field) => row[field] !== undefined)
    .map((field): Column => ({ field, header: field }));
  return { kind: 'record', row, columns };
}

/** A limit of this size stands for no limit: the mock sends it for Enterprise, whose limits are custom. */
const UNLIMITED_MIN = 1e9;

/** Formats a number for people: `1,000`. */
function count(value: number | undefined): string {
  return value?.toLocaleString('en') ?? 'unknown';
}

/** Formats the numbers and the time to the reset, which does not depend on the local clock. */
function lineOf({ limit, remaining, resetsInMs }: KnownLimit): string {
  // The service sends all three numbers or none.
  if (limit === undefined) return 'unknown';
  if (limit >= UNLIMITED_MIN) return 'unlimited';
  const left = `${count(remaining)} of ${count(limit)} left`;
  if (resetsInMs === undefined) return left;
  return `${left}, resets ${resetsInMs === 0 ? 'now' : `in ${describeDuration(resetsInMs)}`}`;
}
