import { printable } from '../../schema/control-characters.js';

/** Rejects invalid UTF-8, and drops a byte order mark (RFC 8259, section 8.1). */
const UTF_8 = new TextDecoder('utf-8', { fatal: true });

/** Decodes a body. Returns `undefined` if it is not UTF-8. */
export function decodeUtf8(body: Uint8Array): string | undefined {
  try {
    return UTF_8.decode(body);
  } catch {
    return undefined;
  }
}

/**
 * Makes untrusted text safe to print.
 *
 * @param lengthMax longer text is truncated, with an ellipsis.
 */
export function excerpt(text: string, lengthMax: number): string {
  return printable(text.length > lengthMax ? `${text.slice(0, lengthMax)}…` : text);
}
