import { AbortedError } from '../../errors.js';
import { onAbort } from '../../time/signals.js';

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

/** Joins abort signals. Each signal gets one listener, for any number of waiting queries. */
export function createStopSignals(): { join(signals: readonly (AbortSignal | undefined)[]): StopSignal } {
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
          if (callbacks.size === 0) unsubscribers = signals.map((signal) => onAbort(signal, stop));
          callbacks.add(callback);
          return () => {
            if (callbacks.delete(callback) && callbacks.size === 0) unsubscribeAll();
          };
        },
      };
    },
  };
}
