import { closeSync, constants, fstatSync, openSync, readFileSync, type Stats, statSync } from 'node:fs';

/** What is asked of a file before it is read. */
export interface PlainFileOptions {
  /** More is refused unread. Default: whatever there is. */
  bytesMax?: number;
  /** Looks at the very file that is read, whatever takes its place meanwhile; what it throws leaves it unread. */
  check?: (found: Stats, descriptor: number) => void;
}

/**
 * Reads a text file at once. A named pipe, which could hold the program up for ever, ^C included, and a device, for which
 * to be opened may mean something, are refused before they are opened; what takes the file's place after that look is
 * opened without waiting, and refused as well.
 *
 * @throws as node:fs does, and `UnfitFileError` for what is no file, or too large a one.
 */
export function readPlainFile(
  path: string,
  { bytesMax = Infinity, check: judge }: PlainFileOptions = {},
): string {
  assertPlainFile(path, statSync(path), bytesMax);
  // Windows has no such flag, and no pipe that a path leads to by chance.
  const descriptor = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK);
  try {
    const found = fstatSync(descriptor);
    assertPlainFile(path, found, bytesMax);
    judge?.(found, descriptor);
    return readFileSync(descriptor, 'utf8');
  } finally {
    closeSync(descriptor);
  }
}

/** What stands there is not to be read. */
export class UnsupportedFileError extends Error {
  override readonly name = 'UnfitFileError';
  /** What it is instead, to stand in a sentence, such as `a named pipe`. */
  readonly kind: string;

  constructor(path: string, kind: string) {
    super(`${path} is ${kind}`);
    this.kind = kind;
  }
}

/** @throws UnfitFileError where something else than a file was found, or too large a one. */
export function assertPlainFile(path: string, found: Stats, bytesMax = Infinity): void {
  if (!found.isFile()) throw new UnsupportedFileError(path, kindOf(found));
  if (found.size <= bytesMax) return;
  throw new UnsupportedFileError(
    path,
    `${String(found.size)} bytes long, and no more than ${String(bytesMax)} are read`,
  );
}

function kindOf(found: Stats): string {
  if (found.isDirectory()) return 'a directory';
  if (found.isFIFO()) return 'a named pipe';
  return found.isSocket() ? 'a socket' : 'a device';
}
