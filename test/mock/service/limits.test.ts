import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { admit, budgetOf, createLedger, blockUntil, fullBudget } from '../../../src/mock/service/limits.js';

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
    expect(budgetOf(ledger, 'unlimited', MIDNIGHT)).toEqual({
      limit: 1_000_000_000,
      remaining: 1_000_000_000,
      resetAt: MIDNIGHT + MINUTE_MS,
    });
  });
});

describe('headers', () => {
  test('describe the minute, until the day has fewer requests left', () => {
    const ledger = createLedger();
    expect(admit(ledger, 'free', MIDNIGHT).budget).toEqual({
      limit: 60,
      remaining: 59,
      resetAt: MIDNIGHT + MINUTE_MS,
    });
    for (let minute = 1; minute <= 16; minute += 1)
      admitMany(ledger, 'free', 60, MIDNIGHT + minute * MINUTE_MS);
    // 961 are used; the day has 39 left, a new minute 60.
    expect(budgetOf(ledger, 'free', MIDNIGHT + 17 * MINUTE_MS)).toEqual({
      limit: 1_000,
      remaining: 39,
      resetAt: MIDNIGHT + DAY_MS,
    });
  });

  test('describe the day if both have the same number left', () => {
    const ledger = createLedger();
    for (let minute = 0; minute < 15; minute += 1)
      admitMany(ledger, 'free', 60, MIDNIGHT + minute * MINUTE_MS);
    admitMany(ledger, 'free', 39, MIDNIGHT + 15 * MINUTE_MS);
    const now = MIDNIGHT + 16 * MINUTE_MS;
    expect(budgetOf(ledger, 'free', now)).toMatchObject({ limit: 60, remaining: 60 });
    admitMany(ledger, 'free', 1, now - 1);
    expect(budgetOf(ledger, 'free', now)).toEqual({
      limit: 1_000,
      remaining: 60,
      resetAt: MIDNIGHT + DAY_MS,
    });
  });

  test('of a request without a key show a full minute', () => {
    expect(fullBudget('pro', MIDNIGHT + 1)).toEqual({
      limit: 300,
      remaining: 300,
      resetAt: MIDNIGHT + MINUTE_MS,
    });
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

  test('the tenth 429 after the first one starts a ban of five minutes', () => {
    const ledger = createLedger();
    admitMany(ledger, 'free', 60, MIDNIGHT);
    for (let repeat = 0; repeat <= 9; repeat += 1) {
      expect(admit(ledger, 'free', MIDNIGHT)).toMatchObject({ banned: false, retryAfterSeconds: 60 });
    }
    expect(admit(ledger, 'free', MIDNIGHT)).toMatchObject({
      admitted: false,
      banned: true,
      retryAfterSeconds: 300,
      budget: { limit: 60, remaining: 0, resetAt: MIDNIGHT + 300_000 },
    });
    expect(admit(ledger, 'free', MIDNIGHT + 299_999)).toMatchObject({
      banned: true,
      retryAfterSeconds: 1,
      budget: { remaining: 0 },
    });
    expect(admit(ledger, 'free', MIDNIGHT + 300_000)).toMatchObject({
      admitted: true,
      budget: { remaining: 59 },
    });
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
    expect(admit(ledger, 'free', now)).toMatchObject({
      banned: true,
      budget: { resetAt: MIDNIGHT + DAY_MS },
    });
    // After the ban, the count of 429 responses starts again.
    expect(admit(ledger, 'free', now + 300_000)).toMatchObject({ admitted: false, banned: false });
  });

  test('a block rejects like a used-up limit', () => {
    const ledger = createLedger();
    blockUntil(ledger, MIDNIGHT + 2_500);
    expect(admit(ledger, 'unlimited', MIDNIGHT)).toMatchObject({
      admitted: false,
      banned: false,
      retryAfterSeconds: 3,
      budget: { remaining: 0, resetAt: MIDNIGHT + 2_500 },
    });
    expect(admit(ledger, 'unlimited', MIDNIGHT + 2_500).admitted).toBe(true);
  });
});
