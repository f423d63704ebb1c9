import type { Clock } from '../../client/index.js';
import type { ImportCounts, ImportEvent } from '../import-job.js';

/** Between two events, in milliseconds: people see no more. */
const EVERY_MS = 100;

/** Tells how far a run has come, at most ten times a second. */
export class ImportProgress {
  readonly #clock: Pick<Clock, 'now'>;
  readonly #emit: (event: ImportEvent) => void;
  readonly #counts: () => ImportCounts;
  readonly #startedAt: number;
  readonly #doneBefore: number;
  #toldAt = Number.NEGATIVE_INFINITY;

  constructor(clock: Pick<Clock, 'now'>, emit: (event: ImportEvent) => void, counts: () => ImportCounts) {
    this.#clock = clock;
    this.#emit = emit;
    this.#counts = counts;
    this.#startedAt = clock.now();
    this.#doneBefore = done(counts());
  }

  /** Something has changed. `isLast` tells it in any case. */
  note(isLast = false): void {
    const now = this.#clock.now();
    // A wall clock that was set back must not end the telling.
    if (!isLast && now - this.#toldAt < EVERY_MS && now >= this.#toldAt) return;
    this.#toldAt = now;
    const counts = this.#counts();
    const elapsedMs = Math.max(0, now - this.#startedAt);
    const doneNow = done(counts) - this.#doneBefore;
    const rowsPerSecond = elapsedMs === 0 ? 0 : (doneNow * 1_000) / elapsedMs;
    // The mean of the whole run: with a rate limit, rows come in bursts, and only their mean says when the end is.
    const remainingMs =
      rowsPerSecond > 0 ? ((counts.left + counts.underWay) * 1_000) / rowsPerSecond : undefined;
    this.#emit({
      type: 'progress',
      counts,
      elapsedMs,
      rowsPerSecond,
      ...(remainingMs === undefined ? {} : { remainingMs }),
    });
  }
}

function done({ created, refused, unknown, alreadyDone }: ImportCounts): number {
  return created + refused + unknown + alreadyDone;
}
