import { describe, expect, test } from 'vitest';
import { countReport, countSent } from '../../../../src/client/gate/budget/budget-counting.js';
import { type Budget, createBudget, NEVER } from '../../../../src/client/gate/budget/budget.js';
import { createLimit } from '../../../../src/client/gate/budget/learn-limits.js';
import { parseBudget, formatBudget } from '../../../../src/client/gate/budget/budget-text.js';
import { updateTickets, addLease } from '../../../../src/client/gate/budget/leases.js';

function busyState(): Budget {
  const state = createBudget();
  const rateLimit = {
    limit: 60,
    remaining: 30,
    resetAt: 1_800_000_000_000,
    window: 'minute',
    plan: 'free',
  } as const;
  countReport(state, countSent(state, 0), { kind: 'response', rateLimit, untilResetMs: 30_000 }, 0.25);
  countReport(state, countSent(state, 0), { kind: 'rate-limited', holdMs: 1_000.5, retryAfterMs: 1_000 }, 5);
  addLease(state, 10, { holder: 'host-1', number: 1, leaseMs: 35_000 });
  updateTickets(state, 'host-2', [{ level: 12.5, waitingCount: 3, wasServed: false }], 500);
  return state;
}

describe('a stored budget', () => {
  test.each([
    ['empty', createBudget()],
    ['busy', busyState()],
  ])('is the same after parsing: %s', (_, state) => {
    expect(parseBudget(formatBudget(state))).toEqual(state);
    expect(formatBudget(parseBudget(formatBudget(state))!)).toBe(formatBudget(state));
  });

  // Pinned: different versions of the package share a budget.
  test('keeps its field names', () => {
    const rateLimit = { limit: 60, remaining: 41, resetAt: 60_000, window: 'minute', plan: 'free' } as const;
    const state = createBudget();
    countReport(state, countSent(state, 10), { kind: 'response', rateLimit, untilResetMs: 50_000 }, 10);
    countReport(state, countSent(state, 20), { kind: 'no-response', sent: true }, 20);
    countReport(
      state,
      countSent(state, 30),
      { kind: 'rate-limited', holdMs: 1_500, retryAfterMs: 1_000 },
      30,
    );
    addLease(state, 40, { holder: 'host-1', number: 7, leaseMs: 30_000 });
    updateTickets(state, 'host-2', [{ level: 25, waitingCount: 3, wasServed: false }], 100);
    const minute = {
      isHidden: false,
      window: 'minute',
      isCustom: false,
      spacingMs: 0,
      lateMs: 0,
      since: NEVER,
      learnedAt: NEVER,
    };
    const stored = {
      format: 5,
      resetCount: 0,
      sentCount: 4,
      limits: [
        {
          ...minute,
          limit: 60,
          open: {
            remaining: 41,
            rejectedCount: 0,
            endsAt: 50_010,
            rateLimit,
            unconfirmed: [2, 3],
            firstRemaining: 41,
            firstAt: 10,
            ownCount: 2,
            foreignCount: 0,
          },
          source: 'response',
          lengthMs: 60_000,
          resetAt: 60_000,
          learnedAt: 10,
        },
        { ...minute, limit: 1_000, source: 'plan', window: 'day', lengthMs: 86_400_000 },
      ],
      passes: [10, 10, 2],
      passedCount: 1,
      sentAt: 40,
      aloneSerial: 4,
      rateLimit,
      heldUntil: 1_530,
      retryAfterUntil: 1_030,
      consecutive429Count: 1,
      last429Serial: 3,
      probesMax: 1,
      probesInFlight: 0,
      unconfirmed: [],
      leases: [{ holder: 'host-1', number: 7, serial: 4, expiresAt: 30_040 }],
      tickets: [{ holder: 'host-2', level: 25, waitingCount: 3, expiresAt: 2_100 }],
    };
    expect(JSON.parse(formatBudget(state))).toEqual(stored);
    expect(parseBudget(JSON.stringify(stored))).toEqual(state);
  });

  test.each([
    '',
    '{',
    'null',
    '[]',
    '5',
    '"text"',
    '{}',
    '{"format":1}',
    '{"format":5}',
    '{"format":5,"heldUntil":5}',
    '{"format":4,"heldUntil":"x"}',
  ])('rejects %s', (text) => {
    expect(parseBudget(text)).toBeUndefined();
  });

  test.each([4, 6])('of format %i: only its wait is known', (format) => {
    const text = JSON.stringify({ format, strikes: 4, heldUntil: 7_000.5 });
    expect(parseBudget(text)).toEqual({ ...createBudget(), heldUntil: 7_000.5, retryAfterUntil: 7_000.5 });
  });

  test.each(
    Array.from({ length: 40 }, (_, index) => Math.floor((index * formatBudget(busyState()).length) / 40)),
  )('rejects a text torn after %i characters', (length) => {
    expect(parseBudget(formatBudget(busyState()).slice(0, length))).toBeUndefined();
  });

  test.each<[string, (fields: Record<string, unknown>) => void]>([
    ['a negative count', (fields) => (fields.sentCount = -1)],
    ['an invalid count', (fields) => (fields.consecutive429Count = 1.5)],
    ['an invalid time', (fields) => (fields.heldUntil = 'soon')],
    ['limits that are not a list', (fields) => (fields.limits = {})],
    ['an invalid window', (fields) => (fields.limits = [{ ...createLimit(60, 'response', 1), open: 5 }])],
    [
      'a window of an unknown length',
      (fields) => (fields.limits = [{ ...createLimit(60, 'response', 1), window: 'hour' }]),
    ],
    [
      'a level that is not a number',
      (fields) => (fields.tickets = [{ holder: 'a', level: '5', waitingCount: 1, expiresAt: 1 }]),
    ],
    [
      'a level out of range',
      (fields) => (fields.tickets = [{ holder: 'a', level: 100, waitingCount: 1, expiresAt: 1 }]),
    ],
    [
      'an invalid holder',
      (fields) => (fields.tickets = [{ holder: '\u001b[2J', level: 0, waitingCount: 1, expiresAt: 1 }]),
    ],
    [
      'a reset in the year 275760',
      (fields) => (fields.rateLimit = { limit: 60, remaining: 1, resetAt: 8.64e15 }),
    ],
    [
      'a limit whose reset was in the year 10000',
      (fields) => (fields.limits = [{ ...createLimit(60, 'response', 1), resetAt: Date.UTC(10_000, 0) }]),
    ],
    ['a list that is too long', (fields) => (fields.passes = Array(10_002).fill(1))],
    ['a pass without a count', (fields) => (fields.passes = [1, 1])],
    ['passes that are not in order', (fields) => (fields.passes = [5, 1, 1, -2, 1, 1])],
    ['an invalid count of a pass', (fields) => (fields.passes = [5, 1, 0.5])],
  ])('rejects %s', (_, spoil) => {
    const fields = JSON.parse(formatBudget(busyState())) as Record<string, unknown>;
    spoil(fields);
    expect(parseBudget(JSON.stringify(fields))).toBeUndefined();
  });

  test('takes neither the plan nor the in-flight count from the text', () => {
    const state = busyState();
    const text = formatBudget(state)
      .replace('"plan":"free"', '"plan":"business"')
      .replace('{', '{"inFlight":7,');
    expect(parseBudget(text)).toEqual(state);
  });

  test('can be parsed after an infinite wait', () => {
    const state = createBudget();
    countReport(
      state,
      countSent(state, 0),
      { kind: 'rate-limited', holdMs: Infinity, retryAfterMs: 1_000 },
      0,
    );
    addLease(state, 10, { holder: 'host-1', number: 1, leaseMs: Infinity });
    expect(parseBudget(formatBudget(state))).toMatchObject({
      heldUntil: Number.MAX_SAFE_INTEGER,
      leases: [{ expiresAt: Number.MAX_SAFE_INTEGER }],
    });
  });
});
