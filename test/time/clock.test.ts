import { getEventListeners } from 'node:events';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { pause, sleep, systemClock } from '../../src/time/clock.js';
import { rejection } from '../support/stores.js';
import { createVirtualClock } from '../support/virtual-clock.js';

const TIMER_MAX_MS = 2 ** 31 - 1;

describe('systemClock', () => {
  beforeEach(() => {
    vi.useFakeTimers();
  });
  afterEach(() => {
    vi.useRealTimers();
  });

  test.each([0, 1, 1_500.5, TIMER_MAX_MS, TIMER_MAX_MS + 1, 9_999_999_000])(
    'waits for all of %d ms, also beyond the limit of Node’s timers',
    (delayMs) => {
      const callback = vi.fn();
      systemClock.setTimeout(callback, delayMs);
      vi.advanceTimersByTime(Math.max(0, delayMs - 1));
      expect(callback).toHaveBeenCalledTimes(0 + (delayMs === 0 ? 1 : 0));
      vi.advanceTimersByTime(2);
      expect(callback).toHaveBeenCalledTimes(1);
      vi.advanceTimersByTime(TIMER_MAX_MS);
      expect(callback).toHaveBeenCalledTimes(1);
      expect(vi.getTimerCount()).toBe(0);
    },
  );

  test('never passes Node a delay beyond its limit', () => {
    const spy = vi.spyOn(globalThis, 'setTimeout');
    systemClock.setTimeout(() => undefined, 2.5 * TIMER_MAX_MS);
    vi.advanceTimersByTime(3 * TIMER_MAX_MS);
    const delays = spy.mock.calls.map(([, delayMs]) => delayMs ?? 0);
    expect(delays).toHaveLength(3);
    expect(Math.max(...delays)).toBe(TIMER_MAX_MS);
    spy.mockRestore();
  });

  test('cancels a delay, also after part of it', () => {
    const callback = vi.fn();
    const cancel = systemClock.setTimeout(callback, 3 * TIMER_MAX_MS);
    vi.advanceTimersByTime(TIMER_MAX_MS + 5);
    cancel();
    expect(vi.getTimerCount()).toBe(0);
    vi.advanceTimersByTime(3 * TIMER_MAX_MS);
    expect(callback).not.toHaveBeenCalled();
  });

  test('has a monotonic time that is independent of the wall clock', () => {
    const before = systemClock.monotonic();
    vi.setSystemTime(0);
    expect(systemClock.now()).toBe(0);
    expect(systemClock.monotonic()).toBeGreaterThanOrEqual(before);
  });
});

describe('sleep', () => {
  test('waits for the whole delay', async () => {
    const clock = createVirtualClock();
    let awake = false;
    const slept = sleep(clock, 1_000).then(() => (awake = true));
    await clock.advance(999);
    expect(awake).toBe(false);
    await clock.advance(1);
    expect(awake).toBe(true);
    await slept;
  });

  test('rejects with the reason of the signal and leaves no timer and no listener', async () => {
    const clock = createVirtualClock();
    const controller = new AbortController();
    const slept = rejection(sleep(clock, 1_000, controller.signal));
    const reason = new Error('enough');
    controller.abort(reason);
    expect(await slept).toBe(reason);
    expect(clock.monotonic()).toBe(0);
    expect(clock.pending).toBe(0);
    expect(getEventListeners(controller.signal, 'abort')).toHaveLength(0);
  });

  test('does not wait if the signal is already aborted', async () => {
    const clock = createVirtualClock();
    expect(await rejection(sleep(clock, 1_000, AbortSignal.abort('over')))).toBe('over');
    expect(clock.delays).toEqual([]);
  });

  test('removes its listener after the delay', async () => {
    const clock = createVirtualClock();
    const { signal } = new AbortController();
    const slept = sleep(clock, 10, signal);
    await clock.advance(10);
    await slept;
    expect(getEventListeners(signal, 'abort')).toHaveLength(0);
  });
});

test('a pause ends without an error when the signal is aborted', async () => {
  const clock = createVirtualClock();
  const controller = new AbortController();
  const paused = pause(clock, 1_000, controller.signal);
  controller.abort();
  await paused;
  await pause(clock, 1_000, controller.signal);
  expect(clock.pending).toBe(0);
});
