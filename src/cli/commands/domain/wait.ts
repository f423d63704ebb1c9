import {
  type CheckRequest,
  type Report,
  type WatchEnd,
  watchDomains,
  type WatchDomainsOptions,
} from '../../../domain/index.js';
import type { Session } from '../../session/session.js';
import { exitCodeOf } from '../../system/context.js';
import { describeDuration } from '../../../time/duration.js';
import { EXIT } from '../../errors/exit-codes.js';
import { toJson } from '../../output/index.js';
import { localTime, withLocalTimes } from '../../output/text/local-time.js';
import { shownName } from './input/names.js';
import { briefAdvice, stateWords } from './report/state-words.js';
import type { RenderedReport } from './report/next-commands.js';
import { createWaitLine } from './wait-line.js';

/** Settings of a wait. */
export interface WaitSettings {
  options: WatchDomainsOptions;
  /** Processes each report before it is printed. `hasTimedOut`: the wait ends with it. */
  process: (report: Report, request: CheckRequest, hasTimedOut: boolean) => RenderedReport;
  /** A command that resumes the wait for these domains. */
  resumeCommand: (requests: readonly CheckRequest[]) => string;
}

/**
 * Waits for domains. Prints each change as a line on stderr, or as an event on stdout with `-o ndjson`, and a progress
 * line on a terminal. When interrupted, prints the states and a command to resume.
 *
 * @param onEnd Called at the end of each domain, in any order.
 */
export async function waitForDomains(
  requests: readonly CheckRequest[],
  settings: WaitSettings,
  session: Session,
  onEnd: (index: number, end: { end: WatchEnd['end']; report: RenderedReport }) => void,
): Promise<void> {
  const { context } = session;
  const last = new Map<number, RenderedReport>();
  const remaining = new Set(requests.keys());
  const endsAt = context.clock.now() + (settings.options.timeoutMs ?? 0);
  const line = createWaitLine(session.status, context.clock, { count: requests.length, endsAt });
  context.watchReader?.();
  try {
    const options = { ...settings.options, onPause: line.onPause };
    for await (const { index, request, ...event } of watchDomains(requests, options)) {
      const report = settings.process(event.report, request, event.kind === 'end' && event.end === 'timeout');
      last.set(index, report);
      if (event.kind === 'end') {
        remaining.delete(index);
        onEnd(index, { end: event.end, report });
        line.onEnd(request);
      } else {
        printChange({ ...event, report }, session);
      }
    }
  } catch (error) {
    session.status.clear();
    const exitCode = exitCodeOf(context.signal.reason);
    // Exit code 0 means a closed pipe: no reader is left.
    if (context.signal.aborted && exitCode !== EXIT.ok) {
      const stopped = [...remaining].map((index) => ({ request: requests[index], report: last.get(index) }));
      reportInterrupted(stopped, exitCode, session);
      session.note(
        `To resume, run: ${settings.resumeCommand(stopped.flatMap(({ request }) => request ?? []))}`,
      );
    }
    throw error;
  } finally {
    session.status.clear();
  }
}

/** Prints the last known state of the remaining domains. */
function reportInterrupted(
  stopped: readonly { request: CheckRequest | undefined; report: RenderedReport | undefined }[],
  exitCode: number,
  session: Session,
): void {
  for (const { request, report } of stopped) {
    const domain = request?.domain ?? '';
    if (session.format === 'ndjson') {
      const known = report === undefined ? { domain, report: null } : { report };
      printEvent({ event: 'end', end: 'interrupted', timedOut: false, exitCode, ...known }, session);
    }
    const state = report === undefined ? 'unknown' : stateWords(report.state).words;
    session.note(`Interrupted. Last state of ${domain}: ${state}.`);
  }
}

/** Prints an event of `-o ndjson`. */
export function printEvent(event: Readonly<Record<string, unknown>>, session: Session): void {
  const { isTTY } = session.terminal.stdout;
  session.context.stdout.write(toJson(event, { indent: false, isTTY }));
}

function printChange(
  { kind, report, nextCheckAt }: { kind: string; report: RenderedReport; nextCheckAt?: Date },
  session: Session,
): void {
  const { context, format } = session;
  const nextCheck = nextCheckAt === undefined ? {} : { nextCheckAt: nextCheckAt.toISOString() };
  if (format === 'ndjson') {
    printEvent({ event: kind, ...nextCheck, report }, session);
    return;
  }
  // The final report shows the last change.
  if (nextCheckAt === undefined) return;
  const now = context.clock.now();
  const advice = withLocalTimes(briefAdvice(report), now);
  const state = `${shownName(report.domain)}: ${stateWords(report.state).words}`;
  const hint = kind === 'reverify' ? 'No certificate after 30 minutes: start verification again.' : advice;
  const again = `Next check in ${describeDuration(nextCheckAt.getTime() - now)}.`;
  session.note(
    `${localTime(now, now)} ${[`${state}.`, hint, again].filter((text) => text !== '').join(' ')}`,
  );
}
