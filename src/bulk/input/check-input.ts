import { BulkError } from '../job/bulk-error.js';
import type { CheckProgress, CheckReport, ReadOptions } from '../job/import-job.js';
import { RowReader, type RowSource } from '../rows/row-reader.js';
import type { RowError } from '../rows/row.js';
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
 * @throws BulkError `unreadable`, `not-text`; the signal's reason.
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
  const name = input.kind === 'file' ? path : 'The input';
  return { path, name, format, delimiter, csvRaw, ignoreColumns };
}

type CheckOptions = RowSource & Pick<ReadOptions, 'errorsMax' | 'signal' | 'onChecked'>;

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
  const digest = new InputDigest();
  const errors: RowError[] = [];
  let errorCount = 0;
  for await (const batch of reader.read(rejectForeignFile(bytes, options.name))) {
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
    },
    digest: digest.end(),
    columns: reader.columns,
  };
}

function progress(rows: number, bytes: number, bytesTotal: number | undefined): CheckProgress {
  return { rows, bytes, ...(bytesTotal === undefined ? {} : { bytesTotal }) };
}

/** Bytes that are enough to recognize a file. A chunk of a file has more, a chunk of a pipe can have fewer. */
const START_BYTES = 16;

/** A file that is not text, and what to do. */
interface ForeignFile {
  /** Completes the sentence "The file is …". */
  kind: string;
  hint: string;
}

const EXPORT_HINT = 'Open it in a spreadsheet program, export it as CSV (UTF-8), then import that file.';
const UNPACK_HINT = 'Unpack it, then import the file with the rows.';
const SAVE_HINT = 'Save it as UTF-8, then import it again.';

/**
 * Passes the chunks of an input on, if the input does not begin like a spreadsheet, an archive or UTF-16.
 *
 * @param name of the input, for the message.
 * @throws BulkError `not-text` with a hint.
 */
export async function* rejectForeignFile(
  chunks: AsyncIterable<Uint8Array>,
  name: string,
): AsyncGenerator<Uint8Array> {
  let start: Uint8Array | undefined = new Uint8Array();
  for await (const chunk of chunks) {
    if (start === undefined) {
      yield chunk;
      continue;
    }
    start = start.length === 0 ? chunk : Buffer.concat([start, chunk]);
    if (start.length < START_BYTES) continue;
    assertText(start, name);
    yield start;
    start = undefined;
  }
  if (start === undefined || start.length === 0) return;
  assertText(start, name);
  yield start;
}

function assertText(start: Uint8Array, name: string): void {
  const found = recognize(Buffer.from(start.buffer, start.byteOffset, start.length));
  if (found !== undefined) throw new BulkError('not-text', `${name} is ${found.kind}`, { hint: found.hint });
}

function recognize(start: Buffer): ForeignFile | undefined {
  const beginsWith = (hex: string): boolean => start.subarray(0, hex.length / 2).toString('hex') === hex;
  if (beginsWith('504b0304')) return recognizeZip(start);
  if (beginsWith('d0cf11e0a1b11ae1')) return { kind: 'an Excel workbook (xls)', hint: EXPORT_HINT };
  // gzip (RFC 1952), Zstandard (RFC 8878), xz, bzip2
  if (['1f8b', '28b52ffd', 'fd377a585a00', '425a68'].some(beginsWith))
    return { kind: 'a compressed file', hint: UNPACK_HINT };
  if (start.subarray(0, 5).toString('latin1') === '%PDF-')
    return { kind: 'a PDF document', hint: 'Export the rows as CSV (UTF-8), then import that file.' };
  if (beginsWith('fffe') || beginsWith('feff') || isUtf16(start))
    return { kind: 'UTF-16 text', hint: SAVE_HINT };
  if (/^\s*<(?:!doctype|html|\?xml|table)\b/i.test(start.subarray(0, 100).toString('latin1')))
    return { kind: 'an HTML or XML file', hint: 'Export the rows as CSV (UTF-8), then import that file.' };
  return undefined;
}

/** Spreadsheets are ZIP files. The name or the content of the first entry tells them apart. */
function recognizeZip(start: Buffer): ForeignFile {
  const text = start.subarray(0, 4_096).toString('latin1');
  if (text.includes('[Content_Types].xml') || text.includes('xl/'))
    return { kind: 'an Excel workbook (xlsx)', hint: EXPORT_HINT };
  if (text.includes('opendocument.spreadsheet'))
    return { kind: 'an OpenDocument spreadsheet (ods)', hint: EXPORT_HINT };
  if (text.includes('Index/')) return { kind: 'a Numbers spreadsheet', hint: EXPORT_HINT };
  return { kind: 'a ZIP file', hint: UNPACK_HINT };
}

/** Whether the first characters are ASCII in UTF-16 without a byte order mark. */
function isUtf16(start: Buffer): boolean {
  const isZero = (byte: number): boolean => byte === 0;
  const even = start.subarray(0, 8).filter((_, index) => index % 2 === 0);
  const odd = start.subarray(0, 8).filter((_, index) => index % 2 === 1);
  return odd.length >= 2 && even.every(isZero) !== odd.every(isZero);
}
