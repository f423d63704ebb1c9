import { type CheckProgress, doneOf, type ImportEvent } from '../../../../bulk/internal.js';
import type { Session } from '../../../session/session.js';
import type { Context } from '../../../system/context.js';
import type { StatusLine } from '../../../status/status-line.js';
import { counted } from '../../../errors/counted.js';
import { describeDuration, timeOfRetry } from '../../../../time/duration.js';
import { describeRate, describeShare, fitProgress, type ProgressPart } from '../../../status/line-text.js';

export type ProgressDisplay = ReturnType<typeof createImportProgress>;

type Sent = Extract<ImportEvent, { type: 'progress' }>;

/** A shorter check is not shown. */
const CHECKED_FROM_MS = 500;

/** Shows the progress of an import. */
export function createImportProgress(status: StatusLine, clock: Context['clock']) {
  const startedAt = clock.now();
  return {
    onChecked(checked: CheckProgress): void {
      if (clock.now() - startedAt < CHECKED_FROM_MS) return;
      status.show((columns) => checkedText(checked, columns));
    },
    onImportEvent(event: ImportEvent): void {
      if (event.type !== 'progress') return;
      const emittedAt = clock.now();
      status.show((columns) => {
        const now = clock.now();
        const times = { waitMs: (status.waitUntil ?? now) - now, sinceMs: now - emittedAt };
        return sentText(event, times, now, columns);
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
  { waitMs, sinceMs }: { waitMs: number; sinceMs: number },
  now: number,
  columns: number,
): string {
  const done = doneOf(counts);
  const share = counts.rows === 0 ? 1 : done / counts.rows;
  // Counts down during a wait, in which no row ends.
  const leftMs = remainingMs === undefined ? 0 : remainingMs - sinceMs;
  const left = leftMs > 0 ? `${describeDuration(leftMs)} left` : '';
  const wait = `waiting ${describeDuration(waitMs)}, until ${timeOfRetry(now + waitMs, now)}`;
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

/** Notes what an import does next, in words. */
export function noteStep(event: ImportEvent, session: Session): void {
  const text = describeStep(event, session);
  if (text !== undefined) session.note(text);
}

function describeStep(event: ImportEvent, { context }: Session): string | undefined {
  switch (event.type) {
    case 'stopping': {
      if (event.reason !== 'aborted') return undefined;
      const again = context.stdin.isTTY ? ' Press ^C again to stop at once.' : '';
      return `Stopping. Waiting up to 5 s for responses.${again}`;
    }
    case 'waiting':
      return `Waiting ${describeDuration(event.delayMs)} before ${counted(event.rows, 'row')} of unknown outcome ${event.rows === 1 ? 'is' : 'are'} sent again: a slow service may still create pets.`;
    case 'matching':
      return `Comparing ${counted(event.unknown, 'row')} of unknown outcome with the listed pets.`;
    case 'accepted':
      return `Accepted ${counted(event.rows, 'row')} as created: exactly the ${event.rows === 1 ? 'pet is' : 'pets are'} listed.`;
    case 'retrying':
      return `Sending ${counted(event.rows, 'row')} again that ${event.rows === 1 ? 'resembles' : 'resemble'} no listed pet.`;
    default:
      return undefined;
  }
}
