import {
  BulkError,
  diskProblem,
  type ImportCounts,
  type ImportReport,
  REMEDIES,
  rejectedFilesOf,
  type StopReason,
} from '../../../../bulk/internal.js';
import { systemErrorReason } from '../../../../security/system-error.js';
import { timeOfRetry } from '../../../../time/duration.js';
import { CommandFailure } from '../../../errors/command-failure.js';
import { EXIT } from '../../../errors/exit-codes.js';
import type { Session } from '../../../session/session.js';
import { describeSessionFailure } from '../../../session/session-failure.js';
import { counted } from '../../../errors/counted.js';
import type { ImportLocation } from './import-location.js';
import { type ImportHint, unknownHint } from './unknown-hint.js';

/** Failures of local files after rows were sent. Their usual exit code 2 means that nothing was sent. */
const LOCAL_STOPS: ReadonlySet<StopReason> = new Set<StopReason>(['input', 'journal', 'rejected-file']);
/** Stops after which resuming is enough. */
const RESUMED_STOPS: ReadonlySet<string> = new Set([
  'rate-limited',
  'rejected-file',
  'disk-full',
  'lock-lost',
]);
/** What to do before the command of the hint. */
const BEFORE_COMMAND: Readonly<Partial<Record<string, string>>> = {
  'disk-full': 'Free some space, then run',
  'lock-lost': `${REMEDIES['lock-lost']} Then run`,
};

/** The error of the command. */
interface ImportFailure {
  error: CommandFailure;
  /** Whether its hint has a command that resumes the import. */
  hintResumes: boolean;
}

/** The error of the command: what stopped it, otherwise unknown rows, otherwise rejected rows. */
export function failureOf(
  report: ImportReport,
  location: ImportLocation,
  session: Session,
): ImportFailure | undefined {
  const { counts, stopped } = report;
  if (stopped !== undefined && stopped.reason !== 'unknown-outcome')
    return stopFailure(stopped, counts, location, session);
  if (counts.unknown > 0) {
    const hint = unknownHint(report, location);
    const pets = counts.unknown === 1 ? 'the pet' : 'the pets';
    const message = `The ${unknownOf(counts)}; ${pets} may or may not have been created`;
    return {
      error: new CommandFailure(message, { ...UNKNOWN_OUTCOME, hint: hint.hint }),
      hintResumes: hint.resumes,
    };
  }
  if (counts.rejected === 0) return undefined;
  // A second import with the journal does not send them, even if the service would now accept them.
  const todo =
    report.rejectedFile === undefined
      ? 'A resumed import does not send these rows again. Fix them or their cause'
      : 'Fix these rows';
  const commands = rejectedFilesOf(report).map(({ path }) => location.importCommand(path));
  const error = new CommandFailure(
    `The service rejected ${String(counts.rejected)} of ${counted(counts.rows, 'row')}`,
    {
      type: 'rejected',
      exitCode: EXIT.failed,
      ...(commands.length === 0 ? {} : { hint: `${todo}, then run: ${commands.join('; ')}` }),
    },
  );
  return { error, hintResumes: false };
}

const UNKNOWN_OUTCOME = { type: 'unknown-outcome', exitCode: EXIT.unknownOutcome };

function unknownOf({ unknown, rows }: ImportCounts): string {
  return `outcome of ${String(unknown)} of ${counted(rows, 'row')} is unknown`;
}

function stopFailure(
  stopped: NonNullable<ImportReport['stopped']>,
  counts: ImportCounts,
  location: ImportLocation,
  session: Session,
): ImportFailure {
  const { reason, error, retryAt } = stopped;
  const described = describeSessionFailure(error, session, Number.POSITIVE_INFINITY);
  const local = localTypeOf(stopped);
  const command = resumeHint(stopped, counts, location, session);
  const message =
    local !== undefined && error instanceof Error ? localMessage(reason, error, location) : described.message;
  const { status, code, requestId } = described;
  const facts =
    local === undefined
      ? { type: described.type, exitCode: described.exitCode, status, code, requestId }
      : { type: local, exitCode: EXIT.failed };
  // What happened to these rows is more than why the import stopped.
  const isUnknown = counts.unknown > 0 && reason !== 'aborted';
  const failure = new CommandFailure(isUnknown ? `${message}; the ${unknownOf(counts)}` : message, {
    ...facts,
    ...(isUnknown ? UNKNOWN_OUTCOME : {}),
    retryable: described.retryable && !isUnknown,
    retryAt,
    hint: command?.hint ?? (local === undefined ? described.hint : undefined),
    cause: error,
  });
  return { error: failure, hintResumes: command?.resumes === true };
}

/** The command to continue, if nothing else has to be fixed first. */
function resumeHint(
  stopped: NonNullable<ImportReport['stopped']>,
  counts: ImportCounts,
  location: ImportLocation,
  { context }: Session,
): ImportHint | undefined {
  const type = localTypeOf(stopped) ?? stopped.reason;
  if (!RESUMED_STOPS.has(type)) return undefined;
  // After a lost lock, the journal is the one of the import that took over.
  const resumes = type === 'lock-lost' || location.isKept(counts, true);
  const command = location.resumeCommand(undefined, resumes);
  if (command === undefined) return undefined;
  const { retryAt } = stopped;
  const start =
    retryAt === undefined
      ? `To ${resumes ? 'resume' : 'try again'}, run`
      : `From ${timeOfRetry(retryAt.getTime(), context.clock.now())} on, run`;
  return { hint: `${BEFORE_COMMAND[type] ?? start}: ${command}`, resumes };
}

/** The type of the error of a local file; `undefined` if the import stopped for another reason. */
function localTypeOf({ reason, error }: NonNullable<ImportReport['stopped']>): string | undefined {
  if (!LOCAL_STOPS.has(reason)) return undefined;
  if (error instanceof BulkError && error.reason === 'lock-lost') return error.reason;
  return isDiskFull(error) ? 'disk-full' : reason;
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
