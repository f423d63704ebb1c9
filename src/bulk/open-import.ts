import { BulkError } from './job/bulk-error.js';
import type { CheckReport, ImportCounts, ImportJob, ImportOptions } from './job/import-job.js';
import { checkFile, checkInput, type CheckedInput, sourceOf } from './input/check-input.js';
import { assertReplaceable, spool } from './input/input-file.js';
import {
  type JournalFile,
  journalUnwritable,
  openJournalFile,
  openJournalToRead,
} from './journal/journal-file.js';
import { Journal } from './journal/journal.js';
import { type LoadedJournal, readJournal } from './journal/load-journal.js';
import { RowStates } from './journal/row-states.js';
import {
  compareWithJournal,
  type DoneRows,
  isOtherKey,
  isSameService,
  startNextImport,
} from './next-import.js';
import type { RowSource } from './rows/row-reader.js';
import { LockLostError } from '../security/locked-file.js';
import type { LockedFiles } from '../security/locked-files.js';
import { countRows, ImportRun, type RunInput } from './send/import-run.js';

/**
 * Locks the journal, checks every row, and counts the rows to send. Sends nothing.
 *
 * @param openFile replaced in tests.
 * @throws BulkError if the import can't start; the signal's reason.
 */
export async function openImport(
  options: ImportOptions,
  openFile: typeof openJournalFile = openJournalFile,
): Promise<ImportJob> {
  if (options.input.kind === 'stream') await assertReplaceable(options.journal, spoolPathOf(options.journal));
  const file = await openFile(options.journal, options);
  try {
    const { journal, found } = await Journal.load(file, options.journal);
    if (found !== undefined) rejectForeignJournal(found, options);
    else if (options.resume === true) throw file.isNew ? missingJournal(options) : emptyJournal(options);
    const input = await readInput(options, found, file.files);
    const { report, done } = input;
    const resumed = found !== undefined && done?.size !== 0;
    // Rows that are done belong to the key of the journal, so that another key is noticed each time.
    const keyFingerprint = (resumed ? found.keyFingerprint : undefined) ?? options.keyFingerprint;
    const plan = { ...options, keyFingerprint, digest: input.digest };
    const keptJournal = done === undefined ? undefined : await startNextImport(journal, done, file, plan);
    if (found === undefined) await journal.start(options.service, input.digest, options);
    const layout = {
      format: report.format,
      delimiter: report.delimiter,
      columns: input.columns,
      csvRaw: options.csvRaw,
    };
    const { source, digest } = input;
    const spoolPath = options.input.kind === 'stream' ? source.path : undefined;
    const { savingTo, rejectedFiles = [] } = done === undefined ? (found ?? {}) : {};
    const { files } = file;
    const run = { source, digest, layout, journal, files, savingTo, rejectedFiles, clock: options.clock };
    const hasOtherKey = isOtherKey(keyFingerprint, options.keyFingerprint);
    return importJob(run, { check: report, resumed, keptJournal, hasOtherKey }, { file, spoolPath });
  } catch (error) {
    await file.discard();
    throw error instanceof LockLostError ? journalUnwritable(options.journal, error) : error;
  }
}

/** What an import would do. */
export interface ImportPreview {
  check: CheckReport;
  /** The rows by state. */
  counts: ImportCounts;
}

/**
 * Checks every row, and counts the rows that a resumed import would send. Sends and writes nothing.
 *
 * @param options without `service`, the journal may be for any service.
 * @throws BulkError if the import could not resume; the signal's reason.
 */
export async function previewImport(
  options: Omit<ImportOptions, 'service' | 'clock'> & { service?: string | undefined },
): Promise<ImportPreview> {
  const { input, journal, service } = options;
  const found = await readFoundJournal(options);
  if (service !== undefined) assertSameService(found, { journal, service });
  const checked = await checkInput(options);
  const { report } = checked;
  if (report.errorCount > 0) return { check: report, counts: countRows(found) };
  const path = input.kind === 'file' ? input.path : '';
  const done = await compareWithJournal(checked, sourceOf(options, path), found, options);
  if (done === undefined) return { check: report, counts: countRows(found) };
  const states = new RowStates(report.rows);
  for (const row of done.keys()) states.set(row, 'already-done');
  return { check: report, counts: countRows({ states }) };
}

function missingJournal({ journal }: Pick<ImportOptions, 'journal'>): BulkError {
  return new BulkError('journal-missing', `There is no import to resume in journal ${journal}`);
}

/** Such as of an import that was killed at its start. A copy may be incomplete, too. */
function emptyJournal({ journal }: Pick<ImportOptions, 'journal'>): BulkError {
  return new BulkError('journal-empty', `Journal ${journal} is empty, so there is no import to resume`);
}

async function readFoundJournal(options: Pick<ImportOptions, 'journal' | 'userId'>): Promise<LoadedJournal> {
  const { journal, userId } = options;
  const file = await openJournalToRead(journal, userId);
  if (file === undefined) throw missingJournal(options);
  try {
    const { loaded } = await readJournal(file, journal);
    if (loaded === undefined) throw emptyJournal(options);
    return loaded;
  } finally {
    file.close();
  }
}

/** A checked input, and the file with its rows. */
type ReadyInput = CheckedInput & { source: RowSource; done: DoneRows | undefined };

function rejectForeignJournal(found: LoadedJournal, options: ImportOptions): void {
  assertSameService(found, options);
  const counts = countRows(found);
  if ((options.resume ?? false) !== false || counts.left + counts.unknown === 0) return;
  const message = `Journal ${options.journal} has ${describeRows(counts.left)} left and ${String(counts.unknown)} of unknown outcome`;
  throw new BulkError('journal-unfinished', message, { counts });
}

function assertSameService(
  found: Pick<LoadedJournal, 'service'>,
  { journal, service }: Pick<ImportOptions, 'journal' | 'service'>,
): void {
  if (isSameService(found.service, service)) return;
  const message = `Journal ${journal} is for ${found.service}, not for ${service}`;
  throw new BulkError('journal-of-other-service', message);
}

/** Reads and checks the input, and compares it with the input of the journal. */
async function readInput(
  options: ImportOptions,
  found: LoadedJournal | undefined,
  files: LockedFiles,
): Promise<ReadyInput> {
  const { input, journal, signal } = options;
  if (input.kind === 'file') return checkSource(sourceOf(options, input.path), options, found);
  const path = spoolPathOf(journal);
  const draft = await spool(input.bytes, path, files, signal);
  const source = sourceOf(options, draft);
  const checked = await checkSource(source, options, found);
  // The copy of an earlier run is replaced only if the rows are equal.
  files.publish(draft, path);
  return { ...checked, source: { ...source, path } };
}

/** Returns the path of the copy of a stream. The copy is kept until all rows are done. */
function spoolPathOf(journal: string): string {
  return `${journal}.input`;
}

async function checkSource(
  source: RowSource,
  options: ImportOptions,
  found: LoadedJournal | undefined,
): Promise<ReadyInput> {
  const { errorsMax, signal, onChecked } = options;
  const known = found?.digest;
  const checked = await checkFile({ ...source, errorsMax, signal, onChecked, known });
  if (checked.report.errorCount > 0) throw invalidRows(checked, found);
  return { ...checked, source, done: await compareWithJournal(checked, source, found, options) };
}

function invalidRows({ report }: CheckedInput, found: LoadedJournal | undefined): BulkError {
  const count = report.errorCount === 1 ? '1 error' : `${String(report.errorCount)} errors`;
  return new BulkError('rows', `The input has ${count}; nothing was sent`, {
    check: report,
    counts: found && countRows(found),
  });
}

function describeRows(count: number): string {
  return count === 1 ? '1 row' : `${String(count)} rows`;
}

function importJob(
  input: RunInput,
  facts: Pick<ImportJob, 'check' | 'resumed' | 'keptJournal' | 'hasOtherKey'>,
  { file, spoolPath }: { file: JournalFile; spoolPath: string | undefined },
): ImportJob {
  const { journal, source, files } = input;
  let hasRun = false;
  return {
    ...facts,
    inputPath: source.path,
    get counts() {
      return countRows(journal);
    },
    get hasRun() {
      return hasRun;
    },
    async run(store, options = {}) {
      if (hasRun) throw new Error('run() can be called once; open the import again to resume it');
      hasRun = true;
      return new ImportRun(store, input, options).run();
    },
    async close({ isKept = true, own = [] } = {}) {
      const { rows, left, unknown, inFlight, unsaved } = countRows(journal);
      const { keptJournal } = facts;
      try {
        // The next import of the same file must still be compared with what was created.
        if (keptJournal !== undefined && left === rows) files.publish(keptJournal, journal.path);
        else if (!isKept) file.remove();
        const isDone = left + unknown + inFlight + unsaved === 0;
        const unused = [...(isKept ? [] : own), ...(isDone && spoolPath !== undefined ? [spoolPath] : [])];
        for (const path of unused) files.remove(path);
      } catch (error) {
        // The files belong to another import. The run has reported it, or has sent nothing.
        if (!(error instanceof LockLostError)) throw error;
      } finally {
        await journal.close();
      }
    },
  };
}
