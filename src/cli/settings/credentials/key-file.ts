import { lstatSync, rmSync, type Stats, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { assertPlainFile } from '../../../security/plain-file.js';
import { isForeignOwner } from '../../../security/private-folder.js';
import type { Context } from '../../system/context.js';
import { canOthersAccess, refuseUnsafeFolder } from '../../system/files/ownership.js';
import { configDirectory, type PathContext } from '../../system/files/paths.js';
import {
  describeFileError,
  readRegularFile,
  removeTemporaryFiles,
  writePrivateFile,
} from '../../system/files/safe-file.js';
import { shellWord } from '../../errors/shell-word.js';
import { UsageError } from '../../errors/usage-error.js';

/** The directory of the key files. */
export function keysDirectory(context: PathContext): string {
  return join(configDirectory(context), 'keys');
}

/** Matches key files, and the temporary files that a killed process leaves. */
export const KEY_FILE = /\.key$|\.\d+\.\d+\.tmp$/;

/** The name of the key file of a profile. */
export function keyFileName(profile: string): string {
  // encodeURIComponent throws on an unpaired surrogate, which JSON may contain.
  return `${encodeURIComponent(profile.replace(/\p{Surrogate}/gu, '\uFFFD'))}.key`;
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
    return readRegularFile(path, { check }).trim();
  });
}

/** Runs work on a key file. @throws UsageError that says why it failed, and to fix the file or the remedy. */
function explained<T>(path: string, problem: string, remedy: string, work: () => T): T {
  try {
    return work();
  } catch (error) {
    if (error instanceof UsageError) throw error;
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

/** @throws UsageError if it can't be written. */
export function writeKeyFile(path: string, key: string): void {
  storing(path, () => {
    writePrivateFile(path, `${key}\n`);
  });
}

function storing(path: string, work: () => void): void {
  const remedy = 'or set PETSTORE_CONFIG_DIR to another directory';
  explained(path, `The key can't be stored in ${path}`, remedy, work);
}

/** Removes temporary files with keys, left by processes that were killed while writing. */
export function removeTemporaryKeys(path: string): void {
  const directory = dirname(path);
  explained(path, `A temporary key file in ${directory} can't be removed`, 'then try again', () => {
    removeTemporaryFiles(directory);
  });
}

/** @returns whether the file existed. */
export function removeKeyFile(path: string): boolean {
  return explained(path, `The key file ${path} can't be removed`, 'then try again', () => {
    if (lstatSync(path, { throwIfNoEntry: false }) === undefined) return false;
    rmSync(path);
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
