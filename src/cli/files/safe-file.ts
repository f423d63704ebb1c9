import { type PlainFileOptions, readPlainFile, UnsupportedFileError } from '../../security/plain-file.js';
import {
  UnsafeFolderError,
  isForeignOwner,
  makePrivateFolder,
  resolvePrivateFolder,
} from '../../security/private-folder.js';
import { systemErrorCode } from '../errors/system-error-code.js';
import { readdirSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';

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

/**
 * Writes a file that only its owner can read (mode 0600). It is renamed into place, so that readers see the old content
 * or the new one. A symbolic link at the path is replaced, not followed. A missing directory is created with mode 0700.
 *
 * @param userId default: the user of this process.
 * @throws UnsafeFolderError if other users can change the directory. Otherwise as node:fs does. The old file is then
 * unchanged.
 */
export function writePrivateFile(path: string, content: string | Uint8Array, userId?: number): void {
  const directory = makePrivateFolder(dirname(path), userId);
  // Avoids node:crypto for the name, which takes 2 to 4 ms to load.
  const temporary = join(directory, `.${String(process.pid)}.${String(process.hrtime.bigint())}.tmp`);
  try {
    writeFileSync(temporary, content, { mode: 0o600, flag: 'wx' });
    renameSync(temporary, join(directory, basename(path)));
  } catch (error) {
    rmSync(temporary, { force: true });
    throw error;
  }
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

const TEMPORARY_FILE = /^\.\d+\.\d+\.tmp$/;

/**
 * Removes the temporary files that killed processes left in a directory. The caller holds a lock for that directory.
 *
 * @throws as node:fs does.
 */
export function removeTemporaryFiles(directory: string): void {
  if (statSync(directory, { throwIfNoEntry: false })?.isDirectory() !== true) return;
  for (const name of readdirSync(directory)) {
    if (TEMPORARY_FILE.test(name)) rmSync(join(directory, name), { force: true });
  }
}
