import {
  BulkError,
  diskProblem,
  type ImportCounts,
  type ImportReport,
  rejectedFilesOf,
  type StopReason,
} from '../../../../bulk/index.js';
import { systemErrorReason } from '../../../../security/system-error.js';
import { timeOfRetry } from '../../../../time/duration.js';
import { CommandFailure } from '../../../errors/command-failure.js';
import { EXIT } from '../../../errors/exit-codes.js';
import type { Session } from '../../../session/action.js';
import { describeSessionFailure } from '../../../session/session-failure.js';
import { counted } from '../../../errors/counted.js';
import { AFTER_OTHER } from './import-errors.js';
import type { ImportLocation } from './import-location.js';
import type { ImportOptions } from './import-options.js';
import { unknownHint } from './unknown-hint.js';

/** Failures of local files after rows were sent. Their usual exit code 2 means that nothing was sent. */
const LOCAL_STOPS: ReadonlySet<StopReason> = new Set<StopReason>(['input', 'journal', 'rejected-file']);
/** Stops after which resuming is enough. */
const RESUMED_STOPS: ReadonlySet<StopReason> = new Set<StopReason>(['rate-limited', 'rejected-file']);

/** The error of the command: what stopped it, otherwise unknown rows, otherwise rejected rows. */
export function failureOf(
  report: ImportReport,
  { options, location }: { options: ImportOptions; location: ImportLocation },
  session: Session,
): CommandFailure | undefined {
  const { counts, stopped } = report;
  if (stopped !== undefined && stopped.reason !== 'unknown-outcome')
    return stopFailure(stopped, counts, location, session);
  if (counts.unknown > 0)
    return new CommandFailure(
      `The outcome of ${String(counts.unknown)} of ${counted(counts.rows, 'row')} is unknown; the ${counts.unknown === 1 ? 'pet' : 'pets'} may or may not have been created`,
      {
        type: 'unknown-outcome',
        exitCode: EXIT.unknownOutcome,
        hint: unknownHint(report, options, location),
      },
    );
  if (counts.rejected === 0) return undefined;
  // A second import with the journal does not send them, even if the service would now accept them.
  const todo =
    report.rejectedFile === undefined
      ? 'A resumed import does not send these rows again. Fix them or their cause'
      : 'Fix these rows';
  const commands = rejectedFilesOf(report).map(({ path }) => location.importCommand(path));
  return new CommandFailure(
    `The service rejected ${String(counts.rejected)} of ${counted(counts.rows, 'row')}`,
    {
      type: 'rejected',
      exitCode: EXIT.failed,
      ...(commands.length === 0 ? {} : { hint: `${todo}, then run: ${commands.join('; ')}` }),
    },
  );
}

function stopFailure(
  { reason, error, retryAt }: NonNullable<ImportReport['stopped']>,
  counts: ImportCounts,
  location: ImportLocation,
  session: Session,
): CommandFailure {
  const described = describeSessionFailure(error, session, Number.POSITIVE_INFINITY);
  const isLost = error instanceof BulkError && error.reason === 'lock-lost';
  // The journal is the one of the import that took over.
  const hasJournal = isLost || location.isKept(counts, true);
  const resume = location.resumeCommand(undefined, hasJournal);
  const isLocal = LOCAL_STOPS.has(reason);
  const isFull = isLocal && isDiskFull(error);
  const isResumed = RESUMED_STOPS.has(reason) || isFull || isLost;
  const hint = isResumed && resume !== undefined ? resume : isLocal ? undefined : described.hint;
  const from = isLost
    ? `${AFTER_OTHER} Then run: `
    : isFull
      ? 'Free some space, then run: '
      : retryAt === undefined
        ? `To ${hasJournal ? 'resume' : 'try again'}, run: `
        : `From ${timeOfRetry(retryAt.getTime(), session.context.clock.now())} on, run: `;
  const { status, code, requestId } = described;
  const message =
    isLocal && error instanceof Error ? localMessage(reason, error, location) : described.message;
  // What happened to these rows is more than why the import stopped.
  const isUnknown = counts.unknown > 0 && reason !== 'aborted';
  return new CommandFailure(
    isUnknown
      ? `${message}; the outcome of ${String(counts.unknown)} of ${counted(counts.rows, 'row')} is unknown`
      : message,
    {
      type: isUnknown
        ? 'unknown-outcome'
        : isLost
          ? 'lock-lost'
          : isFull
            ? 'disk-full'
            : isLocal
              ? reason
              : described.type,
      exitCode: isUnknown ? EXIT.unknownOutcome : isLocal ? EXIT.failed : described.exitCode,
      retryable: described.retryable && !isUnknown,
      ...(isLocal ? {} : { status, code, requestId }),
      retryAt,
      hint: hint === resume && resume !== undefined ? from + resume : hint,
      cause: error,
    },
  );
}

function isDiskFull(error: unknown): boolean {
  return diskProblem(error) !== undefined || (error instanceof BulkError && error.reason === 'disk-full');
}

function localMessage(reason: StopReason, error: Error, { journal, journalName }: ImportLocation): string {
  if (reason !== 'rejected-file') return error.message.replaceAll(journal, journalName);
  const problem = diskProblem(error);
  if (problem !== undefined) return `${problem}: can't write the rejected rows to a file`;
  return `Can't write the rejected rows to a file (${systemErrorReason(error)})`;
}
