import { CERTIFICATE_DUE_MS, type Report, type WatchPause } from '../../../../domain/index.js';
import type { Context } from '../../../system/context.js';
import type { LiveLine } from '../../../progress/countdown.js';
import { describeDuration } from '../../../text/duration.js';
import { createProgress } from '../../../progress/progress.js';
import { fitProgress, type ProgressPart } from '../../../progress/progress-text.js';
import { shownMoment } from '../report/moment.js';

/** The line on a terminal that tells what is waited for. */
export interface WaitLine extends LiveLine {
  /** One of the domains is being asked about, or rests until its next check. */
  onPause(pause: WatchPause): void;
  /** One of them is waited for no more. */
  onEnd(request: WatchPause['request']): void;
}

/**
 * Shows on a terminal what is waited for, when it is checked next, and when it is there at the latest. Elsewhere it shows
 * nothing: there, changes are told and nothing else.
 *
 * @param wait how many domains are waited for and, in milliseconds since the epoch, until when.
 */
export function createWaitLine(
  context: Pick<Context, 'stderr' | 'clock'>,
  quiet: boolean,
  wait: { count: number; endsAt: number },
): WaitLine {
  const { stderr, clock } = context;
  const progress = createProgress(context, quiet || !stderr.isTTY);
  const pauses = new Map<WatchPause['request'], WatchPause>();
  let left = wait.count;
  const show = (): void => {
    progress.show((columns) => {
      const now = clock.now();
      const end = { text: `gives up at ${shownMoment(new Date(wait.endsAt), now)}`, rank: 2 };
      return fitProgress(undefined, [...partsOf([...pauses.values()], left, now), end, STOP], columns);
    });
  };
  show();
  return {
    hide: progress.hide,
    clear: progress.clear,
    // What the client waits for, which infers the plan, is not what is waited for here.
    onEvent: () => undefined,
    onPause(pause) {
      pauses.set(pause.request, pause);
      show();
    },
    onEnd(request) {
      pauses.delete(request);
      left -= 1;
      if (left === 0) progress.clear();
      else show();
    },
  };
}

const STOP: ProgressPart = { text: '^C stops', rank: 1 };

function partsOf(pauses: readonly WatchPause[], left: number, now: number): ProgressPart[] {
  const [first] = pauses.toSorted((one, other) => one.nextCheckAt - other.nextCheckAt);
  if (first === undefined)
    return [
      { text: left === 1 ? 'asking the name servers' : `asking about ${String(left)} domains`, rank: 9 },
    ];
  const { report, nextCheckAt } = first;
  const leftMs = nextCheckAt - now;
  const all = pauses.map((pause) => pause.report);
  const latest = left === pauses.length ? latestText(all, now) : '';
  return [
    {
      text: left === 1 ? `waiting for ${obstacleOf(report)}` : `waiting for ${String(left)} domains`,
      rank: 8,
    },
    { text: left === 1 ? report.domain.ascii : '', rank: 4 },
    { text: leftMs > 0 ? `next check in ${describeDuration(leftMs)}` : 'checking', rank: 9 },
    { text: left === 1 && latest === '' ? overdueText(report, now) : latest, rank: 7 },
  ];
}

/** What the next check hopes to find gone. */
function obstacleOf({ state, estimate }: Report): string {
  switch (state) {
    case 'propagating':
      return estimate === null ? 'a name server to catch up' : 'resolvers to forget the old answer';
    case 'verified':
      return 'the certificate';
    case 'inconclusive':
      return 'an answer';
    default:
      return 'the record';
  }
}

/** By when the last of them is there; empty where of one of them nobody can say. */
function latestText(reports: readonly Report[], now: number): string {
  const moments = reports.map(({ state, estimate }) =>
    state === 'propagating' && estimate !== null ? Date.parse(estimate.latest) : Number.NaN,
  );
  const latest = Math.max(...moments);
  return Number.isNaN(latest) ? '' : `seen by all at ${shownMoment(new Date(latest), now)} at the latest`;
}

/** From when on a certificate that is waited for is overdue. */
function overdueText({ state, verifiedAt }: Report, now: number): string {
  if (state !== 'verified' || verifiedAt === undefined) return '';
  const dueAt = Date.parse(verifiedAt) + CERTIFICATE_DUE_MS;
  return dueAt <= now ? 'overdue' : `overdue from ${shownMoment(new Date(dueAt), now)} on`;
}
