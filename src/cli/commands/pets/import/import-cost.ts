import type { KnownBudget, PetStore } from '../../../../client/index.js';
import { limitsOfPlan } from '../../../../schema/rate-limit.js';
import { describeDuration } from '../../../../time/duration.js';
import { counted } from '../../../text/counted.js';
import type { Session } from '../../../session/action.js';

/** Default maximum wait of one row. Rows also wait for other rows, so this is longer than one wait for the rate limit. */
export const ROW_WAIT_MAX_MS = 300_000;

/** Smaller imports need no request to learn the rate limit. */
const PROBE_FROM_REQUESTS = 20;
const LENGTH_MS = { minute: 60_000, day: 86_400_000 };

/**
 * Notes how long an import takes by the rate limit.
 *
 * @returns the minimum duration in milliseconds.
 */
export async function noteDuration(requests: number, store: PetStore, session: Session): Promise<number> {
  let known = await store.budget();
  if (known.windows.length === 0 && known.heldForMs === 0 && requests >= PROBE_FROM_REQUESTS) {
    await store.pets.list({ limit: 1 }, { signal: session.context.signal });
    known = await store.budget();
  }
  const durationMs = durationOf(requests, known, session.global.reservePercent);
  const about = durationMs > 0 && durationMs < Infinity ? `, about ${describeDuration(durationMs)}` : '';
  session.note(counted(requests, 'request') + about);
  return durationMs;
}

/** Ignores other users of the key and the duration of the requests. If the plan is known, its other window is unused. */
function durationOf(requests: number, { windows, heldForMs }: KnownBudget, reservePercent = 0): number {
  const plan = windows.find((window) => window.plan !== undefined)?.plan;
  const unused = (['minute', 'day'] as const).flatMap((window) => {
    if (plan === undefined || windows.some((known) => known.window === window)) return [];
    const limit = limitsOfPlan(plan)[window];
    return [{ window, limit, remaining: limit, resetsInMs: LENGTH_MS[window] }];
  });
  const waits = [...windows, ...unused].map(({ window = 'minute', limit, remaining, resetsInMs }) => {
    const reserve = Math.ceil((limit * reservePercent) / 100);
    const later = requests - Math.max(0, remaining - reserve);
    return later <= 0 ? 0 : resetsInMs + (Math.ceil(later / (limit - reserve)) - 1) * LENGTH_MS[window];
  });
  return Math.max(heldForMs, ...waits);
}
