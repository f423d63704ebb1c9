import { minDurationOf } from '../../../../bulk/internal.js';
import type { PetStore } from '../../../../client/internal.js';
import { RateLimitError } from '../../../../errors.js';
import { describeDuration } from '../../../../time/duration.js';
import { counted } from '../../../errors/counted.js';
import type { Session } from '../../../session/session.js';

/**
 * Notes how long an import takes by the rate limit. A limit that is reached stops the first row instead, so that the
 * import reports its counts.
 *
 * @returns the minimum duration in milliseconds.
 */
export async function noteDuration(requests: number, store: PetStore, session: Session): Promise<number> {
  const { signal } = session.context;
  const { reservePercent = 0 } = session.global;
  const durationMs = await minDurationOf(requests, store, { reservePercent, signal }).catch(
    (error: unknown) => {
      if (error instanceof RateLimitError) return 0;
      throw error;
    },
  );
  const about = durationMs > 0 && durationMs < Infinity ? `, about ${describeDuration(durationMs)}` : '';
  session.note(`Sending up to ${counted(requests, 'row')}${about}.`);
  return durationMs;
}
