import {
  type CheckRequest,
  type Report,
  type WatchEnd,
  watchDomains,
  type WatchDomainsOptions,
} from '../../../domain/index.js';
import type { Session } from '../../action.js';
import { describeDuration } from '../../duration.js';
import { toJson } from '../../output/index.js';
import { shownMoment, withLocalMoments } from './moment.js';
import { shownName } from './names.js';
import { briefAdvice, stateWords } from './state-words.js';

/** What a wait is for, and how it is told. */
export interface WaitPlan {
  options: WatchDomainsOptions;
  /** Takes each report in: what comes back is told. `isOver`: the time for the wait has run out with it. */
  take: (report: Report, request: CheckRequest, isOver: boolean) => Report;
  /** What goes on with the wait for these domains, to paste. */
  resumeCommand: (requests: readonly CheckRequest[]) => string;
}

/**
 * Waits for domains. Each change is a line on stderr, or an event on stdout with `-o ndjson`. When it is stopped, it says
 * where things stand and how to go on.
 *
 * @param onEnd Called when one of them has ended; they come in any order.
 */
export async function waitForDomains(
  requests: readonly CheckRequest[],
  { options, take, resumeCommand }: WaitPlan,
  session: Session,
  onEnd: (index: number, end: WatchEnd) => void,
): Promise<void> {
  const last = new Map<number, Report>();
  const left = new Set(requests.keys());
  try {
    for await (const { index, request, ...event } of watchDomains(requests, options)) {
      const report = take(event.report, request, event.kind === 'end' && event.end === 'timeout');
      last.set(index, report);
      if (event.kind === 'end') {
        left.delete(index);
        onEnd(index, { end: event.end, report });
      } else {
        tell({ ...event, report }, session);
      }
    }
  } catch (error) {
    if (session.context.signal.aborted) {
      const stopped = requests.filter((_, index) => left.has(index));
      for (const index of left) {
        const report = last.get(index);
        const state = report === undefined ? 'not known yet' : stateWords(report.state).words;
        session.note(`${requests[index]?.domain ?? ''}: ${state} when it was stopped`);
      }
      session.note(`go on with: ${resumeCommand(stopped)}`);
    }
    throw error;
  }
}

function tell(
  { kind, report, nextCheckAt }: { kind: string; report: Report; nextCheckAt?: number },
  session: Session,
): void {
  const { context, format } = session;
  const nextCheck = nextCheckAt === undefined ? {} : { nextCheckAt: new Date(nextCheckAt).toISOString() };
  if (format === 'ndjson') {
    context.stdout.write(toJson({ event: kind, ...nextCheck, report }, { indent: false }));
    return;
  }
  // The last change is what the report says.
  if (nextCheckAt === undefined) return;
  const now = context.clock.now();
  const advice = withLocalMoments(briefAdvice(report), now);
  const state = `${shownName(report.domain)}: ${stateWords(report.state).words}`;
  const hint = kind === 'reverify' ? 'no certificate after 30 minutes: start verification again' : advice;
  const again = `next check in ${describeDuration(nextCheckAt - now)}`;
  session.note(
    `${shownMoment(new Date(now), now)} ${state}${hint === '' ? '' : `. ${hint.replace(/\.$/, '')}`}; ${again}`,
  );
}
