import { type CheckRequest, watchDomain, type WatchEnd, type WatchOptions } from '../../../domain/index.js';
import type { Report } from '../../../domain/index.js';
import type { Session } from '../../action.js';
import { describeDuration } from '../../duration.js';
import { toJson } from '../../output/index.js';
import { shownMoment, withLocalMoments } from './moment.js';
import { shownName } from './names.js';
import { briefAdvice, stateWords } from './state-words.js';

/** What a wait is for, and how it is told. */
export interface WaitPlan {
  options: WatchOptions;
  /** Makes a report's commands such as ask where this command asked. */
  dress: (report: Report) => Report;
  /** What goes on with the wait, to paste. */
  resumeCommand: string;
}

/**
 * Waits for one domain. Each change is a line on stderr, or an event on stdout with `-o ndjson`. When it is stopped, it
 * says where things stand and how to go on.
 */
export async function waitForDomain(
  request: CheckRequest,
  { options, dress, resumeCommand }: WaitPlan,
  session: Session,
): Promise<WatchEnd> {
  const watch = watchDomain(request, options);
  let last: Report | undefined;
  try {
    for (;;) {
      const { done, value } = await watch.next();
      if (done === true) return { ...value, report: dress(value.report) };
      last = dress(value.report);
      tell({ ...value, report: last }, session);
    }
  } catch (error) {
    if (session.context.signal.aborted) {
      const state = last === undefined ? 'not known yet' : stateWords(last.state).words;
      session.note(`${request.domain}: ${state} when it was stopped`);
      session.note(`go on with: ${resumeCommand}`);
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
