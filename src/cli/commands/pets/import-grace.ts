import type { ClientEvent } from '../../../client/index.js';
import type { Context } from '../../context.js';

/** Tells when an import that was asked to stop has nothing more to wait for. */
export interface GraceEnd {
  /** Aborted once the import was asked to stop and no answer is out. */
  readonly end: AbortSignal;
  /** To be told of every step of the client. */
  onEvent(event: ClientEvent): void;
}

/** An answer that has come in is made sense of in no time, and in the journal soon after. */
const SETTLED_AFTER_MS = 100;

/**
 * Follows which requests are out. What waits for the rate limit was never sent, so that it can be given up at once: who
 * stops an import while it waits for the next minute is not kept for the whole grace.
 */
export function createGraceEnd({ clock, signal }: Pick<Context, 'clock' | 'signal'>): GraceEnd {
  const controller = new AbortController();
  let out = 0;
  const endSoon = (): void => {
    if (out > 0) return;
    clock.setTimeout(() => {
      if (out === 0) controller.abort(signal.reason);
    }, SETTLED_AFTER_MS);
  };
  if (signal.aborted) endSoon();
  else signal.addEventListener('abort', endSoon, { once: true });
  return {
    end: controller.signal,
    onEvent({ type }) {
      if (type === 'request') out += 1;
      if (type !== 'response' && type !== 'failure') return;
      out -= 1;
      if (signal.aborted) endSoon();
    },
  };
}
