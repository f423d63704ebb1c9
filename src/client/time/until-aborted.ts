import { onAbort } from './on-abort.js';

/**
 * Awaits the promise of a caller's function, which may never settle, until a signal aborts.
 *
 * @throws the reason of the signal as soon as it aborts.
 */
export async function untilAborted<T>(work: T | PromiseLike<T>, signal: AbortSignal | undefined): Promise<T> {
  if (signal === undefined) return await work;
  let unfollow: (() => void) | undefined;
  const aborted = new Promise<never>((_, reject) => {
    const abort = (): void => {
      reject(signal.reason);
    };
    if (signal.aborted) abort();
    else unfollow = onAbort(signal, abort);
  });
  try {
    return await Promise.race([work, aborted]);
  } finally {
    unfollow?.();
  }
}
