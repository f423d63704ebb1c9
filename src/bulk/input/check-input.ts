import type { CheckProgress, CheckReport, ReadOptions } from '../job/import-job.js';
import { RowReader } from '../rows/row-reader.js';
import type { RowError, RowSource } from '../rows/row.js';
import { InputDigest } from './input-digest.js';
import { boundedStream, readBytes, readFileSize } from './input-file.js';

/** Result of reading the input once. */
export interface CheckedInput {
  report: CheckReport;
  digest: InputDigest;
  /** For CSV, in table order. */
  columns: readonly string[];
}

/**
 * Reads every row and checks it by the rules of `pets.create`. Sends and writes nothing.
 *
 * @throws BulkError `unreadable`; the signal's reason.
 */
export async function checkRows(options: ReadOptions): Promise<CheckReport> {
  return (await checkInput(options)).report;
}

/** Checks a file or a stream, and returns the digest that an import needs. */
export function checkInput(options: ReadOptions): Promise<CheckedInput> {
  const { input, signal } = options;
  if (input.kind === 'file') return checkFile({ ...options, ...sourceOf(options, input.path) });
  return checkBytes(boundedStream(input.bytes, signal), { ...options, ...sourceOf(options, '') });
}

/**
 * Returns how to read the rows of an input.
 *
 * @param path of the file or of the copy of a stream. Empty without one.
 */
export function sourceOf(
  { input, format, delimiter, csvRaw, ignoreColumns }: ReadOptions,
  path: string,
): RowSource {
  const name = input.kind === 'file' ? path : 'the input';
  return { path, name, format, delimiter, csvRaw, ignoreColumns };
}

interface CheckOptions extends RowSource, Pick<ReadOptions, 'errorsMax' | 'signal' | 'onChecked'> {
  /** The digest of the journal. */
  known?: InputDigest | undefined;
}

/** Checks a file, and returns the digest that an import needs. */
export async function checkFile(options: CheckOptions): Promise<CheckedInput> {
  const bytesTotal = await readFileSize(options.path);
  return checkBytes(readBytes(options.path, options.signal), options, bytesTotal);
}

/** Default of `errorsMax`. */
const ERRORS_MAX = 100;

async function checkBytes(
  bytes: AsyncIterable<Uint8Array>,
  options: CheckOptions,
  bytesTotal?: number,
): Promise<CheckedInput> {
  const { errorsMax = ERRORS_MAX, signal, onChecked } = options;
  const reader = new RowReader(options);
  const digest = new InputDigest(options.known);
  const errors: RowError[] = [];
  let errorCount = 0;
  for await (const batch of reader.read(bytes)) {
    signal?.throwIfAborted();
    for (const { pet } of batch.rows) digest.add(pet);
    for (const error of batch.errors) if (errors.length < errorsMax) errors.push(error);
    errorCount += batch.errors.length;
    onChecked?.(progress(reader.rowCount, batch.bytes, bytesTotal));
  }
  const { delimiter } = reader;
  return {
    report: {
      format: reader.format ?? 'csv',
      ...(delimiter === undefined ? {} : { delimiter }),
      ...(reader.ignored === undefined ? {} : { ignored: reader.ignored.names }),
      rows: reader.rowCount,
      errors,
      errorCount,
      notes: errorCount === 0 ? reader.notes.list() : [],
    },
    digest: digest.end(),
    columns: reader.columns,
  };
}

function progress(rows: number, bytes: number, bytesTotal: number | undefined): CheckProgress {
  return { rows, bytes, ...(bytesTotal === undefined ? {} : { bytesTotal }) };
}
