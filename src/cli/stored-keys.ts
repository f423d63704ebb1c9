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
import type { KeyPlace } from './config-files.js';
import type { Context } from './context.js';
import { refuseUnfit } from '../plain-file.js';
import { isForeign, othersCanReach } from './file-owner.js';
import { type Keychain, UnansweredError } from './keychain.js';
import { configDirectory, type Home } from './places.js';
import { ensurePrivateDirectory, removeDrafts, writePrivateFile } from './private-file.js';
import { whyUnread } from './regular-file.js';
import { shellWord } from './shell-word.js';
import { resolvePath } from './resolve-path.js';
import { UsageError } from './usage-error.js';

/** What was done with a key. */
export interface SavedKey {
  place: KeyPlace;
  /** Of the file. */
  path?: string;
  /** Why the keychain was not used, where it was not. */
  reason?: string;
  /** Whether the keychain may hold a key of this profile all the same, and keeps it. */
  mayRemain?: boolean;
}

/** What came of a removal. */
export interface RemovedKey {
  /** Whether there was one. */
  removed: boolean;
  /** Why the keychain could not be asked, where nothing says that it holds the key. */
  unasked?: string;
}

type Place = Pick<Context, 'env' | 'homeDirectory' | 'platform' | 'currentDirectory' | 'userId'>;

/** The keys of profiles, in the system's keychain or, where that can't be used, in a file for each that its owner alone reads. */
export interface StoredKeys {
  /** @throws UsageError where it should be there and can't be read. */
  find(profile: string, place: KeyPlace): Promise<string | undefined>;
  /**
   * For whoever has much to do before a key is saved.
   *
   * @throws UsageError where it can be seen that neither a file can be written there, nor an old one removed.
   */
  checkPlace(profile: string): void;
  /**
   * To be done under the lock of the configuration, as `remove` is.
   *
   * @param before where the configuration says that the old one is.
   * @throws UsageError where neither place takes it, or a file keeps the old one.
   */
  save(profile: string, key: string, before?: KeyPlace): Promise<SavedKey>;
  /**
   * Takes it out of both places: an older one may have stayed in the other.
   *
   * @param place where the configuration says that it is.
   * @throws UsageError where a file keeps it, or the keychain keeps what is said to be there.
   */
  remove(profile: string, place: KeyPlace | undefined): Promise<RemovedKey>;
  /** Of the file that a key would be in. */
  pathOf(profile: string): string;
}

export function storedKeys(context: Place, keychain: () => Promise<Keychain>): StoredKeys {
  const directory = configDirectory(context);
  const pathOf = (profile: string): string => join(keysDirectory(context), keyFileName(profile));
  // All of a user's configurations share one keychain, whose own window shows this name.
  const accountOf = (profile: string): string => `${profile} in ${resolvePath(directory, context)}`;
  return {
    pathOf,
    find: async (profile, place) =>
      place === 'file'
        ? readKeyFile(pathOf(profile), context)
        : findInKeychain(profile, accountOf(profile), await keychain()),
    checkPlace(profile) {
      const path = pathOf(profile);
      refuseForeignDirectory(path, context);
      const obstacle = standingIn(path);
      if (obstacle !== undefined) throw unkept(path, obstacle);
    },
    async save(profile, key, before) {
      const path = pathOf(profile);
      const account = accountOf(profile);
      refuseForeignDirectory(path, context);
      sweepKeyDrafts(path);
      try {
        await (await keychain()).save(account, key);
      } catch (error) {
        writeKeyFile(path, key);
        const mayBeThere = before === 'keychain' || error instanceof UnansweredError;
        const mayRemain = !(await isRemoved(account, keychain)) && mayBeThere;
        return { place: 'file', path, reason: reasonOf(error), ...(mayRemain ? { mayRemain } : {}) };
      }
      removeKeyFile(path);
      return { place: 'keychain' };
    },
    async remove(profile, place) {
      const path = pathOf(profile);
      refuseForeignDirectory(path, context);
      sweepKeyDrafts(path);
      const wasInFile = removeKeyFile(path);
      try {
        const wasInKeychain = await (await keychain()).remove(accountOf(profile));
        return { removed: wasInFile || wasInKeychain };
      } catch (error) {
        if (place === 'keychain') throw stillInKeychain(profile, error);
        return { removed: wasInFile, unasked: reasonOf(error) };
      }
    },
  };
}

/** Where the files of keys are. */
export function keysDirectory(context: Home): string {
  return join(configDirectory(context), 'keys');
}

/** What such files are called, and drafts of them that a process which was killed leaves. */
export const KEY_FILE = /\.key$|^\.\d+\.\d+\.tmp$/;

/** What the file for the key of a profile is called, whatever the profile is called. */
export function keyFileName(profile: string): string {
  // Half of a surrogate pair, which JSON may hold, can't be encoded.
  return `${encodeURIComponent(profile.replace(/\p{Surrogate}/gu, '\uFFFD'))}.key`;
}

async function findInKeychain(
  profile: string,
  account: string,
  keychain: Keychain,
): Promise<string | undefined> {
  try {
    return await keychain.find(account);
  } catch (error) {
    throw new UsageError(
      `the keychain, which holds the key of profile ${profile}, can't be read: ${reasonOf(error)}`,
      `unlock it, set PETSTORE_API_KEY, or store the key anew: petstore auth login --profile ${shellWord(profile)}`,
      error,
    );
  }
}

function stillInKeychain(profile: string, error: unknown): UsageError {
  return new UsageError(
    `the keychain, which holds the key of profile ${profile}, keeps it: ${reasonOf(error)}`,
    'unlock it and try again',
    error,
  );
}

/** Whether the keychain is sure to hold none. */
async function isRemoved(account: string, keychain: () => Promise<Keychain>): Promise<boolean> {
  try {
    await (await keychain()).remove(account);
    return true;
  } catch {
    return false;
  }
}

function readKeyFile(path: string, asker: Pick<Context, 'userId'>): string | undefined {
  try {
    refuseForeignDirectory(path, asker);
    const found = lstatSync(path);
    // What a link leads to is not this program's to read, nor to close.
    if (found.isSymbolicLink())
      throw new UsageError(`${path} is a link`, 'put the key itself there: petstore auth login');
    refuseUnfit(path, found);
    return readOwn(path, asker);
  } catch (error) {
    if (error instanceof UsageError) throw error;
    if (whyUnread(error) === 'ENOENT') return undefined;
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
    refuseUnfit(path, found);
    if (isForeign(found.uid, asker)) throw foreignKeys(path, found.uid);
    if (othersCanReach(found.mode)) closeToOthers(descriptor);
    return readFileSync(descriptor, 'utf8')
      .replace(/^\uFEFF/, '')
      .trim();
  } finally {
    closeSync(descriptor);
  }
}

/** Whoever owns the directory of the keys can put other keys there, and read those that are. */
function refuseForeignDirectory(path: string, asker: Pick<Context, 'userId'>): void {
  const directory = dirname(path);
  let link: Stats | undefined;
  try {
    link = lstatSync(directory, { throwIfNoEntry: false });
  } catch {
    // Whoever opens what is in it is told why that is not to be had.
  }
  for (const found of [link, lookAt(directory)])
    if (found !== undefined && isForeign(found.uid, asker)) throw foreignKeys(directory, found.uid);
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

function writeKeyFile(path: string, key: string): void {
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
function sweepKeyDrafts(path: string): void {
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
function removeKeyFile(path: string): boolean {
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
  return standingIn(path) ?? whyUnread(error);
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

function reasonOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
