import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  admit,
  type Budget,
  budgetOf,
  createLedger,
  blockUntil,
  fullBudget,
  type MockPlan,
} from '../../../src/mock/service/limits.js';

const MIDNIGHT = Date.UTC(2026, 10, 21);
const MINUTE_MS = 60_000;
const DAY_MS = 86_400_000;

function admitMany(
  ledger: ReturnType<typeof createLedger>,
  plan: 'free' | 'pro' | 'business',
  count: number,
  now: number,
) {
  let admitted = 0;
  for (let sent = 0; sent < count; sent += 1) if (admit(ledger, plan, now).admitted) admitted += 1;
  return admitted;
}

describe('limits of the specification', () => {
  test.each([
    ['free', 60, 1_000],
    ['pro', 300, 10_000],
    ['business', 1_000, 100_000],
  ] as const)('%s: %i a minute, %i a day', (plan, perMinute, perDay) => {
    const ledger = createLedger();
    let today = 0;
    for (let minute = 0; minute < 1_440 && today < perDay; minute += 1) {
      const admitted = admitMany(ledger, plan, perMinute + 1, MIDNIGHT + minute * MINUTE_MS);
      expect(admitted).toBe(Math.min(perMinute, perDay - today));
      today += admitted;
    }
    const lastMinute = MIDNIGHT + DAY_MS - MINUTE_MS;
    expect(admit(ledger, plan, lastMinute)).toMatchObject({ admitted: false, retryAfterSeconds: 60 });
    expect(admit(ledger, plan, MIDNIGHT + DAY_MS).admitted).toBe(true);
  });

  test('unlimited counts nothing', () => {
    const ledger = createLedger();
    for (let sent = 0; sent < 5_000; sent += 1)
      expect(admit(ledger, 'unlimited', MIDNIGHT).admitted).toBe(true);
    expect(shown(budgetOf(ledger, 'unlimited', MIDNIGHT))).toEqual([1e9, 1e9, MINUTE_MS]);
  });
});

/** The limit, the requests that remain, and the time of the reset since midnight. */
const shown = ({ limit, remaining, resetAt }: Budget) => [limit, remaining, resetAt - MIDNIGHT];

describe('headers', () => {
  test('describe the minute, until the day has fewer requests left', () => {
    const ledger = createLedger();
    expect(shown(admit(ledger, 'free', MIDNIGHT).budget)).toEqual([60, 59, MINUTE_MS]);
    for (let minute = 1; minute <= 16; minute += 1)
      admitMany(ledger, 'free', 60, MIDNIGHT + minute * MINUTE_MS);
    // 961 are used; the day has 39 left, a new minute 60.
    expect(shown(budgetOf(ledger, 'free', MIDNIGHT + 17 * MINUTE_MS))).toEqual([1_000, 39, DAY_MS]);
  });

  test('describe the day if both have the same number left', () => {
    const ledger = createLedger();
    for (let minute = 0; minute < 15; minute += 1)
      admitMany(ledger, 'free', 60, MIDNIGHT + minute * MINUTE_MS);
    admitMany(ledger, 'free', 39, MIDNIGHT + 15 * MINUTE_MS);
    const now = MIDNIGHT + 16 * MINUTE_MS;
    expect(budgetOf(ledger, 'free', now)).toMatchObject({ limit: 60, remaining: 60 });
    admitMany(ledger, 'free', 1, now - 1);
    expect(shown(budgetOf(ledger, 'free', now))).toEqual([1_000, 60, DAY_MS]);
  });

  test('of a request without a key show a full minute', () => {
    expect(shown(fullBudget('pro', MIDNIGHT + 1))).toEqual([300, 300, MINUTE_MS]);
  });

  test('are exact: Remaining requests are admitted before Reset, and no more', () => {
    fc.assert(
      fc.property(
        fc.constantFrom('free' as const, 'pro' as const),
        fc.array(fc.tuple(fc.integer({ min: 0, max: 90_000 }), fc.integer({ min: 1, max: 400 })), {
          maxLength: 20,
        }),
        (plan, bursts) => {
          const ledger = createLedger();
          let now = MIDNIGHT + DAY_MS - 600_000;
          for (const [waitMs, count] of bursts) {
            now += waitMs;
            admitMany(ledger, plan, Math.min(count, budgetOf(ledger, plan, now).remaining), now);
          }
          const { remaining, resetAt } = budgetOf(ledger, plan, now);
          expect(resetAt).toBeGreaterThan(now);
          expect(admitMany(ledger, plan, remaining + 1, now)).toBe(remaining);
          expect(admit(ledger, plan, budgetOf(ledger, plan, now).resetAt).admitted).toBe(true);
        },
      ),
    );
  });
});

describe('429', () => {
  test('Retry-After is rounded up, at least 1, and sufficient', () => {
    for (const beforeResetMs of [1, 999, 1_000, 1_001, 59_999]) {
      const ledger = createLedger();
      const now = MIDNIGHT + MINUTE_MS - beforeResetMs;
      admitMany(ledger, 'free', 60, now);
      const refused = admit(ledger, 'free', now);
      if (refused.admitted) throw new Error('was let through');
      expect(refused.retryAfterSeconds).toBe(Math.max(1, Math.ceil(beforeResetMs / 1_000)));
      expect(admit(ledger, 'free', now + refused.retryAfterSeconds * 1_000).admitted).toBe(true);
    }
  });

  test('a 429 does not count for the day', () => {
    const ledger = createLedger();
    admitMany(ledger, 'free', 65, MIDNIGHT);
    expect(ledger.day.used).toBe(60);
  });

  /** What a request gets, and the time of the reset since midnight. */
  const outcomeAt = (ledger: ReturnType<typeof createLedger>, now: number, plan: MockPlan = 'free') => {
    const { budget, ...outcome } = admit(ledger, plan, now);
    if (outcome.admitted) return `${String(budget.remaining)} remain`;
    return [outcome.banned ? 'banned' : 'limited', outcome.retryAfterSeconds, budget.resetAt - MIDNIGHT];
  };

  test('the tenth 429 after the first one starts a ban of five minutes', () => {
    const ledger = createLedger();
    admitMany(ledger, 'free', 60, MIDNIGHT);
    for (let repeat = 0; repeat <= 9; repeat += 1)
      expect(outcomeAt(ledger, MIDNIGHT)).toEqual(['limited', 60, MINUTE_MS]);
    expect(outcomeAt(ledger, MIDNIGHT)).toEqual(['banned', 300, 300_000]);
    expect(budgetOf(ledger, 'free', MIDNIGHT)).toMatchObject({ limit: 60, remaining: 0 });
    expect(outcomeAt(ledger, MIDNIGHT + 299_999)).toEqual(['banned', 1, 300_000]);
    expect(outcomeAt(ledger, MIDNIGHT + 300_000)).toBe('59 remain');
  });

  test('an admitted request restarts the count', () => {
    const ledger = createLedger();
    for (let minute = 0; minute < 5; minute += 1) {
      admitMany(ledger, 'free', 70, MIDNIGHT + minute * MINUTE_MS);
      expect(ledger.banned).toBe(false);
    }
  });

  test('a ban shows the reset of the day if the day is used up', () => {
    const ledger = createLedger();
    for (let minute = 0; minute < 17; minute += 1)
      admitMany(ledger, 'free', 60, MIDNIGHT + minute * MINUTE_MS);
    const now = MIDNIGHT + 20 * MINUTE_MS;
    admitMany(ledger, 'free', 11, now);
    expect(outcomeAt(ledger, now)).toEqual(['banned', 85_200, DAY_MS]);
    // After the ban, the count of 429 responses starts again.
    expect(outcomeAt(ledger, now + 300_000)).toEqual(['limited', 84_900, DAY_MS]);
  });

  test('a block rejects like a used-up limit', () => {
    const ledger = createLedger();
    blockUntil(ledger, MIDNIGHT + 2_500);
    expect(outcomeAt(ledger, MIDNIGHT, 'unlimited')).toEqual(['limited', 3, 2_500]);
    expect(budgetOf(ledger, 'unlimited', MIDNIGHT).remaining).toBe(0);
    expect(outcomeAt(ledger, MIDNIGHT + 2_500, 'unlimited')).toMatch(/remain$/);
  });
});
