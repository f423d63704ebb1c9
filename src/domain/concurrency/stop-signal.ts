import { AbortedError } from '../../errors.js';

/** @throws AbortedError with the signal's reason as its cause, if the signal of the caller is aborted. */
export function throwIfAborted(signal: AbortSignal | undefined): void {
  if (signal?.aborted === true) throw new AbortedError('The check was aborted', { cause: signal.reason });
}

/** Joined abort signals, on which many queries wait. */
export interface StopSignal {
  readonly isStopped: boolean;
  /** Calls back once, when it stops. Returns a function that unsubscribes. */
  subscribe(callback: () => void): () => void;
}

/**
 * Joins abort signals. Adds one listener to each signal, for any number of waiting queries: Node warns of a leak from
 * the eleventh listener on.
 */
export function createStopSignals(): { join(signals: readonly (AbortSignal | undefined)[]): StopSignal } {
  const waiting = new Map<AbortSignal, Set<() => void>>();

  const onAbort = (event: Event): void => {
    const signal = event.target as AbortSignal;
    const callbacks = [...(waiting.get(signal) ?? [])];
    waiting.delete(signal);
    for (const callback of callbacks) callback();
  };
  const subscribe = (signal: AbortSignal, callback: () => void): (() => void) => {
    const callbacks = waiting.get(signal) ?? new Set();
    if (!waiting.has(signal)) {
      waiting.set(signal, callbacks);
      signal.addEventListener('abort', onAbort, { once: true });
    }
    callbacks.add(callback);
    return () => {
      callbacks.delete(callback);
      if (callbacks.size > 0 || waiting.get(signal) !== callbacks) return;
      waiting.delete(signal);
      signal.removeEventListener('abort', onAbort);
    };
  };

  return {
    join(given) {
      const signals = given.filter((signal) => signal !== undefined);
      const callbacks = new Set<() => void>();
      let unsubscribers: (() => void)[] = [];
      const unsubscribeAll = (): void => {
        for (const unsubscribe of unsubscribers) unsubscribe();
        unsubscribers = [];
      };
      const stop = (): void => {
        unsubscribeAll();
        const called = [...callbacks];
        callbacks.clear();
        for (const callback of called) callback();
      };
      return {
        get isStopped() {
          return signals.some((signal) => signal.aborted);
        },
        subscribe(callback) {
          if (callbacks.size === 0) unsubscribers = signals.map((signal) => subscribe(signal, stop));
          callbacks.add(callback);
          return () => {
            if (callbacks.delete(callback) && callbacks.size === 0) unsubscribeAll();
          };
        },
      };
    },
  };
}
