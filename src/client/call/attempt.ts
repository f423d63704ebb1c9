import type { Clock } from '../time/clock.js';
import type { Exchange, TransportResponse } from '../transport/transport.js';

/** How one attempt ended. */
export type AttemptResult =
  | { kind: 'response'; response: TransportResponse }
  /** `sent`: whether a byte of the request may have left. */
  | { kind: 'failed'; reason: 'connection' | 'timeout' | 'aborted'; sent: boolean; cause: unknown };

/**
 * Waits for one exchange: until its last byte, the time limit or the caller's signal, whichever comes first. Never
 * rejects; leaves neither timer nor listener behind.
 *
 * @param timeoutMs covers connecting, headers and body.
 */
export function awaitAttempt(
  exchange: Exchange,
  clock: Clock,
  timeoutMs: number,
  signal: AbortSignal | undefined,
): Promise<AttemptResult> {
  return new Promise((resolve) => {
    const finish = (result: AttemptResult): void => {
      cancelTimer();
      signal?.removeEventListener('abort', abort);
      resolve(result);
    };
    const giveUp = (reason: 'timeout' | 'aborted', cause: unknown): void => {
      const { sent } = exchange;
      exchange.abort();
      finish({ kind: 'failed', reason, sent, cause });
    };
    const abort = (): void => {
      giveUp('aborted', signal?.reason);
    };
    const cancelTimer = clock.setTimeout(() => {
      giveUp('timeout', undefined);
    }, timeoutMs);
    signal?.addEventListener('abort', abort, { once: true });
    // The event does not come a second time.
    if (signal?.aborted === true) abort();
    exchange.response.then(
      (answer) => {
        finish({ kind: 'response', response: answer });
      },
      (cause: unknown) => {
        finish({ kind: 'failed', reason: 'connection', sent: exchange.sent, cause });
      },
    );
  });
}
