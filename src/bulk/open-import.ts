import { BulkError } from './job/bulk-error.js';
import type {
  CheckReport,
  CloseOptions,
  ImportCounts,
  ImportJob,
  OpenImportOptions,
  ImportReport,
  RunOptions,
} from './job/import-job.js';
import type { PetStore } from '../client/internal.js';
import { checkFile, checkInput, type CheckedInput, sourceOf } from './input/check-input.js';
import { assertReplaceable, copyPathOf, readFileSize, spool } from './input/input-file.js';
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
  assertSameService,
  compareWithJournal,
  type DoneRows,
  isOtherKey,
  isResumed,
  isSameService,
  keepCopy,
} from './next-import.js';
import type { RowSource } from './rows/row.js';
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
  options: OpenImportOptions,
  openFile: typeof openJournalFile = openJournalFile,
): Promise<ImportJob> {
  if (options.input.kind === 'stream') await assertReplaceable(options.journal);
  const file = await openFile(options.journal, options);
  try {
    const { journal, found, isUnstarted, isCutOff } = await Journal.load(file, options.journal);
    if (isCutOff) throw cutOffJournal(options);
    if (found !== undefined) rejectForeignJournal(found, options);
    else if (options.resume === true && !isUnstarted) throw await missingJournal(options);
    const { digest, report, columns, source, done } = await readInput(options, found, file.files);
    const isOfService = found !== undefined && isSameService(found.service, options.service);
    const resumed = isOfService && done?.size !== 0;
    // Rows that are done belong to the key of the journal, so that another key is noticed each time.
    const keyFingerprint = (resumed ? found.keyFingerprint : undefined) ?? options.keyFingerprint;
    const { format, delimiter } = report;
    const { savingTo, rejectedFiles = [] } = done === undefined ? (found ?? {}) : {};
    const run: RunInput = {
      source,
      digest,
      layout: { format, delimiter, columns, csvRaw: options.csvRaw },
      journal,
      files: file.files,
      savingTo,
      rejectedFiles,
      clock: options.clock,
    };
    const hasOtherKey = isOtherKey(keyFingerprint, options.keyFingerprint);
    const job = new OpenImport(run, { check: report, resumed, hasOtherKey }, file, options);
    if (done === undefined) await job.publishInput();
    else await job.start(found, done, keyFingerprint);
    return job;
  } catch (error) {
    // The first error says why there is no import.
    await file.close().catch(() => undefined);
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
  options: Omit<OpenImportOptions, 'service' | 'clock'> & { service?: string | undefined },
): Promise<ImportPreview> {
  const { input, journal, service } = options;
  const found = await readFoundJournal(options);
  if (service !== undefined && found !== undefined)
    rejectForeignJournal(found, { journal, service, resume: true });
  const checked = await checkInput(options);
  const { report } = checked;
  const states = found?.states ?? new RowStates(report.rows);
  if (report.errorCount > 0) return { check: report, counts: countRows({ states }) };
  const path = input.kind === 'file' ? input.path : '';
  const resumed = { ...options, resume: true };
  const done = await compareWithJournal(checked, sourceOf(options, path), found, resumed);
  if (done === undefined) return { check: report, counts: countRows({ states }) };
  const next = new RowStates(report.rows);
  for (const row of done.keys()) next.set(row, 'already-done');
  return { check: report, counts: countRows({ states: next }) };
}

type JournalOptions = Pick<OpenImportOptions, 'input' | 'journal'>;

/** @throws BulkError `unreadable` if the file is missing as well: its path is the mistake then, not the journal's. */
async function missingJournal({ input, journal }: JournalOptions): Promise<BulkError> {
  if (input.kind === 'file') await readFileSize(input.path);
  return new BulkError('journal-missing', `There is no import to resume in journal ${journal}`);
}

function cutOffJournal({ journal }: Pick<OpenImportOptions, 'journal'>): BulkError {
  return new BulkError(
    'journal-empty',
    `Journal ${journal} is cut off: it does not show which rows were sent`,
  );
}

/** Returns `undefined` for the journal of an import that sent no row. */
async function readFoundJournal(
  options: JournalOptions & Pick<OpenImportOptions, 'userId'>,
): Promise<LoadedJournal | undefined> {
  const { journal, userId } = options;
  const file = await openJournalToRead(journal, userId);
  if (file === undefined) throw await missingJournal(options);
  try {
    const { loaded, isCutOff } = await readJournal(file, journal);
    if (isCutOff) throw cutOffJournal(options);
    return loaded;
  } finally {
    file.close();
  }
}

/** A checked input, and the file with its rows. */
type ReadyInput = CheckedInput & { source: RowSource; done: DoneRows | undefined };

/** A finished journal of another service may be beside other rows, which `compareWithJournal` finds out. */
function rejectForeignJournal(
  found: LoadedJournal,
  options: Pick<OpenImportOptions, 'journal' | 'service' | 'resume'>,
): void {
  const counts = countRows(found);
  const isFinished = counts.left + counts.unknown === 0;
  if (isFinished) return;
  assertSameService(found, options);
  if (isResumed(options)) return;
  const message = `Journal ${options.journal} has ${describeRows(counts.left)} left and ${String(counts.unknown)} of unknown outcome`;
  throw new BulkError('journal-unfinished', message, { counts });
}

/** Reads and checks the input, and compares it with the input of the journal. */
async function readInput(
  options: OpenImportOptions,
  found: LoadedJournal | undefined,
  files: LockedFiles,
): Promise<ReadyInput> {
  const { input, journal, signal } = options;
  if (input.kind === 'file') return checkSource(sourceOf(options, input.path), options, found);
  const draft = await spool(input.bytes, copyPathOf(journal), files, signal);
  return checkSource(sourceOf(options, draft), options, found);
}

async function checkSource(
  source: RowSource,
  options: OpenImportOptions,
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

/** The job of `openImport`. Until the first record, all its files are drafts. */
class OpenImport implements ImportJob {
  readonly check: CheckReport;
  readonly resumed: boolean;
  readonly hasOtherKey: boolean;
  keptJournal: string | undefined;
  hasRun = false;
  readonly #input: RunInput;
  readonly #file: JournalFile;
  readonly #options: OpenImportOptions;
  /** Whether the file has a finished import of other rows, which stays as it is if no row is sent. */
  #hasFinished = false;
  #isInputPublished: boolean;

  constructor(
    input: RunInput,
    { check, resumed, hasOtherKey }: Pick<ImportJob, 'check' | 'resumed' | 'hasOtherKey'>,
    file: JournalFile,
    options: OpenImportOptions,
  ) {
    this.check = check;
    this.resumed = resumed;
    this.hasOtherKey = hasOtherKey;
    this.#input = input;
    this.#file = file;
    this.#options = options;
    this.#isInputPublished = options.input.kind === 'file';
  }

  get inputPath(): string {
    return this.#input.source.path;
  }

  get counts(): ImportCounts {
    return countRows(this.#input.journal);
  }

  /**
   * Writes the plan of a new import to a draft. With rows that the journal's own imports created, the draft has these
   * imports, too. Otherwise the finished import is kept in another file.
   */
  async start(
    found: LoadedJournal | undefined,
    created: DoneRows,
    keyFingerprint: string | undefined,
  ): Promise<void> {
    const { journal, digest, files } = this.#input;
    const isNext = this.resumed;
    this.#hasFinished = found !== undefined;
    await journal.start(this.#options.service, digest, { keyFingerprint, created, isNext }, async () => {
      if (found !== undefined && !isNext) this.keptJournal ??= await keepCopy(journal.path, files);
      this.#file.publish();
      await this.publishInput();
    });
  }

  /** Moves the copy of a stream to its path. A copy of an earlier run is replaced by equal rows. */
  async publishInput(): Promise<void> {
    if (this.#isInputPublished) return;
    const path = copyPathOf(this.#options.journal);
    this.#input.files.publish(this.#input.source.path, path);
    this.#input.source = { ...this.#input.source, path };
    this.#isInputPublished = true;
  }

  async run(store: Pick<PetStore, 'pets' | 'request'>, options: RunOptions = {}): Promise<ImportReport> {
    if (this.hasRun) throw new Error('run() can be called once; open the import again to resume it');
    this.hasRun = true;
    return new ImportRun(store, this.#input, options).run();
  }

  async close(options: CloseOptions = {}): Promise<void> {
    try {
      await this.#tidy(options);
    } catch (error) {
      // The files belong to another import. The run has reported it, or has sent nothing.
      if (!(error instanceof LockLostError) && !(error instanceof BulkError && error.reason === 'lock-lost'))
        throw error;
    } finally {
      await this.#input.journal.close();
    }
  }

  async #tidy({ isKept = true, own = [] }: CloseOptions): Promise<void> {
    const { journal, files } = this.#input;
    const { rows, left, unknown, inFlight, unsaved } = this.counts;
    const isDone = left + unknown + inFlight + unsaved === 0;
    const copy = this.#options.input.kind === 'stream' && isDone ? [copyPathOf(journal.path)] : [];
    // Before the journal: it shows what was sent, if the process is killed here.
    for (const path of [...(isKept ? [] : own), ...copy]) files.remove(path);
    // The next import of the same file must still be compared with what was created.
    if (this.keptJournal !== undefined && left === rows) files.publish(this.keptJournal, journal.path);
    else if (!isKept) this.#file.remove();
    // So that --resume finds it.
    else if (this.hasRun && !this.#hasFinished) await journal.publish();
    // The copy of a stream may be the only one.
    if (isKept && this.hasRun && !isDone) await this.publishInput();
  }
}
