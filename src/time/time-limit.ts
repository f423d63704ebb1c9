import type { Clock } from './clock.js';
import { followSignal } from './signals.js';

/** The used part of a clock. Without `monotonic`, `now` must not jump. */
type TimerClock = Pick<Clock, 'setTimeout'> & (Pick<Clock, 'monotonic'> | Pick<Clock, 'now'>);

/** A timer that is later shows that the process was busy. */
const LATE_MS = 50;
/** Enough to load a module, to connect, and for a response. */
const EXTENSION_MS = 3_000;

/**
 * Starts the time limit of something outside this process, such as a response. A busy process has not read what arrived
 * meanwhile. So the event loop gets one turn before the limit is reached. After a late timer the limit is extended once,
 * at most to twice its length, because a connection needs several turns.
 *
 * @param isExtended false for a limit of the caller.
 * @returns a function that cancels it.
 */
export function startTimeLimit(
  clock: TimerClock,
  limitMs: number,
  onReached: () => void,
  isExtended = true,
): () => void {
  const readTime = (): number => ('monotonic' in clock ? clock.monotonic() : clock.now());
  const dueAt = readTime() + limitMs;
  const cancels: (() => void)[] = [];
  const end = (): void => {
    cancels.push(afterTurn(onReached));
  };
  const check = (): void => {
    const lateMs = readTime() - dueAt;
    if (isExtended && lateMs > LATE_MS)
      cancels.push(clock.setTimeout(end, Math.min(limitMs, Math.max(lateMs, EXTENSION_MS))));
    else end();
  };
  cancels.push(clock.setTimeout(check, limitMs));
  return () => {
    for (const cancel of cancels) cancel();
  };
}

/** Calls back after the data that has arrived is read. Runtimes without immediates read it before the next timer. */
function afterTurn(callback: () => void): () => void {
  if (typeof setImmediate === 'function') {
    const immediate = setImmediate(callback);
    return () => {
      clearImmediate(immediate);
    };
  }
  const timer = setTimeout(callback, 0);
  return () => {
    clearTimeout(timer);
  };
}

/**
 * Waits for an operation until its time limit. Its late result is ignored.
 *
 * @throws the error of the operation, or the result of `createError` at the limit.
 */
export function withinTimeLimit<T>(
  clock: TimerClock,
  limitMs: number,
  operation: Promise<T>,
  createError: () => Error,
): Promise<T> {
  return new Promise((resolve, reject) => {
    const cancel = startTimeLimit(clock, limitMs, () => {
      reject(createError());
    });
    operation.then(resolve, reject).finally(cancel);
  });
}

/** The caller's signal and the deadline of a call, combined. */
export interface Deadline {
  /** Aborts with the caller's signal or at the deadline. `undefined` if there is neither. */
  readonly signal: AbortSignal | undefined;
  /** Returns the milliseconds until the deadline. Infinite without one. */
  remainingMs(): number;
  /** Removes the timer and the listener. */
  dispose(): void;
}

const DEADLINE = Symbol('deadline');

/** Checks whether the reason of an abort is a deadline. */
export function isDeadline(reason: unknown): boolean {
  return reason === DEADLINE;
}

/** Starts the deadline of a call. Without a deadline, its signal is the caller's. */
export function startDeadline(clock: Clock, deadlineMs: number, signal: AbortSignal | undefined): Deadline {
  if (deadlineMs === Number.POSITIVE_INFINITY)
    return { signal, remainingMs: () => Number.POSITIVE_INFINITY, dispose: () => undefined };
  const endsAt = clock.monotonic() + deadlineMs;
  const controller = new AbortController();
  const unfollow = followSignal(controller, signal);
  const expire = (): void => {
    controller.abort(DEADLINE);
  };
  const cancel = startTimeLimit(clock, deadlineMs, expire, false);
  return {
    signal: controller.signal,
    remainingMs: () => endsAt - clock.monotonic(),
    dispose() {
      cancel();
      unfollow();
    },
  };
}
