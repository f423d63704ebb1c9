import type { Clock } from '../../client/index.js';
import type { ImportCounts, ImportEvent } from '../job/import-job.js';

/** Minimum time between two events. */
const EVERY_MS = 100;

/** Emits the progress of a run, at most ten times per second. */
export class ImportProgress {
  readonly #clock: Pick<Clock, 'now'>;
  readonly #emit: (event: ImportEvent) => void;
  readonly #counts: () => ImportCounts;
  readonly #startedAt: number;
  readonly #doneBefore: number;
  #emittedAt = Number.NEGATIVE_INFINITY;

  constructor(clock: Pick<Clock, 'now'>, emit: (event: ImportEvent) => void, counts: () => ImportCounts) {
    this.#clock = clock;
    this.#emit = emit;
    this.#counts = counts;
    this.#startedAt = clock.now();
    this.#doneBefore = done(counts());
  }

  /** Call this after each change. With `isLast`, always emits an event. */
  update(isLast = false): void {
    const now = this.#clock.now();
    // Also emits if the wall clock was set back.
    if (!isLast && now - this.#emittedAt < EVERY_MS && now >= this.#emittedAt) return;
    this.#emittedAt = now;
    const counts = this.#counts();
    const elapsedMs = Math.max(0, now - this.#startedAt);
    const doneByRun = done(counts) - this.#doneBefore;
    const rowsPerSecond = elapsedMs === 0 ? 0 : (doneByRun * 1_000) / elapsedMs;
    // Uses the mean of the whole run, because the rate limit causes bursts.
    const remainingMs =
      rowsPerSecond > 0 ? ((counts.left + counts.inFlight) * 1_000) / rowsPerSecond : undefined;
    this.#emit({
      type: 'progress',
      counts,
      elapsedMs,
      rowsPerSecond,
      ...(remainingMs === undefined ? {} : { remainingMs }),
    });
  }
}

function done({ created, rejected, unknown, alreadyDone }: ImportCounts): number {
  return created + rejected + unknown + alreadyDone;
}
