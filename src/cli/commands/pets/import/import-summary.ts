import {
  BulkError,
  type CheckReport,
  diskProblem,
  type RejectedFile,
  type ImportCounts,
  type ImportReport,
  type RowFormat,
  type StopReason,
  type UnknownReport,
  type UnknownRow,
} from '../../../../bulk/index.js';
import type { Session } from '../../../session/action.js';
import { CommandFailure } from '../../../errors/command-failure.js';
import { Interruption } from '../../../system/context.js';
import { counted } from '../../../text/counted.js';
import { timeOfRetry } from '../../../../time/duration.js';
import { describeSessionFailure } from '../../../session/session-failure.js';
import { EXIT } from '../../../errors/exit-codes.js';
import { reshapingFlag, type View } from '../../../output/index.js';
import { type ImportOptions, SUMMARY_COLUMNS } from './import-options.js';
import type { ImportLocation } from './import-location.js';
import { systemErrorReason } from '../../../../security/system-error.js';

/** Failures of local files after rows were sent. Their usual exit code 2 means that nothing was sent. */
const LOCAL_STOPS: ReadonlySet<StopReason> = new Set<StopReason>(['input', 'journal', 'rejected-file']);
/** Stops after which resuming is enough. */
const RESUMED_STOPS: ReadonlySet<StopReason> = new Set<StopReason>(['rate-limited', 'rejected-file']);

/** Maximum number of rows on stderr. JSON has more. */
const NOTED_ROWS_MAX = 10;

/** Shows the result of --dry-run. `counts`: from the journal, with --resume. */
export function checkView(
  check: CheckReport,
  counts: ImportCounts | undefined,
  session: Pick<Session, 'format' | 'global'>,
): View {
  return withCountLines(checkRecord(check, counts), session);
}

function checkRecord(check: CheckReport, counts: ImportCounts | undefined): RecordView {
  const columns = [
    { field: 'rows', header: 'rows' },
    { field: 'format', header: 'format' },
    { field: 'errorCount', header: 'errors' },
  ];
  const { rows, format, delimiter, errorCount, errors } = check;
  const row = {
    rows,
    format,
    delimiter: delimiter ?? null,
    errorCount,
    errors,
    ...ignoredOf(check),
  };
  if (counts === undefined) return { kind: 'record', row, columns };
  const { created, alreadyDone, rejected, unknown, left } = counts;
  const states = { alreadyDone: created + alreadyDone, rejected, unknown, left };
  const shown = SUMMARY_COLUMNS.filter(({ field }) => field !== 'created');
  return { kind: 'record', row: { ...row, ...states }, columns: [...columns, ...shown] };
}

function ignoredOf({ ignored }: CheckReport): { ignoredColumns?: readonly string[] } {
  return ignored === undefined ? {} : { ignoredColumns: ignored };
}

/**
 * Prints the summary, the rejected and unknown rows, and how to continue.
 *
 * @returns the exit code after success or an interruption.
 * @throws CommandFailure otherwise.
 */
export async function reportOutcome(
  report: ImportReport,
  { options, location, format }: { options: ImportOptions; location: ImportLocation; format: RowFormat },
  session: Session,
): Promise<number> {
  await session.print(
    withCountLines(
      { kind: 'record', row: summaryRow(report, location, session), columns: SUMMARY_COLUMNS },
      session,
    ),
  );
  if (session.format !== 'table') session.note(countsLine(report.counts));
  noteRejected(report, format, location, session);
  if (report.unknown !== undefined) noteUnknown(report.unknown, report.counts.unknown, format, session);
  const { counts, stopped } = report;
  const isOpen = counts.left + counts.unknown + counts.inFlight > 0 && location.isKept(counts, true);
  const resume = isOpen && !isStuck(report, options) ? location.resumeCommand() : undefined;
  const failure = failureOf(report, { options, location }, session);
  if (failure === undefined && stopped === undefined)
    session.confirm(`Imported ${counted(counts.created + counts.alreadyDone, 'row')}.`);
  if (failure === undefined || stopped?.reason === 'aborted') {
    if (resume !== undefined) session.note(`To resume, run: ${resume}`);
    return stopped === undefined ? EXIT.ok : exitCodeOf(session.context.signal.reason);
  }
  if (resume !== undefined && failure.hint?.includes('--resume') !== true)
    session.note(`To resume, run: ${resume}`);
  throw failure;
}

/** Whether resuming would send nothing, because all remaining rows match a listed pet. */
function isStuck({ counts, stopped, unknown }: ImportReport, { onUnknown }: ImportOptions): boolean {
  if (onUnknown !== 'retry' || stopped !== undefined || counts.left > 0) return false;
  return unknown?.rows.every(({ listed, similar }) => listed.length + similar.length > 0) === true;
}

function exitCodeOf(reason: unknown): number {
  return reason instanceof Interruption ? reason.exitCode : EXIT.failed;
}

type RecordView = Extract<View, { kind: 'record' }>;

/** Piped, a summary is one line per count: its name, a tab and the count. */
function withCountLines(view: RecordView, { format, global }: Pick<Session, 'format' | 'global'>): View {
  if (format !== 'tsv' || reshapingFlag(global) !== undefined) return view;
  const { row, columns } = view;
  return {
    kind: 'list',
    rows: columns.map(({ field, header }) => ({ name: header, count: row[field] })),
    columns: ['name', 'count'].map((field) => ({ field, header: field })),
  };
}

function summaryRow(
  report: ImportReport,
  location: ImportLocation,
  session: Session,
): Record<string, unknown> {
  const { counts, sent, stopped, rejectedRows, rejectedFile, unknown } = report;
  const { created, alreadyDone, rejected, unknown: unknownCount, left, rows, inFlight } = counts;
  return {
    ...{ created, alreadyDone, rejected, unknown: unknownCount, left: left + inFlight, rows, sent },
    journal: location.isKept(counts, true) ? location.journalName : null,
    rejectedFile: rejectedFile === undefined ? null : location.shown(rejectedFile.path),
    rejectedFiles: rejectedFilesOf(report).map(({ path }) => location.shown(path)),
    stopped: stopped === undefined ? null : stopFacts(stopped, session),
    rejectedRows,
    unknownRows: (unknown?.rows ?? []).map(({ pet, row, line, ...pets }) => ({ row, line, ...pet, ...pets })),
    unknownSeen: unknown?.coverage ?? null,
  };
}

/** The files of rejected rows of all runs, in order. */
function rejectedFilesOf({ earlierRejectedFiles = [], rejectedFile }: ImportReport): readonly RejectedFile[] {
  return rejectedFile === undefined ? earlierRejectedFiles : [...earlierRejectedFiles, rejectedFile];
}

function stopFacts(
  { reason, error, retryAt }: NonNullable<ImportReport['stopped']>,
  session: Session,
): Record<string, unknown> {
  // An interruption is not an unexpected error.
  const interruption = reason === 'aborted' && error instanceof Error ? error.message : undefined;
  const message =
    error === undefined ? null : (interruption ?? describeSessionFailure(error, session).message);
  return { reason, message, retryAt: retryAt?.toISOString() ?? null };
}

function countsLine({ created, alreadyDone, rejected, unknown, left }: ImportCounts): string {
  const counts = [
    [created, 'created'],
    [alreadyDone, 'already done'],
    [rejected, 'rejected'],
    [unknown, 'unknown'],
    ...(left === 0 ? [] : ([[left, 'left']] as const)),
  ] as const;
  return counts.map(([count, word]) => `${String(count)} ${word}`).join(', ');
}

function noteRejected(
  { rejectedRows, rejectedFile, earlierRejectedFiles = [] }: ImportReport,
  format: RowFormat,
  location: ImportLocation,
  session: Session,
): void {
  for (const rejection of rejectedRows.slice(0, NOTED_ROWS_MAX))
    session.note(`${positionOf(rejection, format)}: rejected: ${rejection.reason}`);
  const more = (rejectedFile?.rows ?? rejectedRows.length) - NOTED_ROWS_MAX;
  if (more > 0 && rejectedRows.length > 0) session.note(`and ${String(more)} more`);
  for (const { path, rows } of earlierRejectedFiles)
    session.note(
      `Rejected rows and reasons of an earlier import: ${location.shown(path)} (${counted(rows, 'row')})`,
    );
  if (rejectedFile !== undefined)
    session.note(
      `Rejected rows and reasons: ${location.shown(rejectedFile.path)} (${counted(rejectedFile.rows, 'row')})`,
    );
}

/** One line of JSON can have many rows, so JSON rows are shown by row number. */
function positionOf({ row, line }: { row: number; line: number }, format: RowFormat): string {
  return format === 'json' ? `row ${String(row)}` : `line ${String(line)}`;
}

function noteUnknown(
  { rows, coverage }: UnknownReport,
  count: number,
  format: RowFormat,
  session: Session,
): void {
  for (const unknown of rows.slice(0, NOTED_ROWS_MAX)) {
    const { pet } = unknown;
    const description = `${pet.name}, category ${String(pet.categoryId)}`;
    session.note(`${positionOf(unknown, format)}: unknown: ${description}: ${evidence(unknown, coverage)}`);
  }
  if (count > NOTED_ROWS_MAX) session.note(`and ${String(count - NOTED_ROWS_MAX)} more`);
  if (coverage === 'part')
    session.note('Not all pets can be listed, so a pet that is not listed may still exist.');
}

/** Words the comparison with the listed pets. A match is no proof: another client may have created an equal pet. */
function evidence({ listed, similar }: UnknownRow, coverage: UnknownReport['coverage']): string {
  if (coverage === 'failed') return 'not compared with the listed pets yet';
  const [verb, ids] = listed.length > 0 ? ['matches', listed] : ['resembles', similar];
  if (ids.length === 0) return 'matches no listed pet';
  const shown = ids.slice(0, 3).map(String).join(', ');
  return `${verb} ${ids.length === 1 ? 'pet' : 'pets'} ${shown}${ids.length > 3 ? ', …' : ''}`;
}

/** The error of the command: what stopped it, otherwise unknown rows, otherwise rejected rows. */
function failureOf(
  report: ImportReport,
  { options, location }: { options: ImportOptions; location: ImportLocation },
  session: Session,
): CommandFailure | undefined {
  const { counts, stopped } = report;
  if (stopped !== undefined && stopped.reason !== 'unknown-outcome')
    return stopFailure(stopped, counts, location, session);
  if (counts.unknown > 0) return unknownFailure(counts, options, location);
  if (counts.rejected === 0) return undefined;
  const commands = rejectedFilesOf(report).map(({ path }) => location.importCommand(path));
  return new CommandFailure(
    `The service rejected ${String(counts.rejected)} of ${counted(counts.rows, 'row')}`,
    {
      type: 'rejected',
      exitCode: EXIT.failed,
      ...(commands.length === 0 ? {} : { hint: `Fix these rows, then run: ${commands.join('; ')}` }),
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
  const hasJournal = location.isKept(counts, true);
  const resume = location.resumeCommand(undefined, hasJournal);
  const isLocal = LOCAL_STOPS.has(reason);
  const isFull = isLocal && isDiskFull(error);
  const isResumed = RESUMED_STOPS.has(reason) || isFull;
  const hint = isResumed && resume !== undefined ? resume : isLocal ? undefined : described.hint;
  const from = isFull
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
      type: isUnknown ? 'unknown-outcome' : isFull ? 'disk-full' : isLocal ? reason : described.type,
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

function unknownFailure(
  { unknown, rows, left }: ImportCounts,
  { onUnknown }: ImportOptions,
  location: ImportLocation,
): CommandFailure {
  const command = location.resumeCommand('retry');
  const action = command === undefined ? 'pass --on-unknown retry' : `run: ${command}`;
  const retry = `To send these rows again unless a listed pet matches, ${action}`;
  const hints = {
    stop: `${left === 0 ? '' : 'To send only the other rows, pass --on-unknown skip. '}${retry}`,
    skip: retry,
    'accept-listed': retry,
    retry: `Rows that match a listed pet are not sent again. Compare them with: ${location.listCommand()}`,
  };
  return new CommandFailure(
    `The outcome of ${String(unknown)} of ${counted(rows, 'row')} is unknown; the ${unknown === 1 ? 'pet' : 'pets'} may or may not have been created`,
    { type: 'unknown-outcome', exitCode: EXIT.unknownOutcome, hint: hints[onUnknown] },
  );
}
