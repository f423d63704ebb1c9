import { InvalidInputError } from '../../../errors.js';
import { limitsOfPlan, type RateWindow } from '../../../schema/rate-limit.js';
import type { KnownBudget } from './budget.js';

/** How long a batch of requests takes under the rate limit. */
export interface BatchEstimate {
  requests: number;
  /** Requests left in the window with the fewest, minus the reserve. Absent if no window is known. */
  left?: number;
  /** When the window with the fewest requests left ends. */
  leftUntil?: Date;
  /** Minimum total wait for the rate limit, in milliseconds. `Infinity` if the limit never allows the batch. */
  durationMs: number;
  /** Longest single wait in milliseconds, to compare with `waitMaxMs`. */
  longestWaitMs: number;
}

/**
 * Estimates how long a batch takes under the rate limit. A lower bound: it ignores other users of the key and the
 * duration of the requests.
 *
 * @param known from `PetStore.budget()`. If the plan is known, its other window counts as unused.
 * @param now milliseconds since the epoch.
 * @param reservePercent share of each limit that the batch leaves to others, in percent.
 * @throws InvalidInputError if an argument is invalid.
 *
 * @example
 * ```ts
 * const { durationMs } = estimateBatch(500, await store.budget(), Date.now());
 * ```
 */
export function estimateBatch(
  requests: number,
  known: KnownBudget,
  now: number,
  reservePercent = 0,
): BatchEstimate {
  checkArguments(requests, known, now, reservePercent);
  const windows = windowsOf(known, reservePercent);
  const [tightest] = [...windows].sort((one, other) => one.left - other.left);
  const untilReset =
    tightest === undefined
      ? {}
      : { left: tightest.left, leftUntil: new Date(now + Math.max(known.heldForMs, tightest.endsInMs)) };
  return { requests, ...untilReset, ...simulate(requests, windows, known.heldForMs) };
}

/**
 * Formats an estimate as one line: `240 requests, 100 left until 14:05:10, about 12 min`.
 *
 * @throws InvalidInputError if it is not a result of `estimateBatch`.
 */
export function describeBatch(estimate: BatchEstimate): string {
  const { requests, left, leftUntil, durationMs } = (estimate as BatchEstimate | null | undefined) ?? {};
  if (!isCount(requests) || !isCount(durationMs))
    throw new InvalidInputError('describeBatch needs a result of estimateBatch', { field: 'estimate' });
  const words = [`${String(requests)} ${requests === 1 ? 'request' : 'requests'}`];
  if (left !== undefined && leftUntil !== undefined)
    words.push(`${String(left)} left until ${timeOfDay(leftUntil)}`);
  if (durationMs === Number.POSITIVE_INFINITY) words.push('more than the rate limit ever allows');
  else if (durationMs >= MINUTE_MS) words.push(`about ${roundDuration(durationMs)}`);
  else if (durationMs > 0) words.push('under a minute');
  return words.join(', ');
}

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;
const LENGTH_MS: Readonly<Record<RateWindow, number>> = { minute: MINUTE_MS, day: DAY_MS };

/** Callers without TypeScript can pass anything. */
function checkArguments(requests: unknown, known: unknown, now: unknown, reservePercent: unknown): void {
  const windows = (known as Partial<KnownBudget> | null | undefined)?.windows;
  const isBudget = Array.isArray(windows) && isCount((known as Partial<KnownBudget>).heldForMs);
  const problems: readonly (readonly [isValid: boolean, field: string, description: string])[] = [
    [isCount(requests), 'requests', 'a number of 0 or more'],
    [isBudget, 'known', 'a result of PetStore.budget()'],
    [typeof now === 'number' && Number.isFinite(now), 'now', 'a number of milliseconds'],
    [isCount(reservePercent), 'reservePercent', 'a number of 0 or more'],
  ];
  const found = problems.find(([isValid]) => !isValid);
  if (found === undefined) return;
  const [, field, description] = found;
  throw new InvalidInputError(`${field} must be ${description}`, { field });
}

function isCount(value: unknown): value is number {
  return typeof value === 'number' && value >= 0;
}

interface OpenWindow {
  left: number;
  endsInMs: number;
  /** Requests allowed in each later window. */
  allowed: number;
  lengthMs: number;
}

function windowsOf({ windows }: KnownBudget, reservePercent: number): OpenWindow[] {
  const reserve = (limit: number): number => Math.ceil((limit * reservePercent) / 100);
  const open = windows.map(({ limit, remaining, resetsInMs, window }) => ({
    left: Math.max(0, remaining - reserve(limit)),
    endsInMs: resetsInMs,
    allowed: limit - reserve(limit),
    // Only a window of at most a minute can be unknown.
    lengthMs: LENGTH_MS[window ?? 'minute'],
  }));
  const plan = windows.find((window) => window.plan !== undefined)?.plan;
  if (plan === undefined) return open;
  for (const window of ['minute', 'day'] as const) {
    const limit = limitsOfPlan(plan)[window];
    if (windows.some((known) => known.limit === limit)) continue;
    const allowed = limit - reserve(limit);
    open.push({ left: allowed, endsInMs: LENGTH_MS[window], allowed, lengthMs: LENGTH_MS[window] });
  }
  return open;
}

function simulate(
  requests: number,
  start: readonly OpenWindow[],
  heldForMs: number,
): Pick<BatchEstimate, 'durationMs' | 'longestWaitMs'> {
  const windows = start.map((window) => ({ ...window }));
  let durationMs = 0;
  let longestWaitMs = 0;
  let toSend = requests;
  const waitUntil = (atMs: number): void => {
    longestWaitMs = Math.max(longestWaitMs, atMs - durationMs);
    durationMs = atMs;
    for (const window of windows) {
      if (window.endsInMs > atMs) continue;
      const ended = Math.floor((atMs - window.endsInMs) / window.lengthMs) + 1;
      window.endsInMs += ended * window.lengthMs;
      window.left = window.allowed;
    }
  };
  if (toSend > 0 && heldForMs > 0) waitUntil(heldForMs);
  while (toSend > 0) {
    const sent = Math.min(toSend, ...windows.map(({ left }) => left));
    toSend -= sent;
    for (const window of windows) window.left -= sent;
    if (toSend === 0) break;
    const usedUp = windows.filter(({ left }) => left === 0);
    if (usedUp.some(({ allowed }) => allowed <= 0)) {
      return { durationMs: Number.POSITIVE_INFINITY, longestWaitMs: Number.POSITIVE_INFINITY };
    }
    waitUntil(Math.max(...usedUp.map(({ endsInMs }) => endsInMs)));
  }
  return { durationMs, longestWaitMs };
}

function roundDuration(durationMs: number): string {
  if (durationMs < 2 * HOUR_MS) return `${String(Math.round(durationMs / MINUTE_MS))} min`;
  if (durationMs < 2 * DAY_MS) return `${String(Math.round(durationMs / HOUR_MS))} h`;
  return `${String(Math.round(durationMs / DAY_MS))} days`;
}

function timeOfDay(date: Date): string {
  return [date.getHours(), date.getMinutes(), date.getSeconds()]
    .map((part) => String(part).padStart(2, '0'))
    .join(':');
}
