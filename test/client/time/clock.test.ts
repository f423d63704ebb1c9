import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { systemClock } from '../../../src/client/time/clock.js';

const TIMER_MAX_MS = 2 ** 31 - 1;

describe('the machine’s clock', () => {
  beforeEach(() => {
    vi.useFakeTimers();
  });
  afterEach(() => {
    vi.useRealTimers();
  });

  test.each([0, 1, 1_500.5, TIMER_MAX_MS, TIMER_MAX_MS + 1, 9_999_999_000])(
    'keeps a delay of %d ms whole, also where a timer of Node’s would fire at once',
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

  test('never hands Node a delay that it would fire at once', () => {
    const spy = vi.spyOn(globalThis, 'setTimeout');
    systemClock.setTimeout(() => undefined, 2.5 * TIMER_MAX_MS);
    vi.advanceTimersByTime(3 * TIMER_MAX_MS);
    const delays = spy.mock.calls.map(([, delayMs]) => delayMs ?? 0);
    expect(delays).toHaveLength(3);
    expect(Math.max(...delays)).toBe(TIMER_MAX_MS);
    spy.mockRestore();
  });

  test('cancels a delay, also after a part of it', () => {
    const callback = vi.fn();
    const cancel = systemClock.setTimeout(callback, 3 * TIMER_MAX_MS);
    vi.advanceTimersByTime(TIMER_MAX_MS + 5);
    cancel();
    expect(vi.getTimerCount()).toBe(0);
    vi.advanceTimersByTime(3 * TIMER_MAX_MS);
    expect(callback).not.toHaveBeenCalled();
  });

  test('counts waits on a time that does not follow the wall clock', () => {
    const before = systemClock.monotonic();
    vi.setSystemTime(0);
    expect(systemClock.now()).toBe(0);
    expect(systemClock.monotonic()).toBeGreaterThanOrEqual(before);
  });
});
