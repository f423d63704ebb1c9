import type { PetStore } from '../../../../client/index.js';
import { RateLimitError } from '../../../../errors.js';
import type { Pet } from '../../../../schema/pet-reader.js';
import type { Session } from '../../../session/action.js';
import { Interruption } from '../../../system/context.js';
import { describeDuration } from '../../../text/duration.js';
import { describeFailure } from '../../../errors/exit.js';
import { EXIT } from '../../../errors/exit-codes.js';
import { reshapingFlag } from '../../../output/index.js';
import { UsageError } from '../../../errors/usage-error.js';
import { comparePets } from './pet-changes.js';
import { PET_FIELDS } from '../pet-view.js';
import { createChangeOutput, isWatchFormat } from './watch-output.js';
import { createWatchPace, type NextPoll } from './watch-pace.js';

/** What one look at a list showed. */
export interface ListPoll {
  pets: Pet[];
  /** Whether nothing can have been cut off. */
  complete: boolean;
  /** How many requests it took. */
  requests: number;
}

/** What is looked at, and how often. */
export interface WatchOptions {
  poll: (store: PetStore) => Promise<ListPoll>;
  /** The interval that was asked for. */
  intervalMs?: number | undefined;
}

/** The longest that a service that fails is left in peace. */
const PATIENCE_MAX_MS = 300_000;
/** Node's timers fire at once for anything longer. */
const TIMER_MAX_MS = 2 ** 31 - 1;

/**
 * Shows a list, and from then on what changes in it, until it is stopped.
 *
 * A look that fails after the first one is told once and repeated, later each time; a key that is refused ends the watch,
 * and so does everything else that another look would not mend.
 */
export async function watchPets(options: WatchOptions, session: Session): Promise<never> {
  try {
    return await watch(options, session);
  } catch (error) {
    endLineOfStop(session);
    throw error;
  }
}

async function watch({ poll: look, intervalMs }: WatchOptions, session: Session): Promise<never> {
  checkWatchOutput(session);
  const store = await session.client({ fields: PET_FIELDS });
  const pace = createWatchPace(intervalMs);
  const output = await createChangeOutput(session);

  let found = await look(store);
  await output.first(found.pets);
  let { seen } = comparePets({ pets: new Map(), complete: true }, found.pets, found.complete);
  let next = pace.after(found.requests, await store.budget());
  session.note(`watching ${animals(found.pets.length)}, ${describePace(next)}; ^C stops`);
  for (;;) {
    if (!found.complete) warnOfCut(found.pets.length, session);
    await sleep(next.delayMs, session);
    found = await lookPatiently(() => look(store), next.delayMs, session);
    const compared = comparePets(seen, found.pets, found.complete);
    await output.changes(compared.changes);
    seen = compared.seen;
    const { isLimited } = next;
    next = pace.after(found.requests, await store.budget());
    if (next.isLimited !== isLimited) session.note(`now ${describePace(next)}`);
  }
}

/** A terminal shows ^C where its cursor is, and the shell's prompt would follow on the same line. */
function endLineOfStop({ context: { signal, stderr } }: Session): void {
  const reason: unknown = signal.reason;
  if (stderr.isTTY && reason instanceof Interruption && reason.exitCode === EXIT.interrupted)
    stderr.write('\n');
}

/** What comes bit by bit is neither sorted nor reshaped as a whole, and is no single document. */
function checkWatchOutput({ format, global }: Session): void {
  if (!isWatchFormat(format)) {
    throw new UsageError(
      `--watch tells changes as they come, which -o ${format} can't`,
      'take -o ndjson, one event a line',
    );
  }
  const given = reshapingFlag(global);
  if (given === undefined) return;
  throw new UsageError(
    `${given} and --watch contradict each other: changes are told as they come, and whole`,
    'leave one of them out, or let another program choose from -o ndjson, such as jq',
  );
}

/** Looks until there is something to see. Each run of failures is told once. */
async function lookPatiently(look: () => Promise<ListPoll>, delayMs: number, session: Session): Promise<ListPoll> {
  for (let failures = 0; ; failures += 1) {
    try {
      const found = await look();
      if (failures > 0) session.note('the service answers again');
      return found;
    } catch (error) {
      const againMs = delayAfter(error, delayMs * 2 ** failures, session);
      if (againMs === undefined) throw error;
      const message = `${describeFailure(error).message}; looking again in ${describeDuration(againMs)}`;
      if (failures === 0) session.note(`warning: ${message}, and so on`);
      await sleep(againMs, session);
    }
  }
}

/** How long to wait before another look; `undefined` where another one would not help, or nobody wants it. */
function delayAfter(error: unknown, delayMs: number, { global, context }: Session): number | undefined {
  if (context.signal.aborted || !global.retry) return undefined;
  // A watch has time, unless somebody said how much.
  if (error instanceof RateLimitError)
    return global.waitMaxMs === undefined ? Math.max(delayMs, error.retryAfterMs) : undefined;
  if (describeFailure(error).exitCode !== EXIT.unavailable) return undefined;
  return Math.min(delayMs, PATIENCE_MAX_MS);
}

function warnOfCut(count: number, session: Session): void {
  session.warn(
    `the list is cut at ${animals(count)}: one that leaves it may only be out of sight, so none is told as removed, ` +
      'and one that appears may be an old one',
  );
}

function animals(count: number): string {
  return `${String(count)} ${count === 1 ? 'animal' : 'animals'}`;
}

function describePace({ delayMs, isLimited }: NextPoll): string {
  const reason = isLimited ? ', so that half of the quota is left to others (--interval sets another)' : '';
  return `a look every ${describeDuration(delayMs)}${reason}`;
}

function sleep(delayMs: number, { context: { clock, signal } }: Session): Promise<void> {
  return new Promise((resolve, reject) => {
    const stop = (): void => {
      cancel();
      reject(signal.reason as Error);
    };
    const cancel = clock.setTimeout(
      () => {
        signal.removeEventListener('abort', stop);
        resolve();
      },
      Math.min(delayMs, TIMER_MAX_MS),
    );
    if (signal.aborted) stop();
    else signal.addEventListener('abort', stop, { once: true });
  });
}
