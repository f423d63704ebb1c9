/** Tells waiting work to end. */
export interface StopSignal {
  readonly isStopped: boolean;
  /** Calls once, when it is told. Returns what forgets the callback. */
  subscribe(callback: () => void): () => void;
}

/**
 * Joins signals for many questions at once: however many of them wait, a signal has one listener. (Node warns of an
 * eleventh.)
 */
export function createStopSignals(): { join(signals: readonly (AbortSignal | undefined)[]): StopSignal } {
  const waiting = new Map<AbortSignal, Set<() => void>>();

  const fire = (event: Event): void => {
    const signal = event.target as AbortSignal;
    const callbacks = [...(waiting.get(signal) ?? [])];
    waiting.delete(signal);
    for (const callback of callbacks) callback();
  };
  const subscribe = (signal: AbortSignal, callback: () => void): (() => void) => {
    const callbacks = waiting.get(signal) ?? new Set();
    if (!waiting.has(signal)) {
      waiting.set(signal, callbacks);
      signal.addEventListener('abort', fire, { once: true });
    }
    callbacks.add(callback);
    return () => {
      callbacks.delete(callback);
      if (callbacks.size > 0 || waiting.get(signal) !== callbacks) return;
      waiting.delete(signal);
      signal.removeEventListener('abort', fire);
    };
  };

  return {
    join(given) {
      const signals = given.filter((signal) => signal !== undefined);
      const callbacks = new Set<() => void>();
      let offs: (() => void)[] = [];
      const leave = (): void => {
        for (const off of offs) off();
        offs = [];
      };
      const tell = (): void => {
        leave();
        const told = [...callbacks];
        callbacks.clear();
        for (const callback of told) callback();
      };
      return {
        get isStopped() {
          return signals.some((signal) => signal.aborted);
        },
        subscribe(callback) {
          if (callbacks.size === 0) offs = signals.map((signal) => subscribe(signal, tell));
          callbacks.add(callback);
          return () => {
            if (callbacks.delete(callback) && callbacks.size === 0) leave();
          };
        },
      };
    },
  };
}
