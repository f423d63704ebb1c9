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

describe('the numbers of the specification', () => {
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

describe('the headers', () => {
  test('describe the minute, until the day has less left', () => {
    const ledger = createLedger();
    expect(admit(ledger, 'free', MIDNIGHT).budget).toEqual({
      limit: 60,
      remaining: 59,
      resetAt: MIDNIGHT + MINUTE_MS,
    });
    for (let minute = 1; minute <= 16; minute += 1)
      admitMany(ledger, 'free', 60, MIDNIGHT + minute * MINUTE_MS);
    // 961 are used up; the day has 39 left, a fresh minute 60.
    expect(budgetOf(ledger, 'free', MIDNIGHT + 17 * MINUTE_MS)).toEqual({
      limit: 1_000,
      remaining: 39,
      resetAt: MIDNIGHT + DAY_MS,
    });
  });

  test('on a tie describe the day, which resets later', () => {
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

  test('of a request without a key show an untouched minute', () => {
    expect(fullBudget('pro', MIDNIGHT + 1)).toEqual({
      limit: 300,
      remaining: 300,
      resetAt: MIDNIGHT + MINUTE_MS,
    });
  });

  test('tell the truth: as many as remain go through before the reset, and no more', () => {
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

describe('refusing', () => {
  test('Retry-After is rounded up, at least 1, and enough', () => {
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

  test('a refused request uses no budget of the day', () => {
    const ledger = createLedger();
    admitMany(ledger, 'free', 65, MIDNIGHT);
    expect(ledger.day.used).toBe(60);
  });

  test('the tenth repeat after a 429 starts a ban of five minutes', () => {
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

  test('a request that is let through forgives', () => {
    const ledger = createLedger();
    for (let minute = 0; minute < 5; minute += 1) {
      admitMany(ledger, 'free', 70, MIDNIGHT + minute * MINUTE_MS);
      expect(ledger.banned).toBe(false);
    }
  });

  test('a ban that outlives no window is longer: the day is used up as well', () => {
    const ledger = createLedger();
    for (let minute = 0; minute < 17; minute += 1)
      admitMany(ledger, 'free', 60, MIDNIGHT + minute * MINUTE_MS);
    const now = MIDNIGHT + 20 * MINUTE_MS;
    admitMany(ledger, 'free', 11, now);
    expect(admit(ledger, 'free', now)).toMatchObject({
      banned: true,
      budget: { resetAt: MIDNIGHT + DAY_MS },
    });
    // After the ban the first refusal is a first one again.
    expect(admit(ledger, 'free', now + 300_000)).toMatchObject({ admitted: false, banned: false });
  });

  test('a hold refuses as a used-up budget does', () => {
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
