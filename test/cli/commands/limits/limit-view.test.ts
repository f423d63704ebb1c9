import { expect, test } from 'vitest';
import { type ShownLimit, limitView } from '../../../../src/cli/commands/limits/limit-view.js';
import type { Session } from '../../../../src/cli/session/session.js';
import type { RateLimitWindow } from '../../../../src/client/internal.js';

const RESET_AT = new Date(Date.UTC(2026, 2, 1, 12, 1));

/** The lines that a person sees. */
function lines(known: ShownLimit, windows: readonly RateLimitWindow[]): Record<string, unknown> {
  const session = { format: 'table', global: {} } as Session;
  const view = limitView(known, { windows, heldForMs: 0, retryAfterMs: 0 }, session);
  if (view.kind !== 'record') throw new Error('not a record');
  return Object.fromEntries(view.columns.map(({ header, field }) => [header, view.row[field]]));
}

test('what the service sent, the plan implies and a 429 revealed have different words', () => {
  const minute = {
    limit: 60,
    remaining: 41,
    resetAt: RESET_AT,
    resetsInMs: 30_000,
    window: 'minute',
  } as const;
  const day = { limit: 1_000, remaining: 940, resetsInMs: 9e6, window: 'day', lengthMs: 864e5 } as const;
  const learned = { limit: 5, remaining: 4, resetsInMs: 780_000, lengthMs: 900_000 } as const;
  expect(
    lines({ ...minute, plan: 'free' }, [
      { ...minute, plan: 'free', source: 'response' },
      { ...learned, source: 'learned' },
      { ...day, plan: 'free', source: 'plan' },
    ]),
  ).toEqual({
    plan: 'free (inferred)',
    minute: '41 of 60 left, resets in 30 s',
    day: 'the plan allows 1,000, 940 left as counted here',
    'per 15 min': '4 of 5 left, learned from a 429 response, ends in about 13 min',
  });
});

test('shows every window of the same name', () => {
  const window = { remaining: 4, resetAt: RESET_AT, resetsInMs: 30_000, source: 'response' } as const;
  expect(
    lines(
      { limit: 7 },
      [5, 6].map((limit) => ({ ...window, limit })),
    ),
  ).toEqual({
    plan: 'unknown',
    window: 'unknown of 7 left',
    'window 2': '4 of 5 left, resets in 30 s',
    'window 3': '4 of 6 left, resets in 30 s',
  });
});

test('shows learned windows only, if the response has no limit', () => {
  const learned = { limit: 5, remaining: 0, resetsInMs: 4_000, lengthMs: 5_000, source: 'learned' } as const;
  expect(lines({}, [learned])).toEqual({
    plan: 'unknown',
    'per 5 s': '0 of 5 left, learned from a 429 response, ends in about 4 s',
  });
});
