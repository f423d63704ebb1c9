import {
  type BatchEstimate,
  describeBatch,
  estimateBatch,
  type KnownBudget,
  type PetStore,
} from '../../../../client/index.js';
import type { Session } from '../../../session/action.js';
import { CommandFailure } from '../../../errors/command-failure.js';
import { describeDuration } from '../../../../time/duration.js';
import { EXIT } from '../../../errors/exit-codes.js';
import { WAIT_MAX_DEFAULT_MS } from '../../../command-line/global-flags.js';

/** Default maximum wait of one row. Rows also wait for other rows, so this is longer than one wait for the rate limit. */
export const ROW_WAIT_MAX_MS = 300_000;

/** Smaller imports need no request to learn the rate limit. */
const PROBE_FROM_REQUESTS = 20;
/** Reset times are whole seconds. */
const ROUNDING_MS = 1_000;
const HOUR_MS = 3_600_000;

/**
 * Shows how long an import takes, and prompts for confirmation if a wait is longer than allowed. Without confirmation it
 * sends nothing: an incomplete import that waits until tomorrow is worse than no import.
 *
 * @returns the minimum duration of the import by the rate limit, in milliseconds.
 * @throws CommandFailure if the user does not agree.
 */
export async function confirmCost(requests: number, store: PetStore, session: Session): Promise<number> {
  const { context, global } = session;
  let known = await store.budget();
  if (known.windows.length === 0 && known.heldForMs === 0 && requests >= PROBE_FROM_REQUESTS) {
    await store.pets.list({ limit: 1 }, { signal: context.signal });
    known = await store.budget();
  }
  const estimate = estimateBatch(requests, known, context.clock.now(), global.reservePercent);
  session.note(describeBatch(estimate));
  const waitMaxMs = global.retry ? (global.waitMaxMs ?? WAIT_MAX_DEFAULT_MS) : 0;
  if (estimate.longestWaitMs <= waitMaxMs + ROUNDING_MS || global.yes) return estimate.durationMs;
  const reason = tooLong(estimate, waitMaxMs);
  if (session.canPrompt) {
    session.note(`${reason}.`);
    const prompter = await session.prompter();
    const answer = await prompter.choose('Start anyway, and stop when the wait begins?', [
      { name: 'no', value: 'no' },
      { name: 'yes', value: 'yes' },
    ]);
    if (answer === 'yes') return estimate.durationMs;
  }
  const retryAt = endOfWait(estimate, known, context.clock.now());
  throw new CommandFailure(`${reason}; nothing was sent`, {
    type: 'rate-limit',
    exitCode: EXIT.rateLimited,
    retryable: true,
    ...(retryAt === undefined ? {} : { retryAt }),
    hint: remedy(estimate),
  });
}

/** When the longest wait ends; `undefined` if an import that starts then would wait as long again. */
function endOfWait(
  { requests, longestWaitMs }: BatchEstimate,
  { heldForMs, windows }: KnownBudget,
  now: number,
): Date | undefined {
  const sufficient = windows.filter(({ limit }) => limit >= requests);
  const ends = [heldForMs, ...sufficient.map(({ resetsInMs }) => resetsInMs)];
  const endMs = Math.min(...ends.filter((end) => end >= longestWaitMs));
  return Number.isFinite(endMs) ? new Date(Math.ceil(now + endMs)) : undefined;
}

function tooLong({ longestWaitMs }: BatchEstimate, waitMaxMs: number): string {
  if (longestWaitMs === Number.POSITIVE_INFINITY) return 'The rate limit never allows so many requests';
  const allowed = waitMaxMs === 0 ? 'no wait is allowed' : `--max-wait allows ${describeDuration(waitMaxMs)}`;
  return `The rate limit requires a wait of ${describeDuration(longestWaitMs)}, but ${allowed}`;
}

function remedy({ longestWaitMs }: BatchEstimate): string {
  const start = 'Pass --yes to start anyway, and --resume to continue after the wait';
  if (longestWaitMs === Number.POSITIVE_INFINITY) return `${start}.`;
  return `${start}. Or pass --max-wait ${asFlag(longestWaitMs)} to wait.`;
}

function asFlag(durationMs: number): string {
  return durationMs > HOUR_MS
    ? `${String(Math.ceil(durationMs / HOUR_MS))}h`
    : `${String(Math.ceil(durationMs / 60_000))}m`;
}
