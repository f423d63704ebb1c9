import { chmodSync, lstatSync, rmSync, type Stats, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { configDirectory, type KeyPlace } from './config-files.js';
import type { Context } from './context.js';
import type { Keychain } from './keychain.js';
import { ensurePrivateDirectory, writePrivateFile } from './private-file.js';
import { readRegularFile, whyUnread } from './regular-file.js';
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
}

type Place = Pick<Context, 'env' | 'homeDirectory' | 'platform' | 'currentDirectory'>;

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
  /** @throws UsageError where neither place takes it, or a file keeps the old one. */
  save(profile: string, key: string): Promise<SavedKey>;
  /**
   * Takes it out of the file, and out of the keychain where it is said to be there. Whether there was one.
   *
   * @throws UsageError where one of the two keeps it.
   */
  remove(profile: string, place: KeyPlace | undefined): Promise<boolean>;
  /** Of the file that a key would be in. */
  pathOf(profile: string): string;
}

export function storedKeys(context: Place, keychain: () => Promise<Keychain>): StoredKeys {
  const directory = configDirectory(context);
  const pathOf = (profile: string): string => join(directory, 'keys', keyFileName(profile));
  // All of a user's configurations share one keychain, whose own window shows this name.
  const accountOf = (profile: string): string => `${profile} in ${resolvePath(directory, context)}`;
  return {
    pathOf,
    find: async (profile, place) =>
      place === 'file'
        ? readKeyFile(pathOf(profile))
        : findInKeychain(profile, accountOf(profile), await keychain()),
    checkPlace(profile) {
      const path = pathOf(profile);
      const obstacle = standingIn(path);
      if (obstacle !== undefined) throw unkept(path, obstacle);
    },
    async save(profile, key) {
      const path = pathOf(profile);
      try {
        await (await keychain()).save(accountOf(profile), key);
      } catch (error) {
        writeKeyFile(path, key);
        return { place: 'file', path, reason: reasonOf(error) };
      }
      removeKeyFile(path);
      return { place: 'keychain' };
    },
    async remove(profile, place) {
      const wasInKeychain =
        place === 'keychain' && (await removeFromKeychain(profile, accountOf(profile), await keychain()));
      const wasInFile = removeKeyFile(pathOf(profile));
      return wasInFile || wasInKeychain;
    },
  };
}

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

async function removeFromKeychain(profile: string, account: string, keychain: Keychain): Promise<boolean> {
  try {
    return await keychain.remove(account);
  } catch (error) {
    throw new UsageError(
      `the keychain, which holds the key of profile ${profile}, keeps it: ${reasonOf(error)}`,
      'unlock it and try again',
      error,
    );
  }
}

function readKeyFile(path: string): string | undefined {
  try {
    const found = lstatSync(path);
    // What a link leads to is not this program's to read, nor to close.
    if (found.isSymbolicLink())
      throw new UsageError(`${path} is a link`, 'put the key itself there: petstore auth login');
    if (found.isFile() && (found.mode & 0o077) !== 0) closeToOthers(path);
    return readRegularFile(path).trim();
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

/** Somebody, or a backup, may have opened it. Where it can't be closed, such as on a read-only disk, doctor tells. */
function closeToOthers(path: string): void {
  try {
    chmodSync(path, 0o600);
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
