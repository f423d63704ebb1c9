import type { CheckProgress, ImportCounts, ImportEvent } from '../../../../bulk/index.js';
import type { Context } from '../../../system/context.js';
import type { StatusLine } from '../../../status/status-line.js';
import { describeDuration, timeOfDay } from '../../../../time/duration.js';
import { describeRate, describeShare, fitProgress, type ProgressPart } from '../../../status/line-text.js';

/** Shows the progress of an import. */
export interface ImportProgress {
  onChecked(progress: CheckProgress): void;
  /** Sets the minimum remaining time by the rate limit. The rate of the first rows does not include it. */
  expect(durationMs: number): void;
  onImportEvent(event: ImportEvent): void;
}

type Sent = Extract<ImportEvent, { type: 'progress' }>;

/** A shorter check is not shown. */
const CHECKED_FROM_MS = 500;

export function createImportProgress(status: StatusLine, clock: Context['clock']): ImportProgress {
  let notBefore = 0;
  const startedAt = clock.now();
  return {
    onChecked(checked) {
      if (clock.now() - startedAt < CHECKED_FROM_MS) return;
      status.show((columns) => checkedText(checked, columns));
    },
    expect(durationMs) {
      notBefore = clock.now() + durationMs;
    },
    onImportEvent(event) {
      if (event.type !== 'progress') return;
      status.show((columns) => {
        const now = clock.now();
        const until = { waitMs: (status.waitUntil ?? now) - now, limitMs: notBefore - now };
        return sentText(event, until, now, columns);
      });
    },
  };
}

function checkedText({ rows, bytes, bytesTotal }: CheckProgress, columns: number): string {
  const share = bytesTotal === undefined || bytesTotal === 0 ? undefined : bytes / bytesTotal;
  const parts: ProgressPart[] = [
    { text: `Checking rows: ${rows.toLocaleString('en')}`, rank: 3 },
    { text: share === undefined ? '' : describeShare(share), rank: 2 },
  ];
  return fitProgress(share, parts, columns);
}

function sentText(
  { counts, rowsPerSecond, remainingMs }: Sent,
  { waitMs, limitMs }: { waitMs: number; limitMs: number },
  now: number,
  columns: number,
): string {
  const done = doneOf(counts);
  const share = counts.rows === 0 ? 1 : done / counts.rows;
  const leftMs = Math.max(remainingMs ?? 0, limitMs);
  const left =
    remainingMs === undefined || !Number.isFinite(leftMs) ? '' : `${describeDuration(leftMs)} left`;
  const wait = `waiting ${describeDuration(waitMs)}, until ${timeOfDay(now + waitMs)}`;
  return fitProgress(
    share,
    [
      { text: `${String(done)}/${String(counts.rows)}`, rank: 9 },
      { text: describeShare(share), rank: 4 },
      { text: rowsPerSecond > 0 ? describeRate(rowsPerSecond) : '', rank: 2 },
      { text: left, rank: 5 },
      { text: counts.rejected === 0 ? '' : `${String(counts.rejected)} rejected`, rank: 3 },
      { text: counts.unknown === 0 ? '' : `${String(counts.unknown)} unknown`, rank: 6 },
      { text: waitMs > 0 ? wait : '', rank: 7 },
    ],
    columns,
  );
}

/** Rows with an outcome, or with an unknown one. */
function doneOf({ created, alreadyDone, rejected, unknown }: ImportCounts): number {
  return created + alreadyDone + rejected + unknown;
}
