import { join } from 'node:path';
import type { KeyLocation } from '../config/config-files.js';
import type { Context } from '../system/context.js';
import { type Keychain, KeychainNoResponseError } from '../system/keychain.js';
import {
  checkKeyPlace,
  keyFileName,
  keysDirectory,
  readKeyFile,
  refuseForeignDirectory,
  removeKeyFile,
  sweepKeyDrafts,
  writeKeyFile,
} from './key-file.js';
import { configDirectory } from '../files/paths.js';
import { resolvePath } from '../files/resolve-path.js';
import { shellWord } from '../text/shell-word.js';
import { UsageError } from '../errors/usage-error.js';

/** What was done with a key. */
export interface SavedKey {
  location: KeyLocation;
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
  keychainProblem?: string;
}

type Place = Pick<Context, 'env' | 'homeDirectory' | 'platform' | 'currentDirectory' | 'userId'>;

/** The keys of profiles, in the system's keychain or, where that can't be used, in a file for each that its owner alone reads. */
export interface StoredKeys {
  /** @throws UsageError where it should be there and can't be read. */
  find(profile: string, place: KeyLocation): Promise<string | undefined>;
  /**
   * For whoever has much to do before a key is saved.
   *
   * @throws UsageError where it can be seen that neither a file can be written there, nor an old one removed.
   */
  checkWritable(profile: string): void;
  /**
   * To be done under the lock of the configuration, as `remove` is.
   *
   * @param before where the configuration says that the old one is.
   * @throws UsageError where neither place takes it, or a file keeps the old one.
   */
  save(profile: string, key: string, before?: KeyLocation): Promise<SavedKey>;
  /**
   * Takes it out of both places: an older one may have stayed in the other.
   *
   * @param place where the configuration says that it is.
   * @throws UsageError where a file keeps it, or the keychain keeps what is said to be there.
   */
  remove(profile: string, place: KeyLocation | undefined): Promise<RemovedKey>;
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
    checkWritable(profile) {
      checkKeyPlace(pathOf(profile), context);
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
        const mayBeThere = before === 'keychain' || error instanceof KeychainNoResponseError;
        const mayRemain = !(await isRemoved(account, keychain)) && mayBeThere;
        return { location: 'file', path, reason: reasonOf(error), ...(mayRemain ? { mayRemain } : {}) };
      }
      removeKeyFile(path);
      return { location: 'keychain' };
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
        return { removed: wasInFile, keychainProblem: reasonOf(error) };
      }
    },
  };
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

function reasonOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
