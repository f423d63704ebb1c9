import { startTimeLimit } from '../../time/time-limit.js';
import type { Clock } from './clock.js';
import { onAbort } from './on-abort.js';

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

const nothing = (): void => undefined;

const NO_DEADLINE: Deadline = {
  signal: undefined,
  remainingMs: () => Number.POSITIVE_INFINITY,
  dispose: nothing,
};

/** Starts the deadline of a call. Without a deadline, its signal is the caller's. */
export function startDeadline(clock: Clock, deadlineMs: number, signal: AbortSignal | undefined): Deadline {
  if (deadlineMs === Number.POSITIVE_INFINITY) return { ...NO_DEADLINE, signal };
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

/** Combines two signals. Unlike `AbortSignal.any`, it can remove its listeners. */
export function joinSignals(
  first: AbortSignal | undefined,
  second: AbortSignal | undefined,
): { readonly signal: AbortSignal | undefined; dispose(): void } {
  if (first === undefined || second === undefined) return { signal: first ?? second, dispose: nothing };
  const controller = new AbortController();
  const unfollow = [first, second].map((signal) => followSignal(controller, signal));
  return {
    signal: controller.signal,
    dispose() {
      for (const each of unfollow) each();
    },
  };
}

/** Aborts a controller when a signal aborts. Returns a function that removes the listener. */
export function followSignal(controller: AbortController, signal: AbortSignal | undefined): () => void {
  if (signal === undefined) return nothing;
  const abort = (): void => {
    controller.abort(signal.reason);
  };
  if (signal.aborted) abort();
  return onAbort(signal, abort);
}
