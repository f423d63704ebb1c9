import { join } from 'node:path';
import type { KeyLocation } from '../config/config-values.js';
import type { Context } from '../system/context.js';
import { type Keychain, KeychainNoResponseError } from '../system/keychain.js';
import {
  checkKeyPath,
  keyFileName,
  keysDirectory,
  readKeyFile,
  refuseForeignDirectory,
  removeKeyFile,
  removeTemporaryKeys,
  writeKeyFile,
} from './key-file.js';
import { configDirectory } from '../files/paths.js';
import { resolvePath } from '../files/resolve-path.js';
import { shellWord } from '../text/shell-word.js';
import { UsageError } from '../errors/usage-error.js';

/** The result of storing a key. */
export interface SavedKey {
  location: KeyLocation;
  /** The path, if the key is in a file. */
  path?: string;
  /** Why the keychain was not used. */
  reason?: string;
  /** Whether the keychain may still hold a key of this profile. */
  mayRemain?: boolean;
}

/** The result of removing a key. */
export interface RemovedKey {
  /** Whether there was a key. */
  removed: boolean;
  /** Why the keychain could not be used. Absent if the configuration says that the keychain holds the key: that is an error. */
  keychainProblem?: string;
}

type StorageContext = Pick<Context, 'env' | 'homeDirectory' | 'platform' | 'currentDirectory' | 'userId'>;

/** The keys of profiles: in the system's keychain, or in one file per profile if the keychain can't be used. */
export interface StoredKeys {
  /** @throws UsageError if the key can't be read. */
  find(profile: string, location: KeyLocation): Promise<string | undefined>;
  /**
   * Fails early, before the user types a key.
   *
   * @throws UsageError if the key file can obviously not be written or replaced.
   */
  checkWritable(profile: string): void;
  /**
   * Stores a key. Call it under the lock of the configuration, like `remove`.
   *
   * @param before where the configuration says that the old key is.
   * @throws UsageError if the key can't be stored, or an old key file can't be removed.
   */
  save(profile: string, key: string, before?: KeyLocation): Promise<SavedKey>;
  /**
   * Removes a key from the file and from the keychain, because both may hold one.
   *
   * @param location where the configuration says that the key is.
   * @throws UsageError if the file can't be removed, or the keychain at `location` can't be used.
   */
  remove(profile: string, location: KeyLocation | undefined): Promise<RemovedKey>;
  /** The path of the key file of a profile. */
  pathOf(profile: string): string;
}

export function storedKeys(context: StorageContext, keychain: () => Promise<Keychain>): StoredKeys {
  const directory = configDirectory(context);
  const pathOf = (profile: string): string => join(keysDirectory(context), keyFileName(profile));
  // All configurations of a user share one keychain. The window of the keychain shows this name.
  const accountOf = (profile: string): string => `${profile} in ${resolvePath(directory, context)}`;
  return {
    pathOf,
    find: async (profile, location) =>
      location === 'file'
        ? readKeyFile(pathOf(profile), context)
        : findInKeychain(profile, accountOf(profile), await keychain()),
    checkWritable(profile) {
      checkKeyPath(pathOf(profile), context);
    },
    async save(profile, key, before) {
      const path = pathOf(profile);
      const account = accountOf(profile);
      refuseForeignDirectory(path, context);
      removeTemporaryKeys(path);
      try {
        await (await keychain()).save(account, key);
      } catch (error) {
        writeKeyFile(path, key);
        const mayHoldOne = before === 'keychain' || error instanceof KeychainNoResponseError;
        const mayRemain = !(await isRemoved(account, keychain)) && mayHoldOne;
        return { location: 'file', path, reason: reasonOf(error), ...(mayRemain ? { mayRemain } : {}) };
      }
      removeKeyFile(path);
      return { location: 'keychain' };
    },
    async remove(profile, location) {
      const path = pathOf(profile);
      refuseForeignDirectory(path, context);
      removeTemporaryKeys(path);
      const wasInFile = removeKeyFile(path);
      try {
        const wasInKeychain = await (await keychain()).remove(accountOf(profile));
        return { removed: wasInFile || wasInKeychain };
      } catch (error) {
        if (location === 'keychain') throw stillInKeychain(profile, error);
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
      `The key of profile ${profile} can't be read from the keychain: ${reasonOf(error)}`,
      `Unlock the keychain, set PETSTORE_API_KEY, or run "petstore auth login --profile ${shellWord(profile)}".`,
      error,
    );
  }
}

function stillInKeychain(profile: string, error: unknown): UsageError {
  return new UsageError(
    `The key of profile ${profile} can't be removed from the keychain: ${reasonOf(error)}`,
    'Unlock the keychain and try again.',
    error,
  );
}

/** Whether the keychain certainly holds no key of this account. */
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
