import { untilAborted } from '../../time/signals.js';
import { startTimeLimit } from '../../time/time-limit.js';
import type { Clock } from '../../time/clock.js';
import { describeDuration } from '../../time/duration.js';

/** What ends work early. */
export interface LimitHost {
  clock: Pick<Clock, 'now' | 'setTimeout'>;
  signal: AbortSignal;
}

/** Work took longer than its time limit. */
export class TimeLimitError extends Error {
  override readonly name = 'TimeLimitError';

  constructor(limitMs: number) {
    super(`No response within ${limitMs < 1_000 ? `${String(limitMs)} ms` : describeDuration(limitMs)}`);
  }
}

/**
 * Starts a time limit.
 *
 * @returns a signal that aborts with a `TimeLimitError`, or with the reason of the outer signal; and what clears the timer.
 */
export function startLimitSignal(limitMs: number, { clock, signal: outer }: LimitHost) {
  const controller = new AbortController();
  const cancel = startTimeLimit(clock, limitMs, () => {
    controller.abort(new TimeLimitError(limitMs));
  });
  return { signal: AbortSignal.any([outer, controller.signal]), cancel };
}

/**
 * Waits for work until it settles, the time limit expires or the outer signal aborts. Does not depend on the work
 * observing its signal.
 *
 * @throws TimeLimitError, the reason of the outer signal, or the error of the work.
 */
export async function withTimeLimit<T>(
  limitMs: number,
  host: LimitHost,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const { signal, cancel } = startLimitSignal(limitMs, host);
  try {
    return await untilAborted(work(signal), signal);
  } finally {
    cancel();
  }
}
