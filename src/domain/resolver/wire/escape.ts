/** What a label may hold as it is. Everything else could be taken for the dot, for syntax of a zone file or of a shell. */
const NOT_PLAIN = /[^a-z0-9_*/-]/g;
/** Nearly every label. */
const PLAIN = /^[a-z0-9_*/-]+$/;

/** Control bytes, bytes above ASCII, and the backslash that the escapes begin with. */
const NOT_PRINTABLE = /[^\x20-\x5b\x5d-\x7e]/g;

/**
 * The label from `start` to `end` in lower case; every byte that is not plain as `\DDD` (RFC 1035, section 5.1), a dot
 * within it too.
 */
export function escapeLabel(message: Buffer, start: number, end: number): string {
  const text = message.toString('latin1', start, end);
  return PLAIN.test(text) ? text : text.replace(/[A-Z]/g, lower).replace(NOT_PLAIN, decimal);
}

/** Text of a record or an error: printable ASCII as it is, every other byte and the backslash as `\DDD`. */
export function escapeText(bytes: Buffer): string {
  return bytes.toString('latin1').replace(NOT_PRINTABLE, decimal);
}

/** ASCII alone: `toLowerCase` would turn one byte above it into another. */
function lower(letter: string): string {
  return letter.toLowerCase();
}

function decimal(character: string): string {
  return `\\${String(character.charCodeAt(0)).padStart(3, '0')}`;
}
