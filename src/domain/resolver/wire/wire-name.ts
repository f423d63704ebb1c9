import { escapeLabel } from './escape.js';

/** With the lengths and the root (RFC 1035, section 3.1). */
const NAME_BYTES_MAX = 255;
/** A name has no more labels, and an honest pointer leads to at least one. */
const HOPS_MAX = 127;
const HEADER_BYTES = 12;
/** The two top bits of a length byte: a pointer where both are set (RFC 1035, section 4.1.4). */
const POINTER = 0xc0;

/** Thrown where a message breaks the format. Never leaves the codec, whose door answers with a value. */
export class MalformedMessage extends Error {}

/** A name read from a message. */
interface WireName {
  /** Lower case, escaped, without the final dot; `.` for the root. */
  text: string;
  /** Where the bytes after it begin. */
  end: number;
}

/**
 * Reads the name at `start`, whose own bytes must lie before `limit`.
 *
 * A pointer may lead only to what lies wholly before the run of labels that it ends, and not into the header. So every
 * name comes to an end, and none is read through its own bytes.
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
  let hops = 0;
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
      if (offset + length > runLimit) throw new MalformedMessage('a label that runs past its end');
      const label = escapeLabel(message, offset, offset + length);
      text = text === '' ? label : `${text}.${label}`;
      offset += length;
    } else {
      if ((length & POINTER) !== POINTER) throw new MalformedMessage('a label of an unknown kind');
      if (compression === 'refused') throw new MalformedMessage('a compressed name where none is allowed');
      const target = ((length & ~POINTER) << 8) | byteAt(message, offset, runLimit);
      end ??= offset + 1;
      hops += 1;
      if (target < HEADER_BYTES || target >= runStart || hops > HOPS_MAX) {
        throw new MalformedMessage('a pointer that does not lead back');
      }
      runLimit = runStart;
      runStart = target;
      offset = target;
    }
  }
}

function byteAt(message: Buffer, offset: number, limit: number): number {
  const byte = offset < limit ? message[offset] : undefined;
  if (byte === undefined) throw new MalformedMessage('a name that runs past its end');
  return byte;
}
