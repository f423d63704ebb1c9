import { INT64_MAX, INT64_MIN } from '../../schema/int64.js';

/** What a journal says of its rows. Rows count from 1. */
export type JournalRecord =
  /** The request is about to leave. */
  | { kind: 'sent'; row: number }
  | { kind: 'created'; row: number; id: bigint }
  /** `reason` is the number of one that was told before. */
  | { kind: 'refused'; row: number; reason: number }
  | { kind: 'unknown'; row: number; reason: number }
  /** It is known not to have been carried out, so the row may be sent again. */
  | { kind: 'undone'; row: number }
  /** A text that refusals and unknown outcomes refer to. */
  | { kind: 'reason'; reason: number; text: string }
  /** All rows refused so far are about to be written to this file. */
  | { kind: 'filing'; path: string }
  /** They are. */
  | { kind: 'filed' };

/** One record as a word: printable ASCII without blanks. */
export function writeRecord(record: JournalRecord): string {
  switch (record.kind) {
    case 'sent':
      return `>${String(record.row)}`;
    case 'created':
      return `=${String(record.row)}:${String(record.id)}`;
    case 'refused':
      return `!${String(record.row)}:${String(record.reason)}`;
    case 'unknown':
      return `?${String(record.row)}:${String(record.reason)}`;
    case 'undone':
      return `-${String(record.row)}`;
    case 'reason':
      return `@${String(record.reason)}:${toWord(record.text)}`;
    case 'filing':
      return `[${toWord(record.path)}`;
    case 'filed':
      return ']';
  }
}

const NUMBERED = /^([>!?=-])([1-9]\d{0,14})(?::(-?\d{1,19}))?$/;
const REASON = /^@(\d{1,9}):(".*")$/;

/** Reads a word; `undefined` where it is no record. */
export function readRecord(word: string): JournalRecord | undefined {
  const numbered = NUMBERED.exec(word);
  if (numbered !== null) return readNumbered(numbered);
  const [, reason, text] = REASON.exec(word) ?? [];
  if (reason !== undefined && text !== undefined) {
    const said = fromWord(text);
    return said === undefined ? undefined : { kind: 'reason', reason: Number(reason), text: said };
  }
  if (word === ']') return { kind: 'filed' };
  const path = word.startsWith('[') ? fromWord(word.slice(1)) : undefined;
  return path === undefined ? undefined : { kind: 'filing', path };
}

function readNumbered([, sign = '', digits = '', second]: readonly string[]): JournalRecord | undefined {
  const row = Number(digits);
  if (sign === '>' || sign === '-') {
    return second === undefined ? { kind: sign === '>' ? 'sent' : 'undone', row } : undefined;
  }
  if (second === undefined) return undefined;
  if (sign === '=') {
    const id = BigInt(second);
    return id >= INT64_MIN && id <= INT64_MAX ? { kind: 'created', row, id } : undefined;
  }
  const reason = Number(second);
  return reason < 0 ? undefined : { kind: sign === '!' ? 'refused' : 'unknown', row, reason };
}

/** JSON as one word of ASCII: what is neither printable nor blank within a string is an escape. */
export function toWord(value: unknown): string {
  return JSON.stringify(value).replace(
    /[^\u0021-\u007e]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}

function fromWord(word: string): string | undefined {
  try {
    const value: unknown = JSON.parse(word);
    return typeof value === 'string' ? value : undefined;
  } catch {
    return undefined;
  }
}
