import { crc32 } from 'node:zlib';
import { INT64_MAX, INT64_MIN } from '../../schema/int64.js';
import { BLOCK_ROWS, type InputDigest } from '../input/input-digest.js';

/** The start of a journal. The number is the version of the format. */
export const MAGIC = 'petstore-journal/1 ';

/**
 * Ends each line of a journal with a checksum of all lines so far. This detects an incomplete, changed, missing or
 * moved line.
 */
export class LineChecksum {
  #sum = 0;

  /** Returns the next line with its checksum and line break. */
  add(body: string): string {
    this.#sum = crc32(body, this.#sum);
    return `${body} ${this.#sum.toString(16).padStart(8, '0')}\n`;
  }

  /** Returns the next line without its checksum. If the checksum is wrong, returns `undefined` and keeps its state. */
  verify(line: string): string | undefined {
    const body = line.slice(0, -9);
    const sum = crc32(body, this.#sum);
    if (line.slice(-9) !== ` ${sum.toString(16).padStart(8, '0')}`) return undefined;
    this.#sum = sum;
    return body;
  }
}

/** A line of a file, without its line break. */
export interface JournalLine {
  text: string;
  /** From 1. */
  number: number;
  /** Start of the line in the file, in bytes. */
  offset: number;
  /** Whether the line has its line break. */
  isEnded: boolean;
}

/** Maximum length of a line in bytes. A write of an import is far shorter. */
export const LINE_MAX = 1 << 24;

/** Splits a file into lines. Keeps at most one line in memory. Ends early after a line that is too long. */
export async function* splitLines(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<JournalLine[]> {
  let rest = '';
  let number = 1;
  let offset = 0;
  for await (const chunk of chunks) {
    const texts = Buffer.from(chunk).toString('latin1').split('\n');
    // Only a text with a line break is joined and scanned, so that time stays linear.
    rest += texts[0] ?? '';
    if (texts.length === 1 && rest.length <= LINE_MAX) continue;
    texts[0] = rest;
    rest = texts.pop() ?? '';
    const lines: JournalLine[] = [];
    for (const text of texts) {
      lines.push({ text, number, offset, isEnded: true });
      number += 1;
      offset += text.length + 1;
    }
    yield lines;
    if (rest.length > LINE_MAX) break;
  }
  if (rest !== '') yield [{ text: rest, number, offset, isEnded: false }];
}

/** A record of a journal. Rows count from 1. */
export type JournalRecord =
  /** The request is about to be sent. */
  | { kind: 'sent'; row: number }
  | { kind: 'created'; row: number; id: bigint }
  /** `reason` is the number of an earlier record of kind `reason`. */
  | { kind: 'rejected'; row: number; reason: number }
  | { kind: 'unknown'; row: number; reason: number }
  /** The pet was certainly not created, so the row can be sent again. */
  | { kind: 'not-created'; row: number }
  /** A text that `rejected` and `unknown` records refer to. */
  | { kind: 'reason'; reason: number; text: string }
  /** All rejected rows so far are about to be written to this file. */
  | { kind: 'saving'; path: string }
  /** The file of the last `saving` record is written. */
  | { kind: 'saved' };

/** Writes a record as one word of printable ASCII without blanks. */
export function writeRecord(record: JournalRecord): string {
  switch (record.kind) {
    case 'sent':
      return `>${String(record.row)}`;
    case 'created':
      return `=${String(record.row)}:${String(record.id)}`;
    case 'rejected':
      return `!${String(record.row)}:${String(record.reason)}`;
    case 'unknown':
      return `?${String(record.row)}:${String(record.reason)}`;
    case 'not-created':
      return `-${String(record.row)}`;
    case 'reason':
      return `@${String(record.reason)}:${toJsonWord(record.text)}`;
    case 'saving':
      return `[${toJsonWord(record.path)}`;
    case 'saved':
      return ']';
  }
}

const NUMBERED = /^([>!?=-])([1-9]\d{0,14})(?::(-?\d{1,19}))?$/;
const REASON = /^@(\d{1,9}):(".*")$/;

/** Reads a record. Returns `undefined` if the word is not a record. */
export function readRecord(word: string): JournalRecord | undefined {
  const numbered = NUMBERED.exec(word);
  if (numbered !== null) return readNumbered(numbered);
  const [, reason, text = ''] = REASON.exec(word) ?? [];
  if (reason !== undefined) {
    const content = fromJsonWord(text);
    return content === undefined ? undefined : { kind: 'reason', reason: Number(reason), text: content };
  }
  if (word === ']') return { kind: 'saved' };
  const path = word.startsWith('[') ? fromJsonWord(word.slice(1)) : undefined;
  return path === undefined ? undefined : { kind: 'saving', path };
}

function readNumbered([, sign = '', digits = '', second]: readonly string[]): JournalRecord | undefined {
  const row = Number(digits);
  if (sign === '>' || sign === '-') {
    return second === undefined ? { kind: sign === '>' ? 'sent' : 'not-created', row } : undefined;
  }
  if (second === undefined) return undefined;
  if (sign === '=') {
    const id = BigInt(second);
    return id >= INT64_MIN && id <= INT64_MAX ? { kind: 'created', row, id } : undefined;
  }
  const reason = Number(second);
  return reason < 0 ? undefined : { kind: sign === '!' ? 'rejected' : 'unknown', row, reason };
}

/** Writes JSON as one word of printable ASCII: other characters are escaped. */
export function toJsonWord(value: unknown): string {
  return JSON.stringify(value).replace(
    /[^\u0021-\u007e]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}

function fromJsonWord(word: string): string | undefined {
  try {
    const value: unknown = JSON.parse(word);
    return typeof value === 'string' ? value : undefined;
  } catch {
    return undefined;
  }
}

/** A block of rows: its digest and its tags. */
export const PLAN_BLOCK = /^p ([\w-]{43}) ([\w-]{4,3072})$/;
/** Rows that an earlier import of this journal created. They come before `READY`, so that a crash can't lose them. */
export const PLAN_CREATED = /^i (.+)$/;
/** The last line of a plan. */
export const READY = 'ready';

/** What the plan of an import has in addition to the service and the rows. */
export interface PlanDetails {
  /** Identifies the API key. */
  keyFingerprint?: string | undefined;
  /** The ids of rows that the import before in this journal created, by row. They are not sent. */
  created?: ReadonlyMap<number, bigint>;
}

/** Formats the plan, the first lines of an import: the service, the digest of the rows, and rows that are done. */
export function* formatPlan(
  service: string,
  digest: InputDigest,
  { keyFingerprint, created = new Map() }: PlanDetails = {},
): Generator<string> {
  const words = [...created].map(([row, id]) => writeRecord({ kind: 'created', row, id }));
  const lines = Array.from({ length: Math.ceil(words.length / BLOCK_ROWS) }, (_, line) =>
    words.slice(line * BLOCK_ROWS, (line + 1) * BLOCK_ROWS).join(' '),
  );
  yield `${MAGIC}${toJsonWord({ service, rows: digest.rows, keyFingerprint })}`;
  for (const block of digest.blocks) yield `p ${block.digest} ${block.tags.toString('base64url')}`;
  for (const line of lines) yield `i ${line}`;
  yield READY;
}

/** The first line of a plan. */
export interface Header {
  service: string;
  rows: number;
  /** Absent if the key is unknown. */
  keyFingerprint: string | undefined;
}

/** Reads the first line of a plan. Returns `undefined` if it is invalid. */
export function readJournalHeader(body: string): Header | undefined {
  try {
    const header = JSON.parse(body.slice(MAGIC.length)) as Partial<Record<keyof Header, unknown>>;
    const { service, rows, keyFingerprint } = header;
    if (typeof service === 'string' && Number.isSafeInteger(rows) && Number(rows) >= 0)
      return {
        service,
        rows: Number(rows),
        keyFingerprint: typeof keyFingerprint === 'string' ? keyFingerprint : undefined,
      };
  } catch {
    // The caller reports the line.
  }
  return undefined;
}
