import { AbortedError } from '../../../errors.js';
import { onAbort } from '../../../time/signals.js';
import type { Clock } from '../../../time/clock.js';
import { startTimeLimit } from '../../../time/time-limit.js';

/** @throws AbortedError with the signal's reason as its cause, if the signal of the caller is aborted. */
export function throwIfAborted(signal: AbortSignal | undefined): void {
  if (signal?.aborted === true) throw new AbortedError('The check was aborted', { cause: signal.reason });
}

/** Joined abort signals, on which many queries wait. */
export interface StopSignal {
  readonly isStopped: boolean;
  /** Calls back when it stops. Returns a function that unsubscribes. */
  subscribe(callback: () => void): () => void;
}

/** Joins abort signals. Each signal gets one listener, for any number of waiting queries. */
export function stopSignalOf(...given: readonly (AbortSignal | undefined)[]): StopSignal {
  const signals = given.filter((signal) => signal !== undefined);
  return {
    get isStopped() {
      return signals.some((signal) => signal.aborted);
    },
    subscribe(callback) {
      const unsubscribers = signals.map((signal) => onAbort(signal, callback));
      return () => {
        for (const unsubscribe of unsubscribers) unsubscribe();
      };
    },
  };
}

/** Limits of one exchange with a server. */
export interface ExchangeLimits {
  timeoutMs: number;
  clock: Pick<Clock, 'monotonic' | 'setTimeout'>;
  stop: StopSignal;
}

/**
 * Runs one exchange until it ends, its time limit is reached or it is stopped. Never rejects.
 *
 * @param start Starts the exchange. Calls `end` with the result. Returns a function that frees its resources, called
 * exactly once.
 * @param failures The results at the time limit, with a few words, and after a stop.
 */
export function untilEnd<T>(
  { timeoutMs, clock, stop }: ExchangeLimits,
  start: (end: (result: T) => void) => () => void,
  failures: { late: (detail: string) => T; stopped: T },
): Promise<T> {
  if (stop.isStopped) return Promise.resolve(failures.stopped);
  return new Promise((resolve) => {
    let isOver = false;
    const frees: (() => void)[] = [];
    const end = (result: T): void => {
      if (isOver) return;
      isOver = true;
      for (const free of frees) free();
      resolve(result);
    };
    frees.push(
      startTimeLimit(clock, timeoutMs, () => {
        end(failures.late(`no response within ${timeoutMs / 1_000} s`));
      }),
      stop.subscribe(() => {
        end(failures.stopped);
      }),
    );
    const free = start(end);
    // An exchange that ended during its start is not freed yet.
    if (isOver) free();
    else frees.push(free);
  });
}
