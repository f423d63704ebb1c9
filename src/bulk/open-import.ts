import { rename, rm } from 'node:fs/promises';
import { BulkError } from './bulk-error.js';
import type {
  CheckReport,
  ImportCounts,
  ImportJob,
  ImportOptions,
  ImportReport,
  RunOptions,
} from './import-job.js';
import { checkFile, checkInput, type CheckedInput } from './input/check-input.js';
import { assertReplaceable, spool } from './input/input-file.js';
import { inputChanged, findLineOfRow } from './input/verified-rows.js';
import { openJournalFile, openJournalToRead } from './journal/journal-file.js';
import { Journal } from './journal/journal.js';
import { type LoadedJournal, readJournal } from './journal/load-journal.js';
import { RowStates } from './journal/row-states.js';
import type { RowSource } from './rows/row-reader.js';
import { countRows, runImport, type RunInput } from './send/import-run.js';

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
  const file = await openFile(options.journal, { userId: options.userId });
  try {
    const { journal, found } = await Journal.load(file, options.journal);
    if (found !== undefined) rejectForeignJournal(found, options);
    const input = await readInput(options, found);
    if (found === undefined) await journal.start(options.service, input.digest);
    const { report } = input;
    const layout = {
      format: report.format,
      delimiter: report.delimiter,
      columns: input.columns,
      csvRaw: options.csvRaw,
    };
    const { source, digest } = input;
    const spoolPath = options.input.kind === 'stream' ? source.path : undefined;
    const { savingTo, rejectedFiles = [] } = found ?? {};
    const run = { source, digest, layout, journal, savingTo, rejectedFiles, clock: options.clock };
    return new OpenImport(report, run, { isResumed: found !== undefined, spoolPath });
  } catch (error) {
    await file.discard();
    throw error;
  }
}

/** What an import would do. */
export interface ImportPreview {
  check: CheckReport;
  /** The rows by state. All are left if there is no journal. */
  counts: ImportCounts;
  /** Whether an earlier run started the journal. */
  resumed: boolean;
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
  const { input, journal, service, format, delimiter, csvRaw, ignoreColumns } = options;
  const found = await readFoundJournal(options);
  if (found !== undefined && service !== undefined) assertSameService(found, { journal, service });
  const named =
    input.kind === 'file' ? { path: input.path, name: input.path } : { path: '', name: 'The input' };
  const checked = await checkInput(options);
  const { report } = checked;
  if (report.errorCount === 0)
    await assertSameRows(checked, { ...named, format, delimiter, csvRaw, ignoreColumns }, found);
  const states = found?.states ?? new RowStates(report.rows);
  return { check: report, counts: countRows({ states }), resumed: found !== undefined };
}

async function readFoundJournal({
  journal,
  userId,
}: Pick<ImportOptions, 'journal' | 'userId'>): Promise<LoadedJournal | undefined> {
  const file = await openJournalToRead(journal, userId);
  if (file === undefined) return undefined;
  try {
    return (await readJournal(file, journal)).loaded;
  } finally {
    await file.close();
  }
}

/** A checked input, and the file with its rows. */
type ReadyInput = CheckedInput & { source: RowSource };

function rejectForeignJournal(found: LoadedJournal, options: ImportOptions): void {
  assertSameService(found, options);
  const counts = countRows(found);
  if (options.resume === true || counts.left + counts.unknown === 0) return;
  const message = `Journal ${options.journal} has ${describeRows(counts.left)} left and ${String(counts.unknown)} of unknown outcome`;
  throw new BulkError('journal-unfinished', message, { counts });
}

function assertSameService(
  found: Pick<LoadedJournal, 'service'>,
  { journal, service }: Pick<ImportOptions, 'journal' | 'service'>,
): void {
  if (found.service === service) return;
  const message = `Journal ${journal} is for ${found.service}, not for ${service}`;
  throw new BulkError('journal-of-other-service', message);
}

/** Reads and checks the input, and compares it with the input of the journal. */
async function readInput(options: ImportOptions, found: LoadedJournal | undefined): Promise<ReadyInput> {
  const { input, journal, format, delimiter, csvRaw, ignoreColumns, signal } = options;
  const shared = { format, delimiter, csvRaw, ignoreColumns };
  if (input.kind === 'file')
    return checkSource({ ...shared, path: input.path, name: input.path }, options, found);
  // The copy of an earlier run is replaced only if the rows are equal.
  const draft = `${journal}.input.part`;
  try {
    await spool(input.bytes, draft, signal);
    const source = { ...shared, path: draft, name: 'The input' };
    const checked = await checkSource(source, options, found);
    const path = spoolPathOf(journal);
    await rename(draft, path);
    return { ...checked, source: { ...source, path } };
  } catch (error) {
    await rm(draft, { force: true });
    throw error;
  }
}

/** Returns the path of the copy of a stream. The copy is kept until all rows are done. */
function spoolPathOf(journal: string): string {
  return `${journal}.input`;
}

async function checkSource(
  source: RowSource,
  { errorsMax, signal, onChecked }: ImportOptions,
  found: LoadedJournal | undefined,
): Promise<ReadyInput> {
  const checked = await checkFile({ ...source, errorsMax, signal, onChecked });
  if (checked.report.errorCount > 0) throw invalidRows(checked);
  await assertSameRows(checked, source, found);
  return { ...checked, source };
}

async function assertSameRows(
  { digest }: CheckedInput,
  source: RowSource,
  found: LoadedJournal | undefined,
): Promise<void> {
  const row = found?.digest.firstDifference(digest);
  if (row === undefined) return;
  // A stream can't be read again to find the line.
  throw inputChanged(source.name, source.path === '' ? undefined : await findLineOfRow(source, row));
}

function invalidRows({ report }: CheckedInput): BulkError {
  const count = report.errorCount === 1 ? '1 error' : `${String(report.errorCount)} errors`;
  return new BulkError('rows', `The input has ${count}; nothing was sent`, { check: report });
}

function describeRows(count: number): string {
  return count === 1 ? '1 row' : `${String(count)} rows`;
}

class OpenImport implements ImportJob {
  readonly check: ImportJob['check'];
  readonly resumed: boolean;
  readonly inputPath: string;
  readonly #input: RunInput;
  readonly #spoolPath: string | undefined;
  #hasRun = false;

  constructor(
    check: ImportJob['check'],
    input: RunInput,
    { isResumed, spoolPath }: { isResumed: boolean; spoolPath: string | undefined },
  ) {
    this.check = check;
    this.resumed = isResumed;
    this.inputPath = input.source.path;
    this.#input = input;
    this.#spoolPath = spoolPath;
  }

  get counts(): ImportCounts {
    return countRows(this.#input.journal);
  }

  get hasRun(): boolean {
    return this.#hasRun;
  }

  async run(store: Parameters<ImportJob['run']>[0], options: RunOptions = {}): Promise<ImportReport> {
    if (this.#hasRun) throw new Error('run() can be called once; open the import again to resume it');
    this.#hasRun = true;
    return runImport(store, this.#input, options);
  }

  async close(): Promise<void> {
    const { left, unknown, inFlight, unsaved } = this.counts;
    if (this.#spoolPath !== undefined && left + unknown + inFlight + unsaved === 0)
      await rm(this.#spoolPath, { force: true });
    await this.#input.journal.close();
  }
}
