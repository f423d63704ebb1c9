import { expect, test } from 'vitest';
import { inferPlan, inferWindow } from '../../src/schema/rate-limit.js';

// The table of the interface specification, "Request rate, by plan".
test.each([
  [60, 59_000, 'minute', 'free'],
  [300, 60_000, 'minute', 'pro'],
  [1_000, 86_400_000, 'day', 'free'],
  [1_000, 61_001, 'day', 'free'],
  // `Date` and the reset are whole seconds: a minute may look one second longer.
  [1_000, 61_000, undefined, undefined],
  [60, 61_000, 'minute', 'free'],
  [10_000, 1_000, undefined, undefined],
  [10_000, 3_600_000, 'day', 'pro'],
  [100_000, 86_400_000, 'day', 'business'],
  [5_000, 30_000, undefined, undefined],
  [5_000, 3_600_000, undefined, undefined],
  // No minute ends that late.
  [60, 900_000, undefined, undefined],
  [300, 61_001, undefined, undefined],
])(
  'a limit of %i that resets in %i ms has the window %s and the plan %s',
  (limit, untilResetMs, window, plan) => {
    expect(inferWindow(limit, untilResetMs)).toBe(window);
    expect(inferPlan(limit, inferWindow(limit, untilResetMs))).toBe(plan);
  },
);

test.each([
  // The reset may be the end of a ban.
  [60, 300_000, 'minute'],
  [10_000, 300_000, 'day'],
  [1_000, 300_000, undefined],
  [5_000, 300_000, undefined],
])('a 429 with a limit of %i that resets in %i ms has the window %s', (limit, untilResetMs, window) => {
  expect(inferWindow(limit, untilResetMs, true)).toBe(window);
});

test('a limit of 1,000 per minute is that of Business', () => {
  expect(inferPlan(1_000, 'minute')).toBe('business');
});
