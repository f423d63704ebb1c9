import type { Clock } from '../../client/index.js';
import type { ImportCounts, ImportEvent } from '../job/import-job.js';

/** Minimum time between two events. */
const EVERY_MS = 100;

/**
 * Returns a function that emits the progress of a run, at most ten times per second. Call it after each change. With
 * `isLast`, it always emits an event.
 */
export function createProgress(
  clock: Pick<Clock, 'now'>,
  emit: (event: ImportEvent) => void,
  readCounts: () => ImportCounts,
): (isLast?: boolean) => void {
  const startedAt = clock.now();
  const doneBefore = done(readCounts());
  let emittedAt = Number.NEGATIVE_INFINITY;
  return (isLast = false) => {
    const now = clock.now();
    // Also emits if the wall clock was set back.
    if (!isLast && now - emittedAt < EVERY_MS && now >= emittedAt) return;
    emittedAt = now;
    const counts = readCounts();
    const elapsedMs = Math.max(0, now - startedAt);
    const rowsPerSecond = elapsedMs === 0 ? 0 : ((done(counts) - doneBefore) * 1_000) / elapsedMs;
    // Uses the mean of the whole run, because the rate limit causes bursts.
    const remainingMs =
      rowsPerSecond > 0 ? ((counts.left + counts.inFlight) * 1_000) / rowsPerSecond : undefined;
    const remaining = remainingMs === undefined ? {} : { remainingMs };
    emit({ type: 'progress', counts, elapsedMs, rowsPerSecond, ...remaining });
  };
}

function done({ created, rejected, unknown, alreadyDone }: ImportCounts): number {
  return created + rejected + unknown + alreadyDone;
}
