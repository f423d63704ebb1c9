import type { BatchEstimate, PetStore } from '../../../../client/index.js';
import type { Session } from '../../../session/action.js';
import { CommandFailure } from '../../../errors/command-failure.js';
import { describeDuration } from '../../../text/duration.js';
import { EXIT } from '../../../errors/exit-codes.js';
import { WAIT_MAX_DEFAULT_MS } from '../../../command-line/global-flags.js';

/**
 * How long a row may wait where nobody says. Rows wait for one another too, so that this is more than one wait for the
 * rate limit may be: by that an import is agreed to.
 */
export const ROW_WAIT_MAX_MS = 300_000;

/** An import so small is not worth a request that asks for the limit. */
const ASKED_FROM_REQUESTS = 20;
/** Resets are told in whole seconds. */
const ROUNDING_MS = 1_000;
const HOUR_MS = 3_600_000;

/**
 * Tells what an import costs, and sees to it that a wait which is longer than allowed is agreed to before anything is
 * sent: a half that waits for tomorrow is worse than none.
 *
 * @returns how long the rate limit makes it take at least, in milliseconds.
 * @throws CommandFailure where nobody agrees.
 */
export async function confirmCost(requests: number, store: PetStore, session: Session): Promise<number> {
  const { context, global } = session;
  const { describeBatch, estimateBatch } = await import('../../../../client/index.js');
  let known = await store.budget();
  if (known.windows.length === 0 && known.heldForMs === 0 && requests >= ASKED_FROM_REQUESTS) {
    await store.pets.list({ limit: 1 }, { signal: context.signal });
    known = await store.budget();
  }
  const estimate = estimateBatch(requests, known, context.clock.now(), global.reservePercent);
  session.note(describeBatch(estimate));
  const waitMaxMs = global.retry ? (global.waitMaxMs ?? WAIT_MAX_DEFAULT_MS) : 0;
  if (estimate.longestWaitMs <= waitMaxMs + ROUNDING_MS || global.yes) return estimate.durationMs;
  const reason = tooLong(estimate, waitMaxMs);
  if (session.canPrompt) {
    session.note(reason);
    const prompter = await session.prompter();
    const answer = await prompter.choose('Begin all the same, and stop when the wait comes?', [
      { name: 'no', value: 'no' },
      { name: 'yes', value: 'yes' },
    ]);
    if (answer === 'yes') return estimate.durationMs;
  }
  throw new CommandFailure(`${reason}; nothing was sent`, {
    type: 'rate-limit',
    exitCode: EXIT.rateLimited,
    retryable: true,
    hint: remedy(estimate),
  });
}

function tooLong({ longestWaitMs }: BatchEstimate, waitMaxMs: number): string {
  if (longestWaitMs === Number.POSITIVE_INFINITY) return 'the rate limit never lets them through';
  const allowed = waitMaxMs === 0 ? 'no wait is allowed' : `--max-wait allows ${describeDuration(waitMaxMs)}`;
  return `the rate limit will make it wait for ${describeDuration(longestWaitMs)}, and ${allowed}`;
}

function remedy({ longestWaitMs }: BatchEstimate): string {
  const begin = '--yes begins all the same, stops when the wait comes, and goes on with --resume';
  if (longestWaitMs === Number.POSITIVE_INFINITY) return begin;
  return `${begin}; --max-wait ${asFlag(longestWaitMs)} waits`;
}

function asFlag(durationMs: number): string {
  return durationMs > HOUR_MS
    ? `${String(Math.ceil(durationMs / HOUR_MS))}h`
    : `${String(Math.ceil(durationMs / 60_000))}m`;
}
