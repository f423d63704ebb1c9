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

/**
 * Awaits the promise of a caller's function, which may never settle, until a signal aborts.
 *
 * @throws the reason of the signal as soon as it aborts.
 */
export async function untilAborted<T>(work: T | PromiseLike<T>, signal: AbortSignal | undefined): Promise<T> {
  if (signal === undefined) return await work;
  let unfollow: (() => void) | undefined;
  try {
    return await new Promise<T>((resolve, reject) => {
      const abort = (): void => {
        reject(signal.reason);
      };
      Promise.resolve(work).then(resolve, reject);
      // Work that is done already comes first.
      if (signal.aborted) queueMicrotask(abort);
      else unfollow = onAbort(signal, abort);
    });
  } finally {
    unfollow?.();
  }
}

const nothing = (): void => undefined;

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
