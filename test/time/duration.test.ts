import { describe, expect, test } from 'vitest';
import { describeDuration, describeTimeLimit, parseDuration, timeOfRetry } from '../../src/time/duration.js';

describe('parseDuration', () => {
  test.each([
    ['500ms', 500],
    ['30s', 30_000],
    ['30', 30_000],
    ['0', 0],
    ['1.5m', 90_000],
    ['5m', 300_000],
    ['2h', 7_200_000],
    ['0.0004s', 0],
  ])('%s is %d ms', (text, durationMs) => {
    expect(parseDuration(text)).toBe(durationMs);
  });

  test.each(['', '-1s', '1 s', '1d', 's', '1e3', '0x10', '1s1m', '.5s', '1.s', '99999999999999999h', 'NaN'])(
    '%j is not a duration',
    (text) => {
      expect(parseDuration(text)).toBeUndefined();
    },
  );
});

test.each([
  [0, '0 s'],
  [1, '1 s'],
  [12_000, '12 s'],
  [59_001, '1 min'],
  [185_000, '3 min 5 s'],
  [7_800_000, '2 h 10 min'],
  [-5, '0 s'],
  [86_400_000, '1 day'],
  [172_800_000, '2 days'],
  [176_461_000, '2 days 1 h'],
])('%d ms is written as %s', (durationMs, text) => {
  expect(describeDuration(durationMs)).toBe(text);
});

test.each([
  [800, '800 ms'],
  [1_500, '1.5 s'],
  [75_000, '75 s'],
])('formats the time limit %d', (limitMs, text) => {
  expect(describeTimeLimit(limitMs)).toBe(text);
});

test.each([
  [new Date(2026, 10, 22, 23, 0, 0, 0), '23:00:00'],
  [new Date(2026, 10, 22, 23, 0, 0, 1), '23:00:01'],
  [new Date(2026, 10, 22, 23, 59, 59, 946), '2026-11-23 00:00:00'],
  [new Date(2026, 10, 23, 22, 0), '2026-11-23 22:00:00'],
])('formats when to try again: %s', (time, text) => {
  expect(timeOfRetry(time.getTime(), new Date(2026, 10, 22, 22, 0).getTime())).toBe(text);
});
