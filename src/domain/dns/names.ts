/** Including length bytes and the root (RFC 1035, section 3.1). */
const NAME_BYTES_MAX = 255;
/** A name has at most 127 labels, and a valid pointer leads to at least one. */
const POINTERS_MAX = 127;
export const HEADER_BYTES = 12;
export const DOT = 0x2e;
/** The two top bits of a length byte: both set is a compression pointer (RFC 1035, section 4.1.4). */
const POINTER = 0xc0;

/** A violation of the message format. `decodeResponse` catches it and returns a value. */
export class MalformedMessage extends Error {}

interface WireName {
  /** Lower case, escaped, without the final dot; `.` for the root. */
  text: string;
  /** Offset after the name. */
  end: number;
}

/**
 * Reads the name at `start`, whose own bytes must end before `limit`.
 *
 * A pointer must point before the labels that it follows, and not into the header. So every name ends, and none is read
 * through its own bytes.
 */
export function readName(
  message: Buffer,
  start: number,
  limit: number,
  compression: 'allowed' | 'refused' = 'allowed',
): WireName {
  let text = '';
  let end: number | undefined;
  let bytes = 1;
  let pointers = 0;
  let runStart = start;
  let runLimit = limit;
  let offset = start;
  for (;;) {
    const length = byteAt(message, offset, runLimit);
    offset += 1;
    if (length === 0) return { text: text === '' ? '.' : text, end: end ?? offset };
    if ((length & POINTER) === 0) {
      bytes += length + 1;
      if (bytes > NAME_BYTES_MAX) throw new MalformedMessage('a name longer than 255 bytes');
      if (offset + length > runLimit) throw new MalformedMessage('a label extends past its record');
      const label = escapeLabel(message, offset, offset + length);
      text = text === '' ? label : `${text}.${label}`;
      offset += length;
    } else {
      if ((length & POINTER) !== POINTER) throw new MalformedMessage('a label of an unknown type');
      if (compression === 'refused')
        throw new MalformedMessage('a compressed name in a record that does not allow it');
      const target = ((length & ~POINTER) << 8) | byteAt(message, offset, runLimit);
      end ??= offset + 1;
      pointers += 1;
      if (target < HEADER_BYTES || target >= runStart || pointers > POINTERS_MAX) {
        throw new MalformedMessage('a compression pointer that does not point backwards');
      }
      runLimit = runStart;
      runStart = target;
      offset = target;
    }
  }
}

function byteAt(message: Buffer, offset: number, limit: number): number {
  const byte = offset < limit ? message[offset] : undefined;
  if (byte === undefined) throw new MalformedMessage('a name extends past its record');
  return byte;
}

/** Escaped in labels, because it could be taken for the dot, or for syntax of a zone file or a shell. */
const NOT_PLAIN = /[^a-z0-9_*/-]/g;
/** Fast path for nearly every label. */
const PLAIN = /^[a-z0-9_*/-]+$/;

/** Control bytes, bytes above ASCII, and the backslash of the escapes. */
const NOT_PRINTABLE = /[^\x20-\x5b\x5d-\x7e]/g;

/**
 * Returns the label from `start` to `end` in lower case. Special bytes, dots too, become `\DDD` (RFC 1035, section
 * 5.1).
 */
export function escapeLabel(message: Buffer, start: number, end: number): string {
  const text = message.toString('latin1', start, end);
  return PLAIN.test(text) ? text : text.replace(/[A-Z]/g, lower).replace(NOT_PLAIN, decimal);
}

/** Returns the text of a record or an error. The backslash and all but printable ASCII become `\DDD`. */
export function escapeText(bytes: Buffer): string {
  return bytes.toString('latin1').replace(NOT_PRINTABLE, decimal);
}

/** ASCII only: `toLowerCase` would change bytes above it too. */
function lower(letter: string): string {
  return letter.toLowerCase();
}

function decimal(character: string): string {
  return `\\${String(character.charCodeAt(0)).padStart(3, '0')}`;
}
