import type { PetStore } from '../../../client/internal.js';
import { RateLimitError } from '../../../errors.js';
import type { Pet } from '../../../schema/pet-reader.js';
import type { Session } from '../../session/session.js';
import type { Interruption } from '../../system/context.js';
import { counted } from '../../errors/counted.js';
import { sleep } from '../../../time/clock.js';
import { describeDuration } from '../../../time/duration.js';
import { describeFailure, messageForPeople } from '../../errors/describe-failure.js';
import { describeSessionFailure } from '../../session/session-failure.js';
import { EXIT } from '../../errors/exit-codes.js';
import { reshapingFlag } from '../../output/index.js';
import { UsageError } from '../../errors/usage-error.js';
import { comparePets } from './pet-changes.js';
import { PET_COLUMNS } from './pet-view.js';
import { createChangeOutput, isWatchFormat } from './watch-output.js';
import { nextPoll, type NextPoll } from './watch-pace.js';

/** The result of one poll of the list. */
export interface ListPoll {
  pets: Pet[];
  /** Number of pets before filtering. */
  listed: number;
  /** Whether the list is complete, not truncated. */
  complete: boolean;
  /** Requests of this poll. */
  requests: number;
}

/** What to poll, and how often. */
export interface WatchOptions {
  poll: (store: PetStore) => Promise<ListPoll>;
  /** The chosen interval. */
  intervalMs?: number | undefined;
  /** The fields that the command filters by, because the service can't. */
  filteredBy?: string;
}

/** Maximum time between polls of a failing service. */
const RETRY_DELAY_MAX_MS = 300_000;

/**
 * Shows a list, then its changes, until it is stopped.
 *
 * A temporary failure after the first poll is reported once and retried with growing delays. Other failures, such as a
 * rejected key, end the watch.
 */
export async function watchPets(
  { poll, intervalMs, filteredBy }: WatchOptions,
  session: Session,
): Promise<never> {
  checkWatchOutput(session);
  const store = await session.client({ fields: PET_COLUMNS });
  const output = await createChangeOutput(session);
  const { clock, signal, stderr, watchReader } = session.context;
  watchReader?.();
  const endLine = (): void => {
    // The terminal has shown ^C on it.
    if (stderr.isTTY && (signal.reason as Interruption).exitCode === EXIT.interrupted) stderr.write('\n');
  };
  signal.addEventListener('abort', endLine, { once: true });

  let found = await poll(store);
  await output.first(found.pets);
  let { seen } = comparePets({ pets: new Map(), complete: true }, found.pets, found.complete);
  let next = nextPoll(found.requests, await store.budget(), intervalMs);
  if (filteredBy !== undefined)
    session.note(`Filtering the listed pets; the service can't filter by ${filteredBy}.`);
  session.note(`Watching ${counted(found.pets.length, 'pet')}, ${describePace(next)}. Press ^C to stop.`);
  for (;;) {
    if (!found.complete) warnOfTruncation(found.listed, session);
    await sleep(clock, next.delayMs, signal);
    found = await pollWithRetry(() => poll(store), next.delayMs, session);
    const compared = comparePets(seen, found.pets, found.complete);
    await output.changes(compared.changes);
    seen = compared.seen;
    const { isLimited } = next;
    next = nextPoll(found.requests, await store.budget(), intervalMs);
    if (next.isLimited !== isLimited) session.note(`Now ${describePace(next)}.`);
  }
}

/** Rejects formats and flags that need the whole output at once. */
function checkWatchOutput({ format, global }: Session): void {
  if (!isWatchFormat(format)) {
    throw new UsageError(`--watch does not support -o ${format}`, 'Use -o ndjson: one event per line.');
  }
  const given = reshapingFlag(global);
  if (given === undefined) return;
  throw new UsageError(
    `--watch does not support ${given}`,
    'Omit one of them, or filter -o ndjson with another program, such as jq.',
  );
}

/** Polls until a poll succeeds. Reports consecutive failures once. */
async function pollWithRetry(
  poll: () => Promise<ListPoll>,
  delayMs: number,
  session: Session,
): Promise<ListPoll> {
  for (let failures = 0; ; failures += 1) {
    try {
      const found = await poll();
      if (failures > 0) session.note('The service responds again.');
      return found;
    } catch (error) {
      const retryInMs = delayAfter(error, delayMs * 2 ** failures, session);
      if (retryInMs === undefined) throw error;
      const message = messageForPeople(describeSessionFailure(error, session));
      if (failures === 0) session.note(`warning: ${message}. Retrying in ${describeDuration(retryInMs)}.`);
      await sleep(session.context.clock, retryInMs, session.context.signal);
    }
  }
}

/** The delay before the next poll; `undefined` if a retry does not help or is turned off. */
function delayAfter(error: unknown, delayMs: number, { global, context }: Session): number | undefined {
  if (context.signal.aborted || !global.retry) return undefined;
  // Without --max-wait a watch waits for any rate limit.
  if (error instanceof RateLimitError)
    return global.waitMaxMs === undefined ? Math.max(delayMs, error.retryAfterMs ?? 0) : undefined;
  if (describeFailure(error).exitCode !== EXIT.unavailable) return undefined;
  return Math.min(delayMs, RETRY_DELAY_MAX_MS);
}

function warnOfTruncation(count: number, session: Session): void {
  session.warn(
    `The list is truncated at ${counted(count, 'pet')}. Removed pets are not reported, and an added pet may not be new.`,
  );
}

function describePace({ delayMs, isLimited }: NextPoll): string {
  const reason = isLimited
    ? ' to leave half of the remaining requests to other uses (change it with --interval)'
    : '';
  return `polling every ${describeDuration(delayMs)}${reason}`;
}
