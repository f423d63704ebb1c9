import type { CheckProgress, ImportCounts, ImportEvent } from '../../../../bulk/index.js';
import type { ClientEvent } from '../../../../client/index.js';
import type { Context } from '../../../system/context.js';
import { createCountdown, type LiveLine } from '../../../progress/countdown.js';
import { describeDuration, timeOfDay } from '../../../../time/duration.js';
import { createProgress } from '../../../progress/progress.js';
import {
  describeRate,
  describeShare,
  fitProgress,
  type ProgressPart,
} from '../../../progress/progress-text.js';

/** Shows the progress of an import. */
export interface ImportProgress extends LiveLine {
  onChecked(progress: CheckProgress): void;
  /** Sets the minimum remaining time by the rate limit. The rate of the first rows does not include it. */
  expect(durationMs: number): void;
  onImportEvent(event: ImportEvent): void;
}

type Sent = Extract<ImportEvent, { type: 'progress' }>;

/** Shorter waits are not shown. */
const SHOWN_FROM_MS = 1_000;
/** A shorter check is not shown. */
const CHECKED_FROM_MS = 500;

/** Shows one live line with the wait for the rate limit. If stderr is not a terminal, only plain lines for waits. */
export function createImportProgress(
  context: Pick<Context, 'stderr' | 'clock'>,
  quiet: boolean,
): ImportProgress {
  if (!context.stderr.isTTY) return createPlainWaits(context, quiet);
  const progress = createProgress(context, quiet);
  const { clock } = context;
  let sent: Sent | undefined;
  let waitUntil: number | undefined;
  let notBefore = 0;
  const startedAt = clock.now();
  const showSent = (): void => {
    progress.show((columns) => {
      const now = clock.now();
      const until = { waitMs: (waitUntil ?? now) - now, limitMs: notBefore - now };
      return sent === undefined ? '' : sentText(sent, until, now, columns);
    });
  };
  return {
    hide: progress.hide,
    clear: progress.clear,
    onChecked(checked) {
      if (clock.now() - startedAt < CHECKED_FROM_MS) return;
      progress.show((columns) => checkedText(checked, columns));
    },
    expect(durationMs) {
      notBefore = clock.now() + durationMs;
    },
    onImportEvent(event) {
      if (event.type !== 'progress') return;
      sent = event;
      showSent();
    },
    onEvent(event: ClientEvent) {
      if (event.type === 'wait' && event.delayMs !== undefined && event.delayMs >= SHOWN_FROM_MS)
        waitUntil = clock.now() + event.delayMs;
      else if (event.type === 'request') waitUntil = undefined;
      else return;
      if (sent !== undefined) showSent();
    },
  };
}

/** One line for each wait. Rows in flight at the same time wait for the same reset, so it is written once. */
function createPlainWaits(context: Pick<Context, 'stderr' | 'clock'>, quiet: boolean): ImportProgress {
  const countdown = createCountdown(context, quiet);
  let waitUntil = Number.NEGATIVE_INFINITY;
  return {
    ...countdown,
    onChecked: () => undefined,
    expect: () => undefined,
    onImportEvent: () => undefined,
    onEvent(event) {
      if (event.type === 'wait' && event.delayMs !== undefined) {
        const until = context.clock.now() + event.delayMs;
        if (until < waitUntil + SHOWN_FROM_MS) return;
        waitUntil = until;
      }
      countdown.onEvent(event);
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
