import { expect, test } from 'vitest';
import { localTime, withLocalTimes } from '../../../../src/cli/output/text/local-time.js';

// Local time, whatever the machine's zone is.
const NOON = new Date(2026, 10, 21, 12, 0).getTime();

test('shows the date only on another day', () => {
  expect(localTime(new Date(2026, 10, 21, 14, 5).getTime(), NOON)).toBe('14:05');
  expect(localTime(new Date(2026, 10, 22, 0, 30).getTime(), NOON)).toBe('2026-11-22 00:30');
});

test('converts times in a text to local time, rounded up to the minute', () => {
  const iso = new Date(2026, 10, 21, 13, 45, 10).toISOString();
  expect(withLocalTimes(`for 1 h (until ${iso}).`, NOON)).toBe('for 1 h (until 13:46).');
  expect(withLocalTimes('2026-11-21 is no moment', NOON)).toBe('2026-11-21 is no moment');
});
