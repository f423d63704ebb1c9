import type {
  CheckReport,
  FiledRows,
  ImportCounts,
  ImportReport,
  RowFormat,
  StopReason,
  UnknownReport,
} from '../../../../bulk/index.js';
import type { Session } from '../../../session/action.js';
import { CommandFailure } from '../../../errors/command-failure.js';
import { Interruption } from '../../../system/context.js';
import { timeOfDay } from '../../../text/duration.js';
import { describeFailure } from '../../../errors/exit.js';
import { EXIT } from '../../../errors/exit-codes.js';
import type { View } from '../../../output/index.js';
import { SUMMARY_COLUMNS } from './import-fields.js';
import type { ImportOptions } from './import-options.js';
import type { ImportLocation } from './import-location.js';

/** Files of ours that failed after something was sent, which the exit code of such errors, 2, denies. */
const OWN_STOPS: ReadonlySet<StopReason> = new Set<StopReason>(['input', 'journal', 'refused-file']);
/** What another run mends by itself. */
const RESUMED_STOPS: ReadonlySet<StopReason> = new Set<StopReason>(['rate-limited', 'refused-file']);

/** Rows that are named on stderr; in JSON there are more. */
const NAMED_MAX = 10;

/** What a check alone found. */
export function checkView(check: CheckReport): View {
  const columns = [
    { field: 'rows', header: 'rows' },
    { field: 'format', header: 'format' },
    { field: 'faultCount', header: 'faults' },
  ];
  const { rows, format, delimiter, errorCount: faultCount, errors: faults } = check;
  return { kind: 'record', row: { rows, format, delimiter: delimiter ?? null, faultCount, faults }, columns };
}

/**
 * Prints what became of the rows, then says what is to be done about it.
 *
 * @returns the exit code, where the end is a good one or was asked for.
 * @throws CommandFailure for every other end.
 */
export async function reportOutcome(
  report: ImportReport,
  { options, place, format }: { options: ImportOptions; place: ImportLocation; format: RowFormat },
  session: Session,
): Promise<number> {
  await session.print({ kind: 'record', row: summaryRow(report, place), columns: SUMMARY_COLUMNS });
  if (session.format !== 'table') session.note(countsLine(report.counts));
  tellRefused(report, format, place, session);
  if (report.unknown !== undefined) tellUnknown(report.unknown, report.counts.unknown, format, session);
  const { counts, stopped } = report;
  const isOpen = counts.left + counts.unknown + counts.inFlight > 0 && place.isKept(counts, true);
  const resume = isOpen && !isStuck(report, options) ? place.resumeCommand() : undefined;
  const failure = failureOf(report, options, place);
  if (failure === undefined || stopped?.reason === 'aborted') {
    if (resume !== undefined) session.note(`go on with: ${resume}`);
    return stopped === undefined ? EXIT.ok : exitCodeOf(session.context.signal.reason);
  }
  if (resume !== undefined && failure.hint?.includes('--resume') !== true)
    session.note(`go on with: ${resume}`);
  throw failure;
}

/** Whether the same command would change nothing: what is listed is not sent again, and nothing else is open. */
function isStuck({ counts, stopped, unknown }: ImportReport, { onUnknown }: ImportOptions): boolean {
  if (onUnknown !== 'retry' || stopped !== undefined || counts.left > 0) return false;
  return unknown?.rows.every(({ listed }) => listed.length > 0) === true;
}

function exitCodeOf(reason: unknown): number {
  return reason instanceof Interruption ? reason.exitCode : EXIT.failed;
}

function summaryRow(report: ImportReport, place: ImportLocation): Record<string, unknown> {
  const { counts, sent, stopped, refusals, refusedFile, unknown } = report;
  const { created, alreadyDone, refused, unknown: unknownCount, left, rows, inFlight } = counts;
  return {
    ...{ created, alreadyDone, refused, unknown: unknownCount, left: left + inFlight, rows, sent },
    journal: place.isKept(counts, true) ? place.journalName : null,
    refusedFile: refusedFile === undefined ? null : place.shown(refusedFile.path),
    refusedFiles: refusedFilesOf(report).map(({ path }) => place.shown(path)),
    stopped: stopped === undefined ? null : stopFacts(stopped),
    refusals,
    unknownRows: (unknown?.rows ?? []).map(({ row, line, pet, listed }) => ({ row, line, ...pet, listed })),
    unknownSeen: unknown?.coverage ?? null,
  };
}

/** By all runs, in their order. */
function refusedFilesOf({ earlierRefusedFiles = [], refusedFile }: ImportReport): readonly FiledRows[] {
  return refusedFile === undefined ? earlierRefusedFiles : [...earlierRefusedFiles, refusedFile];
}

function stopFacts({
  reason,
  error,
  retryAt,
}: NonNullable<ImportReport['stopped']>): Record<string, unknown> {
  // Who interrupts knows of it; to the table of errors it would be an unexpected one.
  const asked = reason === 'aborted' && error instanceof Error ? error.message : undefined;
  const message = error === undefined ? null : (asked ?? describeFailure(error).message);
  return { reason, message, retryAt: retryAt?.toISOString() ?? null };
}

function countsLine({ created, alreadyDone, refused, unknown, left }: ImportCounts): string {
  const counts = [
    [created, 'created'],
    [alreadyDone, 'already done'],
    [refused, 'refused'],
    [unknown, 'unknown'],
    ...(left === 0 ? [] : ([[left, 'left']] as const)),
  ] as const;
  return counts.map(([count, word]) => `${String(count)} ${word}`).join(', ');
}

function tellRefused(
  { refusals, refusedFile, earlierRefusedFiles = [] }: ImportReport,
  format: RowFormat,
  place: ImportLocation,
  session: Session,
): void {
  for (const refusal of refusals.slice(0, NAMED_MAX))
    session.note(`${placeOf(refusal, format)}: refused: ${refusal.reason}`);
  const more = (refusedFile?.rows ?? refusals.length) - NAMED_MAX;
  if (more > 0 && refusals.length > 0) session.note(`and ${String(more)} more`);
  for (const { path, rows } of earlierRefusedFiles)
    session.note(`${rowsOf(rows)} refused by an earlier run, with the reasons, in ${place.shown(path)}`);
  if (refusedFile !== undefined)
    session.note(
      `${rowsOf(refusedFile.rows)} refused, with the reasons, in ${place.shown(refusedFile.path)}`,
    );
}

/** Many rows of a list may stand in one line; a line of a table or of NDJSON is found at once. */
function placeOf({ row, line }: { row: number; line: number }, format: RowFormat): string {
  return format === 'json' ? `row ${String(row)}` : `line ${String(line)}`;
}

function tellUnknown(
  { rows, coverage: seen }: UnknownReport,
  count: number,
  format: RowFormat,
  session: Session,
): void {
  for (const unknown of rows.slice(0, NAMED_MAX)) {
    const { pet, listed } = unknown;
    const what = `${pet.name}, category ${String(pet.categoryId)}`;
    session.note(`${placeOf(unknown, format)}: unknown: ${what}: ${evidence(listed, seen)}`);
  }
  if (count > NAMED_MAX) session.note(`and ${String(count - NAMED_MAX)} more`);
  if (seen === 'part')
    session.note('not all animals can be listed: one that is not found may be there all the same');
}

/** Evidence and no proof: another may have made an animal just like it. */
function evidence(listed: readonly bigint[], seen: UnknownReport['coverage']): string {
  if (seen === 'failed') return 'not looked for yet';
  if (listed.length === 0)
    return seen === 'all' ? 'none like it is listed' : 'none like it is among the listed';
  const shown = listed.slice(0, 3).map(String).join(', ');
  return `${shown}${listed.length > 3 ? ', …' : ''} ${listed.length === 1 ? 'is' : 'are'} like it`;
}

/** What the command ends with: what stopped it, else rows of unknown outcome, else refused ones. */
function failureOf(
  report: ImportReport,
  options: ImportOptions,
  place: ImportLocation,
): CommandFailure | undefined {
  const { counts, stopped } = report;
  if (stopped !== undefined && stopped.reason !== 'unknown-outcome') return stopFailure(stopped, place);
  if (counts.unknown > 0) return unknownFailure(counts, options, place);
  if (counts.refused === 0) return undefined;
  const commands = refusedFilesOf(report).map(({ path }) => place.importCommand(path));
  return new CommandFailure(`${String(counts.refused)} of ${rowsOf(counts.rows)} were refused`, {
    type: 'refused',
    exitCode: EXIT.failed,
    ...(commands.length === 0 ? {} : { hint: `mend them, then: ${commands.join('; ')}` }),
  });
}

function stopFailure(
  { reason, error, retryAt }: NonNullable<ImportReport['stopped']>,
  place: ImportLocation,
): CommandFailure {
  const described = describeFailure(error, Number.POSITIVE_INFINITY);
  const resume = place.resumeCommand();
  const isOwn = OWN_STOPS.has(reason);
  const hint = RESUMED_STOPS.has(reason) && resume !== undefined ? resume : described.hint;
  const from = retryAt === undefined || hint !== resume ? '' : `from ${timeOfDay(retryAt.getTime())} on: `;
  return new CommandFailure(isOwn && error instanceof Error ? ownMessage(reason, error) : described.message, {
    type: isOwn ? reason : described.type,
    exitCode: isOwn ? EXIT.failed : described.exitCode,
    retryable: described.retryable,
    ...(retryAt === undefined ? {} : { retryAt }),
    ...(hint === undefined ? {} : { hint: from + hint }),
    cause: error,
  });
}

function ownMessage(reason: StopReason, error: Error): string {
  if (reason !== 'refused-file') return error.message;
  return `the refused rows can't be written to a file (${'code' in error ? String(error.code) : error.message})`;
}

function unknownFailure(
  { unknown, rows, left }: ImportCounts,
  { onUnknown }: ImportOptions,
  place: ImportLocation,
): CommandFailure {
  const command = (way: string): string =>
    place.resumeCommand(`--on-unknown ${way}`) ?? `--on-unknown ${way}`;
  const hints = {
    stop: `${command('retry')} sends again what is not found${left === 0 ? '' : '; skip goes on without'}`,
    skip: `${command('retry')} sends again what is not found`,
    retry: `what may be listed is not sent again: compare with ${place.listCommand()}`,
  };
  const [were, they] = unknown === 1 ? ['was', 'it'] : ['were', 'they'];
  return new CommandFailure(
    `${String(unknown)} of ${rowsOf(rows)} ${were} sent and not answered: ${they} may or may not have been created`,
    { type: 'unknown-outcome', exitCode: EXIT.unknownOutcome, hint: hints[onUnknown] },
  );
}

/** `1 row`, `12 rows`. */
export function rowsOf(count: number): string {
  return `${String(count)} ${count === 1 ? 'row' : 'rows'}`;
}
