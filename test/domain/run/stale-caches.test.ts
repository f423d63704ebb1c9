import { expect, test } from 'vitest';
import { isLate } from '../../../src/domain/run/stale-caches.js';

const DAY_SECONDS = 86_400;
const known = { expiry: 60_000, isLate: false };

test.each([
  ['none was seen before', undefined, 60, 30_000, false],
  ['it counts down', known, 31, 30_000, false],
  ['it is read again later', known, 100, 30_000, true],
  ['it is gone by then', known, 0, 61_000, false],
  ['it is read again afterwards', known, 30, 61_000, true],
  ['it was late before', { ...known, isLate: true }, 1, 30_000, true],
  [
    'the longest absence is shown each time',
    { ...known, expiry: DAY_SECONDS * 1_000 },
    DAY_SECONDS,
    3_600_000,
    false,
  ],
  [
    'the longest absence has passed',
    { ...known, expiry: DAY_SECONDS * 1_000 },
    DAY_SECONDS,
    DAY_SECONDS * 1_001,
    true,
  ],
])('an old record is late: %s', (_name, before, remaining, now, expected) => {
  expect(isLate(before, remaining, now)).toBe(expected);
});
