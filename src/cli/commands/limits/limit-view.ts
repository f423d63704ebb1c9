import type { KnownBudget, WindowSource } from '../../../client/internal.js';
import { limitsOfPlan, type Plan, type RateWindow } from '../../../schema/rate-limit.js';
import type { Session } from '../../session/session.js';
import { describeDuration } from '../../../time/duration.js';
import type { Column, Row, View } from '../../output/index.js';

/** What is known about a limit. */
export interface ShownLimit {
  /** @default 'response' */
  source?: WindowSource;
  limit?: number;
  remaining?: number;
  /** By the service's clock. Absent if the service has not named it. */
  resetAt?: Date;
  /** Milliseconds from the response to the reset, independent of the local clock. */
  resetsInMs?: number;
  /** Length of the window in milliseconds, as far as the client knows it. */
  lengthMs?: number;
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
  'retryAfterSeconds',
  'windows',
];

/**
 * Makes the view of the active limit and all known windows.
 *
 * @param known the limit of the response, or the tightest known one.
 */
export function limitView(known: ShownLimit, budget: KnownBudget, session: Session): View {
  const { format, global } = session;
  const windows = budget.windows.map((window) => withReceivedReset(window, known));
  if (isForPeople({ format, global })) return peopleView(known, windows);
  const row = {
    plan: known.plan ?? null,
    planInferred: known.plan !== undefined,
    ...dataOf(known),
    retryInSeconds: seconds(budget.heldForMs || undefined),
    retryAfterSeconds: seconds(budget.retryAfterMs || undefined),
    windows: windows.map(windowOf),
  };
  return {
    kind: 'record',
    row: format === 'tsv' && global.query === undefined ? withoutGaps(row) : row,
    columns: COLUMNS,
  };
}

/** TSV has no header, and `read` of a shell takes adjacent tabs for one. */
function withoutGaps(row: Row): Row {
  return { ...row, ...Object.fromEntries(COLUMNS.map(({ field }) => [field, row[field] ?? 'unknown'])) };
}

/** One reset has one distance: the latest response has another `Date` than the one that the budget is counted from. */
function withReceivedReset(window: ShownLimit, { limit, resetAt, resetsInMs }: ShownLimit): ShownLimit {
  const isSame = window.limit === limit && window.resetAt?.getTime() === resetAt?.getTime();
  return isSame && resetsInMs !== undefined ? { ...window, resetsInMs } : window;
}

/** Whether the output is for people: it then names the plan as inferred. */
export function isForPeople({ format, global }: Pick<Session, 'format' | 'global'>): boolean {
  return format === 'table' && global.fields === undefined;
}

function dataOf({ window, limit, remaining, resetAt, resetsInMs }: ShownLimit): Record<string, unknown> {
  return {
    window: window ?? null,
    limit: limit ?? null,
    remaining: remaining ?? null,
    reset: resetAt?.toISOString() ?? null,
    resetInSeconds: seconds(resetsInMs),
  };
}

function windowOf(known: ShownLimit): Record<string, unknown> {
  const { source = 'response', lengthMs } = known;
  return { ...dataOf(known), source, lengthInSeconds: seconds(lengthMs) };
}

/** Rounds up to whole seconds. */
function seconds(ms: number | undefined): number | null {
  return ms === undefined ? null : Math.ceil(ms / 1_000);
}

function peopleView(known: ShownLimit, windows: readonly ShownLimit[]): View {
  const { plan } = known;
  const row: Record<string, unknown> = { plan: plan === undefined ? 'unknown' : `${plan} (inferred)` };
  const limits: ShownLimit[] = [...windows];
  const isListed = limits.some(({ limit, window }) => limit === known.limit && window === known.window);
  if (limits.length === 0 || (known.limit !== undefined && !isListed)) limits.unshift(known);
  for (const limit of limits) row[freeLabel(limit, row)] = lineOf(limit);
  if (plan !== undefined) {
    for (const window of ['minute', 'day'] as const)
      row[window] ??= `the plan allows ${count(limitsOfPlan(plan)[window])}`;
  }
  const labels = Object.keys(row);
  const first = ['plan', 'minute', 'day'].filter((label) => labels.includes(label));
  const columns = [...new Set([...first, ...labels])].map((field): Column => ({ field, header: field }));
  return { kind: 'record', row, columns };
}

/** Names a window: `minute`, `per 15 min`, or `window`. A service can have several of the same name. */
function freeLabel({ window, lengthMs }: ShownLimit, taken: Readonly<Record<string, unknown>>): string {
  const label = window ?? (lengthMs === undefined ? 'window' : `per ${describeDuration(lengthMs)}`);
  let free = label;
  for (let number = 2; taken[free] !== undefined; number += 1) free = `${label} ${String(number)}`;
  return free;
}

/** A limit of this size stands for no limit: the mock sends it for Enterprise, whose limits are custom. */
const UNLIMITED_MIN = 1e9;

/** Formats a number for people: `1,000`. */
function count(value: number | undefined): string {
  return value?.toLocaleString('en') ?? 'unknown';
}

/**
 * Formats the numbers and the time to the reset, which does not depend on the local clock. What the service sent, what
 * its plan implies and what a 429 response revealed have different words.
 */
function lineOf({ source, limit, remaining, resetsInMs }: ShownLimit): string {
  // The service sends all three numbers or none.
  if (limit === undefined) return 'unknown';
  if (limit >= UNLIMITED_MIN) return 'unlimited';
  if (source === 'plan') return `the plan allows ${count(limit)}, ${count(remaining)} left as counted here`;
  const left = `${count(remaining)} of ${count(limit)} left`;
  const inTime = resetsInMs === undefined ? undefined : describeDuration(resetsInMs);
  if (source === 'learned')
    return `${left}, learned from a 429 response${inTime === undefined ? '' : `, ends in about ${inTime}`}`;
  if (inTime === undefined) return left;
  return `${left}, resets ${resetsInMs === 0 ? 'now' : `in ${inTime}`}`;
}
