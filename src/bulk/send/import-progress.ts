import type { Clock } from '../../client/internal.js';
import type { ImportCounts, ImportEvent } from '../job/import-job.js';

/** Minimum time between two events. */
const EVERY_MS = 100;

/**
 * Returns a function that emits the progress of a run, at most ten times per second. Call it after each change. With
 * `isLast`, it always emits an event.
 *
 * @param minDurationMs how long the run takes at least, because of the rate limit. The rate of the first rows does not
 *   show it.
 */
export function createProgress(
  clock: Pick<Clock, 'now'>,
  emit: (event: ImportEvent) => void,
  readCounts: () => ImportCounts,
  minDurationMs = 0,
): (isLast?: boolean) => void {
  const startedAt = clock.now();
  const doneBefore = doneOf(readCounts());
  let emittedAt = Number.NEGATIVE_INFINITY;
  return (isLast = false) => {
    const now = clock.now();
    // Also emits if the wall clock was set back.
    if (!isLast && now - emittedAt < EVERY_MS && now >= emittedAt) return;
    emittedAt = now;
    const counts = readCounts();
    const elapsedMs = Math.max(0, now - startedAt);
    const rowsPerSecond = elapsedMs === 0 ? 0 : ((doneOf(counts) - doneBefore) * 1_000) / elapsedMs;
    const left = counts.left + counts.inFlight;
    // Uses the mean of the whole run, because the rate limit causes bursts.
    const remainingMs = Math.ceil(
      left === 0 ? 0 : Math.max((left * 1_000) / rowsPerSecond, minDurationMs - elapsedMs),
    );
    const isKnown = rowsPerSecond > 0 && remainingMs < Number.POSITIVE_INFINITY;
    emit({ type: 'progress', counts, elapsedMs, rowsPerSecond, ...(isKnown ? { remainingMs } : {}) });
  };
}

/** Counts the rows with an outcome, or with an unknown one. */
export function doneOf({
  created,
  rejected,
  unknown,
  alreadyDone,
}: Pick<ImportCounts, 'created' | 'rejected' | 'unknown' | 'alreadyDone'>): number {
  return created + rejected + unknown + alreadyDone;
}
