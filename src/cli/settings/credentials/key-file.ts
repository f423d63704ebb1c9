import { lstatSync, readdirSync, type Stats, statSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { LockLostError } from '../../../security/locked-file.js';
import { assertPlainFile } from '../../../security/plain-file.js';
import { isForeignOwner, makePrivateFolder } from '../../../security/private-folder.js';
import type { ConfigLock } from '../config/config-editor.js';
import type { Context } from '../../system/context.js';
import { systemErrorCode } from '../../../security/system-error.js';
import { canOthersAccess, refuseUnsafeFolder } from '../../system/files/ownership.js';
import { configDirectory, type PathContext } from '../../system/files/paths.js';
import { describeFileError, readRegularFile, TEMPORARY_FILE } from '../../system/files/safe-file.js';
import { shellWord } from '../../errors/shell-word.js';
import { UsageError } from '../../errors/usage-error.js';

/** The directory of the key files. */
export function keysDirectory(context: PathContext): string {
  return join(configDirectory(context), 'keys');
}

/** The names of key files and of files that name an entry of the keychain. A killed process can leave a temporary one. */
const KEY_FILE = /\.(?:key|keychain)$/;

/** Finds the files that have a key or name one, and temporary files. */
export function findKeyFiles(context: PathContext): string[] {
  const directory = keysDirectory(context);
  return namesIn(directory)
    .filter((name) => KEY_FILE.test(name) || TEMPORARY_FILE.test(name))
    .map((name) => join(directory, name));
}

/** Ignores a folder that can't be read: reading or storing a key reports it. */
function namesIn(directory: string): string[] {
  try {
    return readdirSync(directory);
  } catch {
    return [];
  }
}

/**
 * Reads a key; `undefined` if the file does not exist.
 *
 * @throws UsageError if the file is a symbolic link, belongs to another user, or can't be read.
 */
export function readKeyFile(path: string, user: Pick<Context, 'userId'>): string | undefined {
  const problem = `${path} can't be read`;
  return explained(path, problem, 'or store the key again with "petstore auth login"', () => {
    refuseUnsafeFolder(dirname(path), user);
    const found = lstatSync(path, { throwIfNoEntry: false });
    if (found === undefined) return undefined;
    if (found.isSymbolicLink())
      throw new UsageError(`${path} is a symbolic link`, 'Store the key again with "petstore auth login".');
    const check = ({ uid }: Stats): void => {
      if (isForeignOwner(uid, user.userId)) throw foreignKeys(path, uid);
    };
    try {
      return readRegularFile(path, { check }).trim();
    } catch (error) {
      // Another process has removed it since the check above.
      if (systemErrorCode(error) === 'ENOENT') return undefined;
      throw error;
    }
  });
}

/** Runs work on a key file. @throws UsageError that says why it failed, and to fix the file or the remedy. */
function explained<T>(path: string, problem: string, remedy: string, work: () => T): T {
  try {
    return work();
  } catch (error) {
    if (error instanceof UsageError || error instanceof LockLostError) throw error;
    const reason = findObstacle(path) ?? describeFileError(error);
    throw new UsageError(`${problem} (${reason})`, `Fix the file or directory, ${remedy}.`, error);
  }
}

/** Whether the mode of a key file lets other users access it. */
export function isExposed(path: string, { userId }: Pick<Context, 'userId'>): boolean {
  return userId !== undefined && canOthersAccess(statusOf(path)?.mode ?? 0);
}

/** A warning that a key is stored as plain text, and whether other users can read it. */
export function plainTextWarning(path: string, user: Pick<Context, 'userId'>): string {
  return isExposed(path, user)
    ? `The key is stored as plain text in ${path}, and other users can access it. Run: chmod 600 ${shellWord(path)}`
    : `The key is stored as plain text in ${path}. Only its owner can read it.`;
}

function foreignKeys(path: string, ownerId: number): UsageError {
  return new UsageError(
    `${path} belongs to another user (${String(ownerId)}), and may hold that user's key`,
    'Remove it and store the key again with "petstore auth login", or set PETSTORE_CONFIG_DIR to another directory.',
  );
}

/** @throws UsageError if a key can obviously not be stored at this path. */
export function checkKeyPath(path: string, user: Pick<Context, 'userId'>): void {
  refuseUnsafeFolder(dirname(path), user);
  storing(path, () => {
    const obstacle = findObstacle(path);
    if (obstacle !== undefined) throw new Error(obstacle);
  });
}

/** Writes a key file. It is on the disk before config.json names it. @throws UsageError if it can't be written. */
export function writeKeyFile(path: string, content: string, { files, context }: ConfigLock): void {
  storing(path, () => {
    const directory = makePrivateFolder(dirname(path), context.userId);
    files.replace(join(directory, basename(path)), [`${content}\n`], { isDurable: true });
  });
}

function storing(path: string, work: () => void): void {
  const remedy = 'or set PETSTORE_CONFIG_DIR to another directory';
  explained(path, `The key can't be stored in ${path}`, remedy, work);
}

/** @returns whether the file existed. @throws UsageError if it can't be removed. */
export function removeKeyFile(path: string, { files }: Pick<ConfigLock, 'files'>): boolean {
  return explained(path, `The key file ${path} can't be removed`, 'then try again', () => {
    if (lstatSync(path, { throwIfNoEntry: false }) === undefined) return false;
    files.remove(path);
    return true;
  });
}

/** Why the path can't be a key file: the directory is a file, or the file is a directory or a pipe. */
function findObstacle(path: string): string | undefined {
  const directory = dirname(path);
  if (statusOf(directory)?.isDirectory() === false) return `${directory} is not a directory`;
  const found = statusOf(path);
  try {
    if (found !== undefined) assertPlainFile(path, found);
  } catch (error) {
    return describeFileError(error);
  }
  return undefined;
}

function statusOf(path: string): Stats | undefined {
  try {
    return statSync(path, { throwIfNoEntry: false });
  } catch {
    return undefined;
  }
}
