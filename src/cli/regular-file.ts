import { readFileSync, type Stats, statSync } from 'node:fs';

/**
 * Reads a text file at once, without a byte order mark. A named pipe or a device is refused before it is opened: to open
 * it could hold the program up for ever, ^C included.
 *
 * @throws as node:fs does, and `NotAFileError` where something else stands there.
 */
export function readRegularFile(path: string): string {
  const found = statSync(path);
  if (!found.isFile()) throw new NotAFileError(path, kindOf(found));
  return readFileSync(path, 'utf8').replace(/^\uFEFF/, '');
}

/** What stands there is something else than a file. */
class NotAFileError extends Error {
  override readonly name = 'NotAFileError';
  /** Such as `a named pipe`. */
  readonly kind: string;

  constructor(path: string, kind: string) {
    super(`${path} is ${kind}, not a file`);
    this.kind = kind;
  }
}

/** Why a file could not be read, to stand in a sentence: `it is a named pipe`, `EACCES`. */
export function whyUnread(error: unknown): string {
  if (error instanceof NotAFileError) return `it is ${error.kind}`;
  return error instanceof Error && 'code' in error ? String(error.code) : 'no reason given';
}

function kindOf(found: Stats): string {
  if (found.isDirectory()) return 'a directory';
  if (found.isFIFO()) return 'a named pipe';
  return found.isSocket() ? 'a socket' : 'a device';
}
