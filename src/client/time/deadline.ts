import type { Clock } from './clock.js';

/** The end of a call: its own signal and its deadline as one signal. */
export interface Deadline {
  /** Aborted by whichever comes first; absent where the call has neither. */
  readonly signal: AbortSignal | undefined;
  /** Milliseconds until the deadline; infinite without one. */
  remainingMs(): number;
  /** Frees timer and listener. */
  dispose(): void;
}

const DEADLINE = Symbol('deadline');

/** Whether an abort reason is a deadline's. */
export function isDeadline(reason: unknown): boolean {
  return reason === DEADLINE;
}

/** Begins to count. Makes nothing where there is no deadline: then the signal is the caller's own. */
export function startDeadline(clock: Clock, deadlineMs: number, signal: AbortSignal | undefined): Deadline {
  if (deadlineMs === Number.POSITIVE_INFINITY)
    return { signal, remainingMs: () => deadlineMs, dispose: () => undefined };
  const endsAt = clock.monotonic() + deadlineMs;
  const controller = new AbortController();
  const forget = followSignal(controller, signal);
  const cancel = clock.setTimeout(() => {
    controller.abort(DEADLINE);
  }, deadlineMs);
  return {
    signal: controller.signal,
    remainingMs: () => endsAt - clock.monotonic(),
    dispose() {
      cancel();
      forget();
    },
  };
}

/** Two signals as one. Makes nothing where one of them is absent. `dispose` frees the listeners. */
export function joinSignals(
  first: AbortSignal | undefined,
  second: AbortSignal | undefined,
): { readonly signal: AbortSignal | undefined; dispose(): void } {
  if (first === undefined || second === undefined)
    return { signal: first ?? second, dispose: () => undefined };
  const controller = new AbortController();
  const forget = [first, second].map((signal) => followSignal(controller, signal));
  return {
    signal: controller.signal,
    dispose() {
      for (const each of forget) each();
    },
  };
}

/** Has a controller abort when a signal does, for the same reason. Returns what frees the listener. */
export function followSignal(controller: AbortController, signal: AbortSignal | undefined): () => void {
  if (signal === undefined) return () => undefined;
  const abort = (): void => {
    controller.abort(signal.reason);
  };
  if (signal.aborted) abort();
  signal.addEventListener('abort', abort, { once: true });
  return () => {
    signal.removeEventListener('abort', abort);
  };
}
