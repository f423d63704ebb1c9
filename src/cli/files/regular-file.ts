import { type PlainFileOptions, readPlainFile, UnsupportedFileError } from '../../security/plain-file.js';
import { UnsafeFolderError } from '../../security/private-folder.js';
import { systemErrorCode } from '../errors/system-error-code.js';

/**
 * Reads a text file synchronously, without its byte order mark. Refuses pipes and devices, which could block.
 *
 * @throws as node:fs does; `describeFileError` describes the error.
 */
export function readRegularFile(path: string, options?: PlainFileOptions): string {
  return readPlainFile(path, options).replace(/^\uFEFF/, '');
}

/** Describes why a file can't be read or written, for messages: `it is a named pipe`, `EACCES`. */
export function describeFileError(error: unknown): string {
  if (error instanceof UnsupportedFileError) return `it is ${error.kind}`;
  if (error instanceof UnsafeFolderError) return error.message;
  return systemErrorCode(error);
}
