import { dirname, join } from 'node:path';
import type { KeyLocation } from '../config/config-values.js';
import { editConfig, profileIn } from '../config/config-editor.js';
import type { Context } from '../../system/context.js';
import type { Keychain } from '../../system/keychain.js';
import {
  checkKeyPath,
  keyFileName,
  keysDirectory,
  readKeyFile,
  removeKeyFile,
  removeTemporaryKeys,
  writeKeyFile,
} from './key-file.js';
import { refuseUnsafeFolder } from '../../system/files/ownership.js';
import { configDirectory } from '../../system/files/paths.js';
import { resolvePath } from '../../system/files/resolve-path.js';
import { shellWord } from '../../errors/shell-word.js';
import { UsageError } from '../../errors/usage-error.js';

/** The result of removing a key. */
export interface RemovedKey {
  /** Whether there was a key. */
  removed: boolean;
  /** Why the keychain could not be used. Absent if the configuration says that the keychain holds the key: that is an error. */
  keychainProblem?: string;
}

type StorageContext = Pick<
  Context,
  'env' | 'homeDirectory' | 'platform' | 'currentDirectory' | 'userId' | 'keychain'
>;

/** The keys of profiles: in the system's keychain, or in one file per profile. */
export function storedKeys(context: StorageContext) {
  const directory = configDirectory(context);
  const pathOf = (profile: string): string => join(keysDirectory(context), keyFileName(profile));
  // All configurations of a user share one keychain. The window of the keychain shows this name.
  const accountOf = (profile: string): string => `${profile} in ${resolvePath(directory, context)}`;
  return {
    /** The path of the key file of a profile. */
    pathOf,
    /** @throws UsageError if the key can't be read. */
    find: async (profile: string, location: KeyLocation): Promise<string | undefined> =>
      location === 'file'
        ? readKeyFile(pathOf(profile), context)
        : findInKeychain(profile, accountOf(profile), await context.keychain()),
    /**
     * Fails early, before the user types a key.
     *
     * @throws UsageError if the key file can obviously not be written or replaced.
     */
    checkWritable(profile: string): void {
      checkKeyPath(pathOf(profile), context);
    },
    /**
     * Stores a key. Call it under the lock of the configuration, like the methods that remove one.
     *
     * @throws UsageError if the key can't be stored there.
     */
    async save(profile: string, key: string, location: KeyLocation): Promise<void> {
      const path = pathOf(profile);
      refuseUnsafeFolder(dirname(path), context);
      removeTemporaryKeys(path);
      if (location === 'file') {
        writeKeyFile(path, key);
        return;
      }
      try {
        await (await context.keychain()).save(accountOf(profile), key);
      } catch (error) {
        throw notStored(error);
      }
    },
    /** Removes a key. @throws UsageError if it can't be removed. */
    async remove(profile: string, location: KeyLocation): Promise<boolean> {
      if (location === 'file') return removeKeyFile(pathOf(profile));
      try {
        return await (await context.keychain()).remove(accountOf(profile));
      } catch (error) {
        throw stillInKeychain(profile, error);
      }
    },
    /**
     * Removes a key from the file and from the keychain, because both may hold one.
     *
     * @param location where the configuration says that the key is.
     * @throws UsageError if the file can't be removed, or the keychain at `location` can't be used.
     */
    async removeAll(profile: string, location: KeyLocation | undefined): Promise<RemovedKey> {
      const path = pathOf(profile);
      refuseUnsafeFolder(dirname(path), context);
      removeTemporaryKeys(path);
      const wasInFile = removeKeyFile(path);
      try {
        const wasInKeychain = await (await context.keychain()).remove(accountOf(profile));
        return { removed: wasInFile || wasInKeychain };
      } catch (error) {
        if (location === 'keychain') throw stillInKeychain(profile, error);
        return { removed: wasInFile, keychainProblem: reasonOf(error) };
      }
    },
  };
}

/** Removes a copy of a key, unless another process has stored the key of the profile there in the meantime. */
export async function removeUnusedKey(
  profile: string,
  location: KeyLocation,
  context: StorageContext & Pick<Context, 'clock'>,
): Promise<void> {
  await editConfig(context, async (draft) => {
    if (profileIn(draft, profile)?.keyIn === location) return;
    await storedKeys(context).remove(profile, location);
  });
}

/** The error if the keychain can't keep a key. Nothing was stored. */
export function notStored(error: unknown): UsageError {
  return new UsageError(
    `The key can't be stored in the keychain: ${reasonOf(error)}`,
    'Unlock the keychain and try again, or store a key in a file with "petstore auth login --insecure-storage".',
    error,
  );
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

/** Why the keychain can't be used. */
export function reasonOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
