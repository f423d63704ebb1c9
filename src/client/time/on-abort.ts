/**
 * The callbacks of each signal. A cache for the whole process: many calls can share one signal, and Node warns of a leak
 * above 10 listeners. So each signal has one listener of the library, while a call uses it.
 */
const callbacksBySignal = new WeakMap<AbortSignal, { callbacks: Set<() => void>; listener: () => void }>();

/**
 * Calls `callback` once when a signal aborts; not if it is aborted already.
 *
 * @returns a function that removes the callback.
 */
export function onAbort(signal: AbortSignal, callback: () => void): () => void {
  let entry = callbacksBySignal.get(signal);
  if (entry === undefined) {
    const callbacks = new Set<() => void>();
    const listener = (): void => {
      callbacksBySignal.delete(signal);
      for (const each of callbacks) each();
    };
    entry = { callbacks, listener };
    callbacksBySignal.set(signal, entry);
    signal.addEventListener('abort', listener, { once: true });
  }
  const { callbacks, listener } = entry;
  // Two calls may pass the same function.
  const own = (): void => {
    callback();
  };
  callbacks.add(own);
  return () => {
    if (!callbacks.delete(own) || callbacks.size > 0) return;
    callbacksBySignal.delete(signal);
    signal.removeEventListener('abort', listener);
  };
}
