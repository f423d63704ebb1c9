import { steadyOverload } from './scenarios.js';
import type { Scenario } from './simulation.js';

const HOUR_MS = 3_600_000;
const RATE_HEADERS = ['x-ratelimit-limit', 'x-ratelimit-remaining', 'x-ratelimit-reset'];

type Alter = NonNullable<Scenario['alter']>;

/** Misleading headers, under overload by one client. */
export function traps(plan: Scenario['plan']) {
  const base = steadyOverload(plan, 1);
  const trap = (name: string, alter: Alter, skewMs = 0): Scenario => ({
    ...base,
    name,
    alter,
    skewMs: () => skewMs,
  });
  const withoutDate = without(() => true, ['date']);
  return {
    serverAhead: trap('the server’s clock 1 h ahead', shifted(HOUR_MS, HOUR_MS)),
    serverBehind: trap('the server’s clock 1 h behind', shifted(-HOUR_MS, -HOUR_MS)),
    resetPast: trap('a reset 1 h in the past', shifted(0, -HOUR_MS)),
    resetEarly: trap('a reset 2 s too early', shifted(0, -2_000)),
    resetFloored: trap('a reset rounded down to its second', (headers, _n, writtenAt) => {
      headers.date = new Date(writtenAt + 700).toUTCString();
    }),
    remainingRises: trap('every third response has 3 too many remaining', (headers, n) => {
      const remaining = Number(headers['x-ratelimit-remaining']);
      if (n % 3 === 0) headers['x-ratelimit-remaining'] = String(remaining + 3);
    }),
    headersGap: trap(
      'every third response without headers',
      without((n) => n % 3 === 0, RATE_HEADERS),
    ),
    headersLate: trap(
      'no headers in the first seconds of a minute',
      without((_n, writtenAt) => writtenAt % 60_000 < 22_000, RATE_HEADERS),
    ),
    headersNever: trap(
      'no rate headers at all',
      without(() => true, RATE_HEADERS),
    ),
    dateNever: trap('no Date', withoutDate),
    dateNeverAhead: trap('no Date, and the client’s clock 1 h ahead', withoutDate, HOUR_MS),
  };
}

/** Names of the traps. */
export type TrapName = keyof ReturnType<typeof traps>;

/** Changes of plan while requests are sent. All counts start again. */
export const planChanges: readonly Scenario[] = [
  {
    ...steadyOverload('free', 1),
    name: 'free becomes pro',
    minutes: 2,
    planChange: { atMinute: 0.5, plan: 'pro' },
  },
  {
    ...steadyOverload('free', 1),
    name: 'free becomes pro when most of the day is used',
    usedMinutes: 14,
    minutes: 3,
    // When the day limit has fewer requests left, but is not used up: a received reset is obeyed in any plan.
    planChange: { atMinute: 2.02, plan: 'pro' },
  },
  {
    ...steadyOverload('pro', 1),
    name: 'pro becomes free',
    minutes: 2,
    planChange: { atMinute: 0.5, plan: 'free' },
  },
];

function shifted(dateByMs: number, resetByMs: number): Alter {
  return (headers) => {
    headers.date = new Date(Date.parse(headers.date ?? '') + dateByMs).toUTCString();
    headers['x-ratelimit-reset'] = String(Number(headers['x-ratelimit-reset']) + resetByMs / 1_000);
  };
}

function without(isAffected: (n: number, writtenAt: number) => boolean, names: readonly string[]): Alter {
  return (headers, n, writtenAt) => {
    if (isAffected(n, writtenAt)) for (const name of names) Reflect.deleteProperty(headers, name);
  };
}
