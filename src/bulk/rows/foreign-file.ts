/** What a file is, if it has none of the formats of rows. */
export interface ForeignFile {
  /** With its article, such as `a gzip archive`. */
  name: string;
  /** How to get the rows as text. */
  hint: string;
  /** Whether it has text that only needs to be decoded. */
  isEncodedText?: boolean;
}

const SAVE_SHEET = 'Save the sheet as CSV in UTF-8.';
const EXPORT = 'Export the rows as CSV in UTF-8.';

/** For row names or an index, which have no column of their own. */
export const ROW_NAMES_HINT =
  'If these are row names or an index, write the file without them: row.names = FALSE in R, index=False in pandas.';

const WRITE_CSV = 'let the database write CSV: psql --csv, sqlite3 -csv -header.';

/** For the frame of a table. */
export const DRAWN_TABLE_HINT = `If this is the frame of a table for people, ${WRITE_CSV}`;

/** For a text format without quotes, in which databases escape text or leave quotes as they are. */
export const DATABASE_TSV_HINT = `If a database wrote this file, ${WRITE_CSV}`;

/** What databases and statistics programs write for a missing value. */
export const NO_VALUE = /^(?:\\N|NULL|NA|NaN|None)$/i;
export const NO_VALUE_HINT = 'If this means that there is no value, write an empty cell.';

type Signature = readonly [start: RegExp, name: string, hint: string];

/** Text that is encoded or compressed, by its first bytes, as text in Latin-1. */
const ENCODED: readonly Signature[] = [
  // A byte order mark of UTF-32 begins with that of UTF-16.
  [/^(?:\xff\xfe\0\0|\0\0\xfe\xff)/, 'text in UTF-32', fromEncoding('UTF-32')],
  [/^(?:\xff\xfe|\xfe\xff)/, 'text in UTF-16', fromEncoding('UTF-16')],
  // Without a byte order mark: every other byte of such a text is 0.
  [/^(?:[\x09-\x7e]\0){4}/, 'text in UTF-16', fromEncoding('UTF-16LE')],
  [/^(?:\0[\x09-\x7e]){4}/, 'text in UTF-16', fromEncoding('UTF-16BE')],
  [/^\x1f\x8b/, 'a gzip archive', 'Decompress it first, for example with gunzip.'],
  [/^BZh[1-9]1AY&SY/, 'a bzip2 archive', 'Decompress it first, for example with bunzip2.'],
  [/^\xfd7zXZ\0/, 'an xz archive', 'Decompress it first, for example with unxz.'],
  [/^\x28\xb5\x2f\xfd/, 'a zstd archive', 'Decompress it first, for example with unzstd.'],
];

/** Files without text, by their first bytes. */
const WITHOUT_TEXT: readonly Signature[] = [
  [/^PK(?:\x03\x04|\x05\x06)/, 'a workbook (.xlsx, .ods, .numbers) or another zip archive', SAVE_SHEET],
  [/^\xd0\xcf\x11\xe0/, 'a workbook (.xls) or another old Office file', SAVE_SHEET],
  [/^%PDF-/, 'a PDF document', EXPORT],
  [/^PAR1[\0-\x1f]/, 'a Parquet file', EXPORT],
  [/^ARROW1\0/, 'an Arrow file', EXPORT],
  [/^Obj\x01/, 'an Avro file', EXPORT],
  [/^SQLite format 3\0/, 'an SQLite database', 'Export the table as CSV: sqlite3 -csv -header.'],
  [/^PGDMP[\0-\x1f]/, 'a dump of PostgreSQL', 'Export the table as CSV: psql --csv.'],
  [/^\{\\rtf/, 'an RTF document', EXPORT],
  [
    /^\x1e/,
    'a JSON text sequence (RFC 7464)',
    'Write one object on each line, without record separators (U+001E).',
  ],
];

/** Recognizes a file that is no text in UTF-8, by its first bytes. */
export function recognizeBytes(start: Uint8Array): ForeignFile | undefined {
  const text = Buffer.from(start.subarray(0, SIGNATURE_BYTES)).toString('latin1');
  const [encoded, other] = [ENCODED, WITHOUT_TEXT].map((files) =>
    files.find(([signature]) => signature.test(text)),
  );
  const [, name, hint] = encoded ?? other ?? [];
  if (name === undefined || hint === undefined) return undefined;
  return { name, hint, isEncodedText: encoded !== undefined };
}

/** The number of bytes that `recognizeBytes` needs. */
export const SIGNATURE_BYTES = 32;

/** Texts by their first line. It is no header, because it was read as one before. */
const FIRST_LINES: readonly (readonly [line: RegExp, name: string, hint: string])[] = [
  [
    /^"?#TYPE\b/,
    'the line that Windows PowerShell puts before a table',
    'Remove this line, or export with -NoTypeInformation.',
  ],
  [/^\s*<(?:!doctype|html|head|body|table)\b/i, 'an HTML page', EXPORT],
  [/^\s*<\?xml\b/i, 'an XML document', EXPORT],
  [/^\s*[-+=┌╭╔][-+=─━═┬╮┐╗╦]{3,}/u, 'the frame of a table for people', `To get rows, ${WRITE_CSV}`],
  [/^(?:---\s*$|- \w+:|\w+: \S)/, 'YAML', 'Save the rows as CSV or JSON.'],
  [/^\s*(?:--|\/\*|INSERT\b|CREATE\b|COPY\b|SET\b|PRAGMA\b|BEGIN\b)/i, 'SQL', EXPORT],
  [
    /^"[^"]*"(?: "[^"]*")+\s*$/,
    'a table that R separated by blanks',
    'Write it with write.csv and row.names = FALSE.',
  ],
];

/** Recognizes a text in UTF-8 by its first line. Call it only if the line names no columns. */
export function recognizeLine(line: string): ForeignFile | undefined {
  const [, name, hint] = FIRST_LINES.find(([start]) => start.test(line)) ?? [];
  return name === undefined || hint === undefined ? undefined : { name, hint };
}

/** The parts of an error of an import. */
export function describeForeign({ name, hint }: ForeignFile): { message: string; hint: string } {
  return { message: `This is ${name}, not CSV, TSV, JSON or NDJSON`, hint };
}

function fromEncoding(encoding: string): string {
  return `Save it as UTF-8, for example with iconv -f ${encoding} -t UTF-8.`;
}
