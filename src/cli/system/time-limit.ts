import type { Context } from './context.js';
import { describeDuration } from '../text/duration.js';

/** It took longer than it may. */
export class TimeLimitError extends Error {
  override readonly name = 'TimeIsUp';

  constructor(limitMs: number) {
    super(`no answer within ${limitMs < 1_000 ? `${String(limitMs)} ms` : describeDuration(limitMs)}`);
  }
}

/** A limit that is running. */
export interface TimeLimit {
  /** Aborts at the limit, the reason being a `TimeIsUp`, and with the outer signal, the reason being that one's. */
  signal: AbortSignal;
  /** Takes the timer back: what is done in time has no limit any more. */
  cancel: () => void;
}

/** Begins to count. */
export function startTimeLimit(
  limitMs: number,
  { clock, signal: outer }: Pick<Context, 'clock' | 'signal'>,
): TimeLimit {
  const late = new AbortController();
  const cancel = clock.setTimeout(() => {
    late.abort(new TimeLimitError(limitMs));
  }, limitMs);
  return { signal: AbortSignal.any([outer, late.signal]), cancel };
}

/**
 * Works until the end, the limit or the outer signal, whichever comes first, also where the work heeds no signal.
 *
 * @throws TimeIsUp; the outer signal's reason; what the work throws.
 */
export async function withTimeLimit<T>(
  limitMs: number,
  context: Pick<Context, 'clock' | 'signal'>,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const { signal, cancel } = startTimeLimit(limitMs, context);
  const over = new Promise<never>((_resolve, reject) => {
    const stop = (): void => {
      reject(signal.reason as Error);
    };
    if (signal.aborted) stop();
    else signal.addEventListener('abort', stop, { once: true });
  });
  try {
    return await Promise.race([over, work(signal)]);
  } finally {
    cancel();
  }
}
