import { describe, expect, test } from 'vitest';
import type { KnownLimit } from '../../../../src/client/gate/budget/budget.js';
import { createTestBudget, limited, LOST, type TestBudget } from '../test-budget.js';

/** A 429 response that names no time. The client backs off for a second. */
const UNNAMED = { kind: 'rate-limited', holdMs: 1_000 } as const;
const PASSED = { kind: 'response' } as const;

/** Sends requests at these times: all pass but the last one. */
function send(
  { start, end }: TestBudget,
  times: readonly number[],
  last = PASSED as Parameters<TestBudget['end']>[1],
) {
  for (const [index, at] of times.entries()) end(start(at), index === times.length - 1 ? last : PASSED, at);
}

function learned({ budget }: TestBudget): Pick<KnownLimit, 'limit' | 'lengthMs' | 'spacingMs'>[] {
  return budget.limits.map(({ limit, lengthMs, spacingMs }) => ({ limit, lengthMs, spacingMs }));
}

describe('a hidden limit is learned', () => {
  test.each([
    ['from a wait until the end of the window', [0, 100, 200, 400], 4_600, 5_000],
    ['from a wait that is always as long as the window', [0, 2_000, 4_000], 60_000, 60_000],
    ['of no round length, which is rounded up', [0, 200, 400], 12_000, 15_000],
  ])('%s', (_, times, waitMs, lengthMs) => {
    const test = createTestBudget();
    send(test, times, limited(waitMs));
    expect(learned(test)).toEqual([{ limit: times.length - 1, lengthMs, spacingMs: 0 }]);
  });

  test.each([
    [[1_400, 3_400], 7_500, 5_000],
    [[1_400, 3_400, 7_400, 15_400, 31_400], 63_500, 60_000],
    [[], 1_500, 1_000],
  ])('without a time: rejected until %j, passed at %i ms, so of %i ms', (rejectedAt, passedAt, lengthMs) => {
    const test = createTestBudget();
    send(test, [0, 100, 400], UNNAMED);
    for (const at of rejectedAt) send(test, [at], UNNAMED);
    expect(learned(test)).toEqual([]);
    send(test, [passedAt]);
    expect(learned(test)).toEqual([{ limit: 2, lengthMs, spacingMs: 0 }]);
  });
});

test('a lost request may not have passed: no limit is learned from it, but it counts for a known one', () => {
  const test = createTestBudget();
  test.end(test.start(), LOST);
  send(test, [0, 400], limited(4_600));
  expect(learned(test)).toMatchObject([{ limit: 1, lengthMs: 5_000 }]);
  send(test, [5_000]);
  test.end(test.start(10_000), LOST, 10_000);
  expect(test.available(0, 14_999)).toBe(0);
  expect(test.available(0, 15_000)).toBe(1);
});

describe('if a request is rejected although a hidden limit allows it', () => {
  /** Two requests in five seconds are known. */
  const known = (): TestBudget => {
    const test = createTestBudget();
    send(test, [0, 100, 400], limited(4_600));
    return test;
  };

  test('requests are sent one by one, and later ones further apart', () => {
    const test = known();
    send(test, [5_000, 5_100], limited(5_000));
    expect(learned(test)).toEqual([{ limit: 2, lengthMs: 5_000, spacingMs: 2_500 }]);
    send(test, [10_100]);
    expect(test.obstacle(12_599)).toMatchObject({ until: 12_600, isGuess: true });
    expect([test.obstacle(12_600), test.available(0, 12_600)]).toEqual([undefined, 1]);
    send(test, [12_600], limited(5_000));
    expect(learned(test)).toMatchObject([{ spacingMs: 3_750 }]);
  });

  test('again and again, because another user takes all, one is sent in each window', () => {
    const test = known();
    for (let at = 5_000; at < 1_000_000; at += 12_000) send(test, [at, at + 1], limited(5_000));
    expect(learned(test)).toEqual([{ limit: 2, lengthMs: 5_000, spacingMs: 5_000 }]);
  });

  test('and the window was too short, it is measured', () => {
    const test = createTestBudget();
    // A bucket of five that gets one a second: a second looks like its window.
    send(test, [0, 10, 20, 30, 40, 400], UNNAMED);
    send(test, [1_500, 1_550], UNNAMED);
    expect(learned(test)).toEqual([{ limit: 5, lengthMs: 1_000, spacingMs: 0 }]);
    send(test, [2_650]);
    expect(learned(test)).toEqual([{ limit: 5, lengthMs: 5_000, spacingMs: 1_000 }]);
  });

  test('after ten minutes without a rejection they are closer again, and then more', () => {
    const test = known();
    send(test, [5_000, 5_100], limited(5_000));
    send(test, [10_100, 12_600], limited(5_000));
    const minutes = Array.from({ length: 6 }, (_, index) => 12_600 + (index + 1) * 600_000);
    const after = minutes.map((at) => {
      send(test, [at]);
      return [test.budget.limits[0]?.limit, Math.round(test.budget.limits[0]?.spacingMs ?? 0)];
    });
    expect(after).toEqual([
      [2, 3_409],
      [2, 3_099],
      [2, 2_817],
      [2, 2_561],
      [2, 2_500],
      [3, 2_273],
    ]);
  });
});
