import { describe, expect, test } from 'vitest';
import { createVirtualClock, durationMs } from '../../src/mock/clock.js';

test('goes with the clock underneath, moved by what was advanced', () => {
  let base = 1_000;
  const clock = createVirtualClock({ now: () => base });
  clock.advance(500);
  base += 1;
  expect([clock.now(), clock.offsetMs]).toEqual([1_501, 500]);
  clock.reset();
  expect([clock.now(), clock.offsetMs]).toEqual([1_001, 0]);
});

test('advancing ends the waits that are due, earliest first, and no other', async () => {
  const clock = createVirtualClock({ now: () => 0 });
  const ended: string[] = [];
  const waits = [
    clock.wait(3_600_000).then(() => ended.push('late')),
    clock.wait(1_800_000).then(() => ended.push('early')),
  ];
  const never = new AbortController();
  const longest = clock.wait(7_200_000, never.signal).catch(() => ended.push('aborted'));
  clock.advance(3_600_000);
  await Promise.all(waits);
  expect(ended).toEqual(['early', 'late']);
  never.abort();
  await longest;
  expect(ended).toEqual(['early', 'late', 'aborted']);
});

test('a wait also ends by itself', async () => {
  await expect(createVirtualClock({ now: () => 0 }).wait(1)).resolves.toBeUndefined();
});

test('a wait ends with the reason of the signal, also one that came before', async () => {
  const clock = createVirtualClock({ now: () => 0 });
  const reason = new Error('enough');
  await expect(clock.wait(3_600_000, AbortSignal.abort(reason))).rejects.toBe(reason);
  const controller = new AbortController();
  const waiting = clock.wait(3_600_000, controller.signal);
  controller.abort(reason);
  await expect(waiting).rejects.toBe(reason);
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
    'refuses %j',
    (text) => {
      expect(() => durationMs(text)).toThrow(TypeError);
    },
  );
});
