import { describe, expect, test, vi } from 'vitest';
import { createVirtualClock, durationMs } from '../../../src/mock/service/clock.js';

test('follows the base clock plus the advance', () => {
  let base = 1_000;
  const clock = createVirtualClock({ now: () => base });
  clock.advance(500);
  base += 1;
  expect([clock.now(), clock.offsetMs]).toEqual([1_501, 500]);
  clock.reset();
  expect([clock.now(), clock.offsetMs]).toEqual([1_001, 0]);
});

test('advance ends only the waits that are due, earliest first', async () => {
  const clock = createVirtualClock({ now: () => 0 });
  const ended: string[] = [];
  const waits = [
    clock.wait(3_600_000).then(() => ended.push('late')),
    clock.wait(1_800_000).then(() => ended.push('early')),
  ];
  const controller = new AbortController();
  const longest = clock.wait(7_200_000, controller.signal).then(() => ended.push('aborted'));
  clock.advance(3_600_000);
  await Promise.all(waits);
  expect(ended).toEqual(['early', 'late']);
  controller.abort();
  await longest;
  expect(ended).toEqual(['early', 'late', 'aborted']);
});

test('a wait also ends in real time', async () => {
  await expect(createVirtualClock({ now: () => 0 }).wait(1)).resolves.toBeUndefined();
});

test('a wait with an aborted signal ends at once', async () => {
  const clock = createVirtualClock({ now: () => 0 });
  await expect(clock.wait(3_600_000, AbortSignal.abort())).resolves.toBeUndefined();
});

test.each([-1, Number.NaN, Infinity, 1e300, 253_402_300_800_000 - 1_000])(
  'rejects an advance of %d, and is unchanged',
  (byMs) => {
    const clock = createVirtualClock({ now: () => 1_000 });
    expect(() => clock.advance(byMs)).toThrow(TypeError);
    expect([clock.now(), clock.offsetMs]).toEqual([1_000, 0]);
  },
);

test('advances to the last time of an HTTP date', () => {
  const clock = createVirtualClock({ now: () => 1_000 });
  clock.advance(253_402_300_800_000 - 1_001);
  expect(new Date(clock.now()).toUTCString()).toBe('Fri, 31 Dec 9999 23:59:59 GMT');
});

test('a wait longer than the maximum timer does not end at once', async () => {
  vi.useFakeTimers();
  const clock = createVirtualClock({ now: () => 0 });
  let ended = false;
  const waiting = clock.wait(3_000_000_000).then(() => (ended = true));
  await vi.advanceTimersByTimeAsync(2_147_483_646);
  expect(ended).toBe(false);
  clock.advance(3_000_000_000);
  await waiting;
  vi.useRealTimers();
});

describe('durationMs', () => {
  test.each([
    ['500ms', 500],
    ['60s', 60_000],
    ['1.5s', 1_500],
    ['5m', 300_000],
    ['2h', 7_200_000],
    ['1d', 86_400_000],
    [250, 250],
    [0, 0],
  ])('reads %j as %i', (text, expected) => {
    expect(durationMs(text)).toBe(expected);
  });

  test.each(['', '5', 's', '-5s', '5 s', '5y', 'until-noon', -1, Number.NaN, Infinity])(
    'rejects %j',
    (text) => expect(() => durationMs(text)).toThrow(TypeError),
  );
});
