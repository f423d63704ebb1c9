import type { Stats } from 'node:fs';
import { nodeModule } from '../node-module.js';

const fs = nodeModule('node:fs');

/** Options of `readPlainFile`. */
export interface PlainFileOptions {
  /**
   * Maximum size in bytes.
   *
   * @default no limit
   */
  bytesMax?: number;
  /** Called with the open file before it is read. If it throws, nothing is read. */
  check?: (stats: Stats, descriptor: number) => void;
}

/** Reads a text file. Otherwise as `readPlainBytes`. */
export function readPlainFile(path: string, options?: PlainFileOptions): string {
  return readPlainBytes(path, options).toString('utf8');
}

/**
 * Reads a file synchronously. Rejects everything but regular files before opening it: opening a named pipe could
 * block for ever, and opening a device may have an effect. Checks again after opening, without blocking, because
 * another process may replace the file in between.
 *
 * @throws UnsupportedFileError if it is not a regular file or too large.
 * @throws errors of node:fs, such as ENOENT.
 */
export function readPlainBytes(path: string, { bytesMax = Infinity, check }: PlainFileOptions = {}): Buffer {
  assertPlainFile(path, fs.statSync(path), bytesMax);
  // O_NONBLOCK is undefined on Windows, where ordinary paths do not lead to pipes.
  const descriptor = fs.openSync(path, fs.constants.O_RDONLY | fs.constants.O_NONBLOCK);
  try {
    const stats = fs.fstatSync(descriptor);
    assertPlainFile(path, stats, bytesMax);
    check?.(stats, descriptor);
    return fs.readFileSync(descriptor);
  } finally {
    fs.closeSync(descriptor);
  }
}

/** A path does not lead to a regular file, or the file is too large. */
export class UnsupportedFileError extends Error {
  override readonly name = 'UnsupportedFileError';
  /** The kind of file, or its size, to complete the sentence "The file is …". Example: `a named pipe`. */
  readonly kind: string;

  constructor(path: string, kind: string) {
    super(`${path} is ${kind}`);
    this.kind = kind;
  }
}

/**
 * Checks that a file is regular and not too large.
 *
 * @throws UnsupportedFileError if it is not a regular file, or larger than `bytesMax` bytes.
 */
export function assertPlainFile(path: string, stats: Stats, bytesMax = Infinity): void {
  if (!stats.isFile()) throw new UnsupportedFileError(path, kindOf(stats));
  if (stats.size <= bytesMax) return;
  throw new UnsupportedFileError(
    path,
    `${String(stats.size)} bytes long, and the maximum is ${String(bytesMax)} bytes`,
  );
}

function kindOf(stats: Stats): string {
  if (stats.isDirectory()) return 'a directory';
  if (stats.isFIFO()) return 'a named pipe';
  return stats.isSocket() ? 'a socket' : 'a device';
}
