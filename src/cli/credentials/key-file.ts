import {
  closeSync,
  constants,
  fchmodSync,
  fstatSync,
  lstatSync,
  openSync,
  readFileSync,
  rmSync,
  type Stats,
  statSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { assertPlainFile } from '../../plain-file.js';
import type { Context } from '../system/context.js';
import { isForeignOwner, othersHaveAccess } from '../files/ownership.js';
import { configDirectory, type PathContext } from '../files/paths.js';
import { ensurePrivateDirectory, removeDrafts, writePrivateFile } from '../files/private-file.js';
import { whyUnreadable } from '../files/regular-file.js';
import { UsageError } from '../errors/usage-error.js';

/** Where the files of keys are. */
export function keysDirectory(context: PathContext): string {
  return join(configDirectory(context), 'keys');
}

/** What such files are called, and drafts of them that a process which was killed leaves. */
export const KEY_FILE = /\.key$|^\.\d+\.\d+\.tmp$/;

/** What the file for the key of a profile is called, whatever the profile is called. */
export function keyFileName(profile: string): string {
  // Half of a surrogate pair, which JSON may hold, can't be encoded.
  return `${encodeURIComponent(profile.replace(/\p{Surrogate}/gu, '\uFFFD'))}.key`;
}

/**
 * What the file of a key holds; `undefined` where there is none.
 *
 * @throws UsageError for one that is somebody else's, or can't be read.
 */
export function readKeyFile(path: string, asker: Pick<Context, 'userId'>): string | undefined {
  try {
    refuseForeignDirectory(path, asker);
    const found = lstatSync(path);
    // What a link leads to is not this program's to read, nor to close.
    if (found.isSymbolicLink())
      throw new UsageError(`${path} is a link`, 'put the key itself there: petstore auth login');
    assertPlainFile(path, found);
    return readOwn(path, asker);
  } catch (error) {
    if (error instanceof UsageError) throw error;
    if (whyUnreadable(error) === 'ENOENT') return undefined;
    throw new UsageError(
      `${path} can't be read (${obstacleAt(path, error)})`,
      'put right what is there, or store the key anew: petstore auth login',
      error,
    );
  }
}

/** All by one descriptor: another file may have taken the place of the one that was looked at. */
function readOwn(path: string, asker: Pick<Context, 'userId'>): string {
  const descriptor = openSync(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
  try {
    const found = fstatSync(descriptor);
    assertPlainFile(path, found);
    if (isForeignOwner(found.uid, asker)) throw foreignKeys(path, found.uid);
    if (othersHaveAccess(found.mode)) closeToOthers(descriptor);
    return readFileSync(descriptor, 'utf8')
      .replace(/^\uFEFF/, '')
      .trim();
  } finally {
    closeSync(descriptor);
  }
}

/** Whoever owns the directory of the keys can put other keys there, and read those that are. */
export function refuseForeignDirectory(path: string, asker: Pick<Context, 'userId'>): void {
  const directory = dirname(path);
  let link: Stats | undefined;
  try {
    link = lstatSync(directory, { throwIfNoEntry: false });
  } catch {
    // Whoever opens what is in it is told why that is not to be had.
  }
  for (const found of [link, lookAt(directory)])
    if (found !== undefined && isForeignOwner(found.uid, asker)) throw foreignKeys(directory, found.uid);
}

function foreignKeys(path: string, ownerId: number): UsageError {
  return new UsageError(
    `${path} belongs to another user (${String(ownerId)}), whose key may be there`,
    'remove it and store the key anew: petstore auth login; or name another directory with PETSTORE_CONFIG_DIR',
  );
}

/** Somebody, or a backup, may have opened it. Where it can't be closed, such as on a read-only disk, doctor tells. */
function closeToOthers(descriptor: number): void {
  try {
    fchmodSync(descriptor, 0o600);
  } catch {
    // It can be read all the same.
  }
}

/** Whether a key could be kept there, as far as that is plain to see. @throws UsageError where it could not. */
export function checkKeyPlace(path: string, asker: Pick<Context, 'userId'>): void {
  refuseForeignDirectory(path, asker);
  const obstacle = standingIn(path);
  if (obstacle !== undefined) throw unkept(path, obstacle);
}

/** @throws UsageError where it can't be written. */
export function writeKeyFile(path: string, key: string): void {
  try {
    ensurePrivateDirectory(dirname(path));
    writePrivateFile(path, `${key}\n`);
  } catch (error) {
    throw unkept(path, obstacleAt(path, error), error);
  }
}

function unkept(path: string, obstacle: string, cause?: unknown): UsageError {
  return new UsageError(
    `the key can't be kept in ${path} (${obstacle})`,
    'put right what is there, or name another directory with PETSTORE_CONFIG_DIR',
    cause,
  );
}

/** A process that was killed while it wrote one leaves it under another name. */
export function sweepKeyDrafts(path: string): void {
  const directory = dirname(path);
  try {
    removeDrafts(directory);
  } catch (error) {
    throw new UsageError(
      `${directory}, where a draft of a key was left, can't be cleared (${obstacleAt(path, error)})`,
      'put right what is there, then try again',
      error,
    );
  }
}

/** Whether there was one. */
export function removeKeyFile(path: string): boolean {
  try {
    if (lstatSync(path, { throwIfNoEntry: false }) === undefined) return false;
    rmSync(path);
    return true;
  } catch (error) {
    throw new UsageError(
      `${path}, where a key may be, can't be removed (${obstacleAt(path, error)})`,
      'put right what is there, then try again',
      error,
    );
  }
}

/** In words where it is plain to see, else by its code. */
function obstacleAt(path: string, error: unknown): string {
  return standingIn(path) ?? whyUnreadable(error);
}

/** What stands in the place of a file or of the directory it is in. */
function standingIn(path: string): string | undefined {
  const directory = dirname(path);
  if (lookAt(directory)?.isDirectory() === false) return `${directory} is no directory`;
  return lookAt(path)?.isDirectory() === true ? 'it is a directory' : undefined;
}

function lookAt(path: string): Stats | undefined {
  try {
    return statSync(path, { throwIfNoEntry: false });
  } catch {
    return undefined;
  }
}
