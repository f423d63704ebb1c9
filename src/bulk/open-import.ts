import { rename, rm } from 'node:fs/promises';
import { BulkError } from './bulk-error.js';
import { checkFile, type CheckedInput } from './input/check-input.js';
import type { ImportCounts, ImportJob, ImportOptions, ImportReport, RunOptions } from './import-job.js';
import { countRows, runImport, type RunInput } from './send/import-run.js';
import { spool } from './input/input-file.js';
import { Journal } from './journal/journal.js';
import { type JournalFile, openJournalFile } from './journal/journal-file.js';
import type { LoadedJournal } from './journal/load-journal.js';
import type { RowSource } from './rows/row-reader.js';
import { changed, lineOfRow } from './input/verified-rows.js';

/**
 * Locks the journal, checks every row, and finds out what is left to be done. Nothing is sent.
 *
 * @param openFile opens the journal's file; a test hands in one that fails when told.
 * @throws BulkError where the import can't begin; the signal's reason.
 */
export async function openImport(
  options: ImportOptions,
  openFile: (path: string) => Promise<JournalFile> = openJournalFile,
): Promise<ImportJob> {
  const file = await openFile(options.journal);
  try {
    const { journal, found } = await Journal.load(file, options.journal);
    if (found !== undefined) refuseOthers(found, journal, options);
    const input = await readInput(options, found);
    if (found === undefined) await journal.begin(options.service, input.digest);
    const { report } = input;
    const layout = {
      format: report.format,
      delimiter: report.delimiter,
      columns: input.columns,
      csvRaw: options.csvRaw,
    };
    const { source, digest } = input;
    const spooledAt = options.input.kind === 'stream' ? source.path : undefined;
    const { filing, filed = [] } = found ?? {};
    const run = { source, digest, layout, journal, filing, filed, clock: options.clock };
    return new OpenImport(report, run, { isResumed: found !== undefined, spooledAt });
  } catch (error) {
    await file.discard();
    throw error;
  }
}

/** An input that is right, and the file that it can be read from again. */
type ReadyInput = CheckedInput & { source: RowSource };

function refuseOthers(
  found: LoadedJournal,
  journal: Journal,
  { service, resume = false }: ImportOptions,
): void {
  if (found.service !== service) {
    const message = `the journal ${journal.path} is of an import to ${found.service}, and not to ${service}`;
    throw new BulkError('journal-of-another', message);
  }
  const counts = countRows(journal);
  if (resume || counts.left + counts.unknown === 0) return;
  const message = `the journal ${journal.path} has ${rowCount(counts.left)} left and ${String(counts.unknown)} of unknown outcome`;
  throw new BulkError('journal-unfinished', message, { counts });
}

/** Reads the input once, and compares it with what the journal was begun with. */
async function readInput(options: ImportOptions, found: LoadedJournal | undefined): Promise<ReadyInput> {
  const { input, journal, format, delimiter, csvRaw, signal } = options;
  const shared = { format, delimiter, csvRaw };
  if (input.kind === 'file')
    return checkSource({ ...shared, path: input.path, name: input.path }, options, found);
  // What an earlier run has kept is replaced only by what is known to be the same.
  const draft = `${journal}.input.part`;
  try {
    await spool(input.bytes, draft, signal);
    const source = { ...shared, path: draft, name: 'the input' };
    const checked = await checkSource(source, options, found);
    const path = spoolPathOf(journal);
    await rename(draft, path);
    return { ...checked, source: { ...source, path } };
  } catch (error) {
    await rm(draft, { force: true });
    throw error;
  }
}

/** Where rows of a stream are kept until all of them are done. */
function spoolPathOf(journal: string): string {
  return `${journal}.input`;
}

async function checkSource(
  source: RowSource,
  { faultsMax, signal, onChecked }: ImportOptions,
  found: LoadedJournal | undefined,
): Promise<ReadyInput> {
  const checked = await checkFile({ ...source, faultsMax, signal, onChecked });
  if (checked.report.faultCount > 0) throw faulty(checked);
  const row = found?.digest.firstDifference(checked.digest);
  if (row !== undefined) throw changed(source.name, await lineOfRow(source, row));
  return { ...checked, source };
}

function faulty({ report }: CheckedInput): BulkError {
  const count = report.faultCount === 1 ? 'one fault' : `${String(report.faultCount)} faults`;
  return new BulkError('rows', `the input has ${count}, and nothing was sent`, { check: report });
}

function rowCount(count: number): string {
  return count === 1 ? '1 row' : `${String(count)} rows`;
}

class OpenImport implements ImportJob {
  readonly check: ImportJob['check'];
  readonly resumed: boolean;
  readonly inputPath: string;
  readonly #input: RunInput;
  readonly #spooledAt: string | undefined;
  #hasRun = false;

  constructor(
    check: ImportJob['check'],
    input: RunInput,
    { isResumed, spooledAt }: { isResumed: boolean; spooledAt: string | undefined },
  ) {
    this.check = check;
    this.resumed = isResumed;
    this.inputPath = input.source.path;
    this.#input = input;
    this.#spooledAt = spooledAt;
  }

  get counts(): ImportCounts {
    return countRows(this.#input.journal);
  }

  get hasRun(): boolean {
    return this.#hasRun;
  }

  async run(store: Parameters<ImportJob['run']>[0], options: RunOptions = {}): Promise<ImportReport> {
    if (this.#hasRun) throw new Error('an import is run once; open it again to go on with it');
    this.#hasRun = true;
    return runImport(store, this.#input, options);
  }

  async close(): Promise<void> {
    const { left, unknown, underWay, unfiled } = this.counts;
    if (this.#spooledAt !== undefined && left + unknown + underWay + unfiled === 0)
      await rm(this.#spooledAt, { force: true });
    await this.#input.journal.close();
  }
}
