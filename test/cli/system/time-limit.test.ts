import { expect, test } from 'vitest';
import { startTimeLimit, TimeLimitError, withTimeLimit } from '../../../src/cli/system/time-limit.js';
import { settle } from '../../support/virtual-clock.js';

/** A clock whose only timer fires on request. */
function manualClock() {
  const timer: { fire: () => void; isCancelled: boolean; delayMs: number } = {
    fire: () => undefined,
    isCancelled: false,
    delayMs: 0,
  };
  const clock = {
    now: () => 0,
    setTimeout(callback: () => void, delayMs: number) {
      Object.assign(timer, { fire: callback, delayMs });
      return () => void (timer.isCancelled = true);
    },
  };
  return { clock, timer };
}

const { signal } = new AbortController();

test('returns a result in time and cancels the timer', async () => {
  const { clock, timer } = manualClock();
  expect(await withTimeLimit(5_000, { clock, signal }, () => Promise.resolve(7))).toBe(7);
  await expect(
    withTimeLimit(5_000, { clock, signal }, () => Promise.reject(new Error('no'))),
  ).rejects.toThrow('no');
  expect(timer).toMatchObject({ isCancelled: true, delayMs: 5_000 });
});

test.each([
  [500, 'No response within 500 ms'],
  [90_000, 'No response within 1 min 30 s'],
])('rejects after %i ms even if the work ignores the signal', async (limitMs, message) => {
  const { clock, timer } = manualClock();
  const signals: AbortSignal[] = [];
  const work = (own: AbortSignal) => (signals.push(own), new Promise<never>(() => undefined));
  const waiting = withTimeLimit(limitMs, { clock, signal }, work);
  timer.fire();
  await expect(waiting).rejects.toThrow(message);
  expect(signals[0]?.aborted).toBe(true);
});

test('rejects with the reason of the outer signal, also if it was aborted before', async () => {
  const outer = new AbortController();
  const work = () => new Promise<never>(() => undefined);
  const waiting = withTimeLimit(5_000, { ...manualClock(), signal: outer.signal }, work);
  outer.abort(new Error('^C'));
  await expect(waiting).rejects.toThrow('^C');
  await expect(withTimeLimit(5_000, { ...manualClock(), signal: outer.signal }, work)).rejects.toThrow('^C');
});

test('a started limit aborts with its reason, unless it is canceled', async () => {
  const { clock, timer } = manualClock();
  const late = startTimeLimit(5_000, { clock, signal });
  expect(late.signal.aborted).toBe(false);
  timer.fire();
  await settle();
  expect(late.signal.reason).toBeInstanceOf(TimeLimitError);

  const outer = new AbortController();
  const stopped = startTimeLimit(5_000, { clock, signal: outer.signal });
  outer.abort('^C');
  expect(stopped.signal.reason).toBe('^C');
  stopped.cancel();
  expect(timer.isCancelled).toBe(true);
});
