import type { Clock } from './clock.js';

/**
 * Waits. Rejects at once with the signal's reason when it is aborted; leaves neither timer nor listener behind.
 */
export function sleep(clock: Clock, delayMs: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    if (signal?.aborted === true) {
      reject(signal.reason as Error);
      return;
    }
    const abort = (): void => {
      cancel();
      reject(signal?.reason as Error);
    };
    const cancel = clock.setTimeout(() => {
      signal?.removeEventListener('abort', abort);
      resolve();
    }, delayMs);
    signal?.addEventListener('abort', abort, { once: true });
  });
}
