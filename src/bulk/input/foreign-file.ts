import { BulkError } from '../bulk-error.js';

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
