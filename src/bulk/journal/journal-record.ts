import { INT64_MAX, INT64_MIN } from '../../schema/int64.js';

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
  const [, reason, text] = REASON.exec(word) ?? [];
  if (reason !== undefined && text !== undefined) {
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
