import type { JournalEntry } from './journal.js';
import type { LimitState, MockPlan, WindowState } from './limits.js';

/** Why a request got its response. */
export interface Explanation {
  entry: JournalEntry;
  /** `limit`: a used-up window. `block`: a fault `rate-limit`. `replay`: a recorded response. */
  reason: 'ban' | 'block' | 'limit' | 'fault' | 'replay' | 'no-key' | 'served';
  /** The arithmetic, one sentence each. */
  text: readonly string[];
  /** Present for a 429. */
  limits?: LimitState;
}

/**
 * Explains the response to a request in the journal.
 *
 * @param context.plan of the key. Absent without a valid key, and for a key that was removed.
 */
export function explain(
  entry: JournalEntry,
  limits: LimitState | undefined,
  { isReplay, plan }: { isReplay: boolean; plan: MockPlan | undefined },
): Explanation {
  if (limits !== undefined) return { entry, ...explain429(entry, limits), limits };
  const because = (reason: Explanation['reason'], text: string): Explanation => ({
    entry,
    reason,
    text: [text],
  });
  if (entry.fault !== undefined) return because('fault', `The fault "${entry.fault}" was applied.`);
  if (isReplay) return because('replay', 'The recording decides the response; limits do not apply.');
  if (entry.tenant === undefined)
    return because('no-key', 'The request had no valid key or needs none, so it counts against no limit.');
  if (plan === 'unlimited') return because('served', NO_WINDOWS);
  return because('served', 'The request counts in the minute window and in the day window of its key.');
}

const NO_WINDOWS = 'The plan unlimited counts no requests.';

function explain429(
  entry: JournalEntry,
  { minute, day, blockedUntil, banned, consecutive429Count, plan }: LimitState,
): Pick<Explanation, 'reason' | 'text'> {
  const text =
    plan === 'unlimited'
      ? [NO_WINDOWS]
      : [windowText(`The minute window of the plan ${plan}`, minute), windowText('The day window', day)];
  const isUsedUp = minute.used >= minute.limit || day.used >= day.limit;
  if (banned) text.push(`The key is banned until ${isoTime(blockedUntil)}: it sent 10 requests after a 429.`);
  else if (blockedUntil !== undefined) text.push(`A fault blocks the key until ${isoTime(blockedUntil)}.`);
  if (!banned)
    text.push(
      `This is 429 response ${String(consecutive429Count)} in a row; number 11 starts a ban of 5 minutes.`,
    );
  text.push(`Retry-After is ${String(entry.retryAfterSeconds)} s, from ${isoTime(entry.at)}, rounded up.`);
  return { reason: banned ? 'ban' : blockedUntil !== undefined && !isUsedUp ? 'block' : 'limit', text };
}

function windowText(name: string, { limit, used, resetsAt }: WindowState): string {
  const end = `${String(used)} of ${String(limit)} requests used; it resets at ${isoTime(resetsAt)}`;
  return `${name}: ${end}.`;
}

function isoTime(date: Date | undefined): string {
  return date?.toISOString() ?? '';
}
