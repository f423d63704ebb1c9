import {
  type CheckReport,
  type ImportCounts,
  type ImportReport,
  rejectedFilesOf,
  type RowFormat,
  type UnknownReport,
  type UnknownRow,
} from '../../../../bulk/internal.js';
import type { Session } from '../../../session/session.js';
import { exitCodeOf, Interruption } from '../../../system/context.js';
import { counted } from '../../../errors/counted.js';
import { describeSessionFailure } from '../../../session/session-failure.js';
import { EXIT } from '../../../errors/exit-codes.js';
import { type Column, reshapingFlag, type View } from '../../../output/index.js';
import { type ImportOptions, SUMMARY_COLUMNS } from './import-options.js';
import { failureOf } from './import-failure.js';
import type { ImportLocation } from './import-location.js';
import { INCOMPLETE_LIST, isMatched } from './unknown-hint.js';

/** Maximum number of rows on stderr. JSON has more. */
const NOTED_ROWS_MAX = 10;

/** Shows the result of --dry-run. `counts`: from the journal, with --resume. */
export function checkView(
  { rows, format, delimiter, errorCount, errors, ignored, notes }: CheckReport,
  counts: ImportCounts | undefined,
  session: Pick<Session, 'format' | 'global'>,
): View {
  const columns: Column[] = [
    { field: 'rows', header: 'rows' },
    { field: 'format', header: 'format' },
    { field: 'errorCount', header: 'errors' },
  ];
  const row: Record<string, unknown> = {
    rows,
    format,
    delimiter: delimiter ?? null,
    errorCount,
    errors,
    notes,
  };
  if (ignored !== undefined) row.ignoredColumns = ignored;
  if (counts !== undefined) {
    const { created, alreadyDone, rejected, unknown, left } = counts;
    Object.assign(row, { alreadyDone: created + alreadyDone, rejected, unknown, left });
    columns.push(...SUMMARY_COLUMNS.filter(({ field }) => field !== 'created'));
  }
  return withCountLines({ kind: 'record', row, columns }, session);
}

/**
 * Prints the summary, the rejected and unknown rows, and how to continue.
 *
 * @returns the exit code after success or an interruption.
 * @throws CommandFailure otherwise.
 */
export async function reportOutcome(
  report: ImportReport,
  location: ImportLocation,
  format: RowFormat,
  session: Session,
): Promise<number> {
  const row = summaryRow(report, location, session);
  const view = withCountLines({ kind: 'record', row, columns: SUMMARY_COLUMNS }, session);
  // A query that fails at the result must not hide the outcome.
  const hintIfLost = report.stopped === undefined ? NOT_AGAIN : undefined;
  const unprinted = await session.print(view, hintIfLost).catch((error: unknown) => error as Error);
  noteRejected(report, format, location, session);
  if (report.unknown !== undefined) noteUnknown(report.unknown, report.counts.unknown, format, session);
  const { counts, stopped } = report;
  const isOpen = counts.left + counts.unknown + counts.inFlight > 0 && location.isKept(counts, true);
  const resume = isOpen && !isStuck(report, location.options) ? location.resumeCommand() : undefined;
  const failure = failureOf(report, location, session);
  if (unprinted !== undefined) {
    if (unprinted instanceof Interruption || (failure ?? stopped) === undefined) throw unprinted;
    session.warn(`The summary could not be printed: ${describeSessionFailure(unprinted, session).message}`);
  }
  if (failure === undefined && stopped === undefined) session.confirm(successOf(counts));
  if (failure === undefined || stopped?.reason === 'aborted') {
    if (resume !== undefined) session.note(`To resume, run: ${resume}`);
    return stopped === undefined ? EXIT.ok : exitCodeOf(session.context.signal.reason ?? stopped.error);
  }
  if (resume !== undefined && !failure.hintResumes) session.note(`To resume, run: ${resume}`);
  throw failure.error;
}

const NOT_AGAIN = 'Rows may have been sent. Do not send them again without --resume.';

function successOf({ created, alreadyDone }: ImportCounts): string {
  if (created > 0 || alreadyDone === 0) return `Imported ${counted(created + alreadyDone, 'row')}.`;
  return `${counted(alreadyDone, 'row')} ${alreadyDone === 1 ? 'was' : 'were'} created before. Nothing was sent.`;
}

/** Whether the same command would send nothing, or only rows whose pets may exist. */
function isStuck({ counts, stopped, unknown }: ImportReport, { onUnknown }: ImportOptions): boolean {
  if (counts.left > 0 || counts.unknown === 0) return false;
  if (stopped !== undefined) return stopped.reason === 'unknown-outcome';
  return onUnknown !== 'retry' || unknown?.coverage === 'part' || unknown?.rows.every(isMatched) === true;
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
    created,
    alreadyDone,
    rejected,
    unknown: unknownCount,
    left: left + inFlight,
    rows,
    sent,
    journal: location.isKept(counts, true) ? location.journalName : null,
    rejectedFile: rejectedFile === undefined ? null : location.shown(rejectedFile.path),
    rejectedFiles: rejectedFilesOf(report).map(({ path }) => location.shown(path)),
    stopped: stopped === undefined ? null : stopFacts(stopped, session),
    rejectedRows,
    unknownRows: (unknown?.rows ?? []).map(({ pet, row, line, ...pets }) => ({ row, line, ...pet, ...pets })),
    unknownSeen: unknown?.coverage ?? null,
  };
}

/** Why the import stopped, as data. */
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
  const files = [
    ...earlierRejectedFiles.map((file) => ({ ...file, of: ' of an earlier import' })),
    ...(rejectedFile === undefined ? [] : [{ ...rejectedFile, of: '' }]),
  ];
  for (const { path, rows, of } of files)
    session.note(`Rejected rows and reasons${of}: ${location.shown(path)} (${counted(rows, 'row')})`);
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
  if (coverage === 'part') session.note(INCOMPLETE_LIST);
}

/** Words the comparison with the listed pets. A match is no proof: another client may have created an equal pet. */
function evidence({ listed, similar }: UnknownRow, coverage: UnknownReport['coverage']): string {
  if (coverage === 'failed') return 'not compared with the listed pets yet';
  const [verb, ids] = listed.length > 0 ? ['matches', listed] : ['resembles', similar];
  if (ids.length === 0) return 'matches no listed pet';
  const shown = ids.slice(0, 3).map(String).join(', ');
  return `${verb} ${ids.length === 1 ? 'pet' : 'pets'} ${shown}${ids.length > 3 ? ', …' : ''}`;
}
