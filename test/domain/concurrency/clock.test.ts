import { expect, test, vi } from 'vitest';
import { pause, systemClock } from '../../../src/domain/concurrency/clock.js';
import { createVirtualClock } from '../../support/virtual-clock.js';

test('a pause ends after its time', async () => {
  const clock = createVirtualClock();
  const done = vi.fn();
  void pause(clock, 1_000, undefined).then(done);
  await clock.advance(999);
  expect(done).not.toHaveBeenCalled();
  await clock.advance(1);
  expect(done).toHaveBeenCalled();
});

test('a pause ends when the signal is aborted, and leaves no timer', async () => {
  const clock = createVirtualClock();
  const controller = new AbortController();
  const paused = pause(clock, 1_000, controller.signal);
  controller.abort();
  await paused;
  await pause(clock, 1_000, controller.signal);
  expect(clock.pending).toBe(0);
});

test('the system clock calls back, unless the timer is cleared', async () => {
  const called: string[] = [];
  const clear = systemClock.setTimeout(() => called.push('cleared'), 1);
  clear();
  // Node fires a timer of this delay immediately.
  const clearFar = systemClock.setTimeout(() => called.push('far'), 2 ** 31);
  await new Promise<void>((resolve) => {
    systemClock.setTimeout(() => {
      called.push('called');
      resolve();
    }, 5);
  });
  clearFar();
  expect(called).toEqual(['called']);
  expect(Math.abs(systemClock.now() - Date.now())).toBeLessThan(60_000);
});
