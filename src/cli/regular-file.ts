import { closeSync, fstatSync, openSync, readFileSync, type Stats, statSync } from 'node:fs';

/**
 * Reads a text file at once, without a byte order mark. A named pipe or a device is refused before it is opened: to open
 * it could hold the program up for ever, ^C included.
 *
 * @param judge looks at the very file that is read, whatever takes its place meanwhile; what it throws leaves it unread.
 * @throws as node:fs does, and `NotAFileError` where something else stands there.
 */
export function readRegularFile(path: string, judge?: (found: Stats) => void): string {
  refuseOther(path, statSync(path));
  const descriptor = openSync(path, 'r');
  try {
    judge?.(fstatSync(descriptor));
    return readFileSync(descriptor, 'utf8').replace(/^\uFEFF/, '');
  } finally {
    closeSync(descriptor);
  }
}

/** @throws NotAFileError where something else than a file was found. */
export function refuseOther(path: string, found: Stats): void {
  if (!found.isFile()) throw new NotAFileError(path, kindOf(found));
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
