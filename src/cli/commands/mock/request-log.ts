import type { JournalEntry } from '../../../mock/index.js';
import { toTerminalLine } from '../../output/index.js';
import { createPainter, type PaintStyle } from '../../output/text/color.js';
import type { Session } from '../../session/session.js';
import { counted } from '../../errors/counted.js';
import { describeDuration, timeOfDay } from '../../../time/duration.js';

/** What the log shows of a request. */
export type LoggedRequest = Pick<
  JournalEntry,
  'at' | 'method' | 'path' | 'query' | 'status' | 'aborted' | 'fault'
>;

const NO_RESPONSE = 'no response';

/** Creates the log. With --quiet, it writes nothing. */
export async function createRequestLog(session: Session) {
  const { context, global, terminal } = session;
  const paint = await createPainter(terminal.stderr.colorLevel);
  const startedAt = context.clock.now();
  const countByOutcome = new Map<string, number>();
  return {
    /** Writes one line to stderr. */
    write(
      { at, method, path, query, status: sent, aborted, fault }: LoggedRequest,
      durationMs: number,
    ): void {
      const status = aborted === true ? undefined : sent;
      const outcome = aborted === true ? 'aborted' : status === undefined ? NO_RESPONSE : String(status);
      countByOutcome.set(outcome, (countByOutcome.get(outcome) ?? 0) + 1);
      if (global.quiet) return;
      const target = toTerminalLine(`${method} ${query === '' ? path : `${path}?${query}`}`);
      const details = `${String(Math.round(durationMs))} ms${fault === undefined ? '' : ` (${fault})`}`;
      const line = [
        paint('dim', timeOfDay(at.getTime())),
        target,
        paint(outcomeStyle(status), outcome),
        paint('dim', toTerminalLine(details)),
      ];
      context.stderr.write(`${line.join(' ')}\n`);
    },
    /** Writes a note: the number of requests, by status. */
    summarize(): void {
      // A terminal shows ^C without a line break.
      if (terminal.stderr.isTTY && !global.quiet) context.stderr.write('\n');
      const outcomes = [...countByOutcome].sort(([one], [other]) => one.localeCompare(other, 'en'));
      const total = outcomes.reduce((sum, [, count]) => sum + count, 0);
      const parts = outcomes.map(([outcome, count]) => `${outcome}: ${String(count)}`);
      const duration = describeDuration(context.clock.now() - startedAt);
      session.note(
        `Stopped after ${duration} and ${counted(total, 'request')}${total === 0 ? '' : ` (${parts.join(', ')})`}.`,
      );
    },
  };
}

function outcomeStyle(status: number | undefined): PaintStyle {
  if (status === undefined || status >= 500) return 'red';
  return status >= 400 ? 'yellow' : 'green';
}
