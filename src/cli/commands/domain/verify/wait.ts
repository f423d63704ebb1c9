import {
  type CheckRequest,
  type Report,
  type WatchEnd,
  watchDomains,
  type WatchDomainsOptions,
} from '../../../../domain/index.js';
import type { Session } from '../../../session/action.js';
import { Interruption } from '../../../system/context.js';
import { describeDuration } from '../../../text/duration.js';
import { EXIT } from '../../../errors/exit-codes.js';
import { toJson } from '../../../output/index.js';
import { shownMoment, withLocalMoments } from '../report/moment.js';
import { shownName } from '../report/names.js';
import { briefAdvice, stateWords } from '../report/state-words.js';
import type { RenderedReport } from '../next-commands.js';
import { createWaitLine } from './wait-line.js';

/** What a wait is for, and how it is told. */
export interface WaitPlan {
  options: WatchDomainsOptions;
  /** Takes each report in: what comes back is told. `isOver`: the time for the wait has run out with it. */
  take: (report: Report, request: CheckRequest, isOver: boolean) => RenderedReport;
  /** What goes on with the wait for these domains, to paste. */
  resumeCommand: (requests: readonly CheckRequest[]) => string;
}

/**
 * Waits for domains. Each change is a line on stderr, or an event on stdout with `-o ndjson`; on a terminal one more line
 * tells what is waited for. When it is stopped, it says where things stand and how to go on.
 *
 * @param onEnd Called when one of them has ended; they come in any order.
 */
export async function waitForDomains(
  requests: readonly CheckRequest[],
  plan: WaitPlan,
  session: Session,
  onEnd: (index: number, end: { end: WatchEnd['end']; report: RenderedReport }) => void,
): Promise<void> {
  const { context, global } = session;
  const last = new Map<number, RenderedReport>();
  const left = new Set(requests.keys());
  const endsAt = context.clock.now() + (plan.options.timeoutMs ?? 0);
  const line = createWaitLine(context, global.quiet, { count: requests.length, endsAt });
  session.showLiveLine(line);
  try {
    const options = { ...plan.options, onPause: line.onPause };
    for await (const { index, request, ...event } of watchDomains(requests, options)) {
      const report = plan.take(event.report, request, event.kind === 'end' && event.end === 'timeout');
      last.set(index, report);
      line.hide();
      if (event.kind === 'end') {
        left.delete(index);
        onEnd(index, { end: event.end, report });
        line.onEnd(request);
      } else {
        tell({ ...event, report }, session);
      }
    }
  } catch (error) {
    line.clear();
    if (context.signal.aborted) {
      const stopped = [...left].map((index) => ({ request: requests[index], report: last.get(index) }));
      tellStopped(stopped, session);
      session.note(`go on with: ${plan.resumeCommand(stopped.flatMap(({ request }) => request ?? []))}`);
    }
    throw error;
  } finally {
    line.clear();
  }
}

/** Where the domains stand that are left when somebody stops the wait. */
function tellStopped(
  stopped: readonly { request: CheckRequest | undefined; report: RenderedReport | undefined }[],
  session: Session,
): void {
  const { format, context } = session;
  const reason: unknown = context.signal.reason;
  const exitCode = reason instanceof Interruption ? reason.exitCode : EXIT.failed;
  for (const { request, report } of stopped) {
    const domain = request?.domain ?? '';
    // Where the reader has gone, nobody reads the end.
    if (format === 'ndjson' && exitCode !== EXIT.ok) {
      const known = report === undefined ? { domain, report: null } : { report };
      tellEvent({ event: 'end', end: 'interrupted', timedOut: false, exitCode, ...known }, session);
    }
    const state = report === undefined ? 'not known yet' : stateWords(report.state).words;
    session.note(`${domain}: ${state} when it was stopped`);
  }
}

/** Writes an event of `-o ndjson`. */
export function tellEvent(event: Readonly<Record<string, unknown>>, { context }: Session): void {
  context.stdout.write(toJson(event, { indent: false }));
}

function tell(
  { kind, report, nextCheckAt }: { kind: string; report: RenderedReport; nextCheckAt?: number },
  session: Session,
): void {
  const { context, format } = session;
  const nextCheck = nextCheckAt === undefined ? {} : { nextCheckAt: new Date(nextCheckAt).toISOString() };
  if (format === 'ndjson') {
    tellEvent({ event: kind, ...nextCheck, report }, session);
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
