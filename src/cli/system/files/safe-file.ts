import { type PlainFileOptions, readPlainFile, UnsupportedFileError } from '../../../security/plain-file.js';
import {
  UnsafeFolderError,
  isForeignOwner,
  makePrivateFolder,
  resolvePrivateFolder,
} from '../../../security/private-folder.js';
import { systemErrorReason } from '../../../security/system-error.js';
import { closeSync, openSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';

/**
 * Reads a text file synchronously, without its byte order mark. Refuses pipes and devices, which could block.
 *
 * @throws as node:fs does; `describeFileError` describes the error.
 */
export function readRegularFile(path: string, options?: PlainFileOptions): string {
  return readPlainFile(path, options).replace(/^\uFEFF/, '');
}

/** Describes why a file can't be read or written, for messages: `it is a named pipe`, `permission denied`. */
export function describeFileError(error: unknown): string {
  if (error instanceof UnsupportedFileError) return `it is ${error.kind}`;
  if (error instanceof UnsafeFolderError) return error.message;
  return systemErrorReason(error);
}

/**
 * Replaces a file by one that only its owner can read (mode 0600). It is renamed into place, so that readers see the old
 * content or the new one, also if the process is killed. A symbolic link at the path is replaced, not followed.
 *
 * @param parts of the text.
 * @throws as node:fs does. The old file is then unchanged.
 */
export function replaceFile(path: string, parts: Iterable<string>): void {
  const temporary = temporaryFileOf(path);
  try {
    // The flag wx never follows a link.
    const descriptor = openSync(temporary, 'wx', 0o600);
    try {
      for (const part of parts) writeFileSync(descriptor, part);
    } finally {
      closeSync(descriptor);
    }
    renameSync(temporary, path);
  } catch (error) {
    rmSync(temporary, { force: true });
    throw error;
  }
}

/** Not random: node:crypto takes 2 to 4 ms to load. */
function temporaryFileOf(path: string): string {
  return `${path}.${String(process.pid)}.${String(process.hrtime.bigint())}.tmp`;
}

/**
 * Replaces a file of the program. A missing directory is created with mode 0700.
 *
 * @param userId default: the user of this process.
 * @throws UnsafeFolderError if other users can change the directory. Otherwise as node:fs does.
 */
export function writePrivateFile(path: string, content: string, userId?: number): void {
  const directory = makePrivateFolder(dirname(path), userId);
  replaceFile(join(directory, basename(path)), [content]);
}

/**
 * Reads a text file that no other user can have written.
 *
 * @throws UnsafeFolderError if other users can change the directory. An error with the code EPERM if another user owns
 * the file. Otherwise as `readRegularFile`.
 */
export function readPrivateFile(path: string, bytesMax?: number, userId = process.geteuid?.()): string {
  const check: PlainFileOptions['check'] = ({ uid }) => {
    if (!isForeignOwner(uid, userId)) return;
    throw Object.assign(new Error(`${path} belongs to another user`), { code: 'EPERM' });
  };
  const file = join(resolvePrivateFolder(dirname(path), userId), basename(path));
  return readRegularFile(file, { check, ...(bytesMax === undefined ? {} : { bytesMax }) });
}

/** The names of the temporary files of `replaceFile`. A killed process leaves one. */
export const TEMPORARY_FILE = /\.\d+\.\d+\.tmp$/;
