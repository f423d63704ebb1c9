import { type PlainFileOptions, readPlainFile, UnsupportedFileError } from '../../plain-file.js';
import { systemErrorCode } from '../errors/why-failed.js';

/**
 * Reads a text file at once, without a byte order mark. What is no file is never waited for.
 *
 * @throws as node:fs does, and what `whyUnread` puts into words where something else stands there, or too much.
 */
export function readRegularFile(path: string, demands?: PlainFileOptions): string {
  return readPlainFile(path, demands).replace(/^\uFEFF/, '');
}

/** Why a file could not be read, to stand in a sentence: `it is a named pipe`, `EACCES`. */
export function whyUnreadable(error: unknown): string {
  if (error instanceof UnsupportedFileError) return `it is ${error.kind}`;
  return systemErrorCode(error);
}
