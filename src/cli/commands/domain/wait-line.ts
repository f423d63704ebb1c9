import { CERTIFICATE_DUE_MS, type Report, type WatchPause } from '../../../domain/index.js';
import type { Context } from '../../system/context.js';
import type { StatusLine } from '../../status/status-line.js';
import { describeDuration } from '../../../time/duration.js';
import { fitProgress, type ProgressPart } from '../../status/line-text.js';
import { fullMinute, localTime } from '../../output/text/local-time.js';

/**
 * Creates the progress line of a wait: obstacle, next check, latest time. Shows nothing without a terminal.
 *
 * @param wait Number of domains and end of the wait, in milliseconds since the epoch.
 */
export function createWaitLine(
  status: StatusLine,
  clock: Context['clock'],
  wait: { count: number; endsAt: number },
) {
  const pauses = new Map<WatchPause['request'], WatchPause>();
  let remaining = wait.count;
  const show = (): void => {
    status.show((columns) => {
      const now = clock.now();
      const end = { text: `gives up at ${localTime(wait.endsAt, now)}`, rank: 2 };
      return fitProgress(undefined, [...partsOf([...pauses.values()], remaining, now), end, STOP], columns);
    });
  };
  show();
  return {
    /** A domain waits for its next check. */
    onPause(pause: WatchPause): void {
      pauses.set(pause.request, pause);
      show();
    },
    /** The wait for a domain has ended. */
    onEnd(request: WatchPause['request']): void {
      pauses.delete(request);
      remaining -= 1;
      if (remaining === 0) status.clear();
      else show();
    },
  };
}

const STOP: ProgressPart = { text: '^C stops', rank: 1 };

function partsOf(pauses: readonly WatchPause[], remaining: number, now: number): ProgressPart[] {
  const [first] = pauses.toSorted((one, other) => one.nextCheckAt.getTime() - other.nextCheckAt.getTime());
  if (first === undefined)
    return [
      {
        text: remaining === 1 ? 'Querying the name servers' : `Checking ${String(remaining)} domains`,
        rank: 9,
      },
    ];
  const { report, nextCheckAt } = first;
  const leftMs = nextCheckAt.getTime() - now;
  const all = pauses.map((pause) => pause.report);
  const latest = remaining === pauses.length ? latestText(all, now) : '';
  return [
    {
      text:
        remaining === 1 ? `Waiting for ${obstacleOf(report)}` : `Waiting for ${String(remaining)} domains`,
      rank: 8,
    },
    { text: remaining === 1 ? report.domain.ascii : '', rank: 4 },
    { text: leftMs > 0 ? `next check in ${describeDuration(leftMs)}` : 'checking', rank: 9 },
    { text: remaining === 1 && latest === '' ? overdueText(report, now) : latest, rank: 7 },
  ];
}

/** What the wait is for, in words. */
function obstacleOf({ state, estimate, findings }: Report): string {
  switch (state) {
    case 'propagating':
      return estimate !== null ||
        findings.some(({ axis, severity }) => axis === 'propagation' && severity === 'wait')
        ? 'resolver caches to expire'
        : 'a name server to update';
    case 'verified':
      return 'the certificate';
    case 'inconclusive':
      return 'a response';
    default:
      return 'the record';
  }
}

/** Latest time by which all domains are visible, in words. Empty if it is unknown for one of them. */
function latestText(reports: readonly Report[], now: number): string {
  const times = reports.map(({ state, estimate }) =>
    state === 'propagating' && estimate !== null ? estimate.latest.getTime() : Number.NaN,
  );
  const latest = Math.max(...times);
  return Number.isNaN(latest) ? '' : `visible by ${localTime(fullMinute(latest), now)} at the latest`;
}

/** When the certificate becomes overdue, in words. */
function overdueText({ state, verifiedAt }: Report, now: number): string {
  if (state !== 'verified' || verifiedAt === undefined) return '';
  const dueAt = verifiedAt.getTime() + CERTIFICATE_DUE_MS;
  return dueAt <= now ? 'overdue' : `overdue at ${localTime(dueAt, now)}`;
}
