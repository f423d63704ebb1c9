import { statSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import type { ConfigDraft, ConfigLock, ProfileDraft } from '../config/config-editor.js';
import { type Context, Interruption } from '../../system/context.js';
import {
  checkKeyPath,
  findKeyFiles,
  keysDirectory,
  readKeyFile,
  removeKeyFile,
  writeKeyFile,
} from './key-file.js';
import { keychainAccount, keyFileName, type KeyPlace, keyPlaceOf } from './key-place.js';
import { refuseUnsafeFolder } from '../../system/files/ownership.js';
import { configDirectory } from '../../system/files/paths.js';
import { resolvePath } from '../../system/files/resolve-path.js';
import { LockLostError } from '../../../security/locked-file.js';
import { shellWord } from '../../errors/shell-word.js';
import { UsageError } from '../../errors/usage-error.js';

type StorageContext = Pick<
  Context,
  'env' | 'homeDirectory' | 'platform' | 'currentDirectory' | 'userId' | 'keychain'
>;

/** What became of the keys that no profile uses. */
export interface UnusedKeys {
  /** Paths of the files that were removed. */
  removed: readonly string[];
  /** Why a key is still there, for people. The next edit of a profile tries again. */
  problem?: string;
}

/** The keys of profiles: in the system's keychain, or in one file each. */
export function storedKeys(context: StorageContext) {
  const directory = resolvePath(configDirectory(context), context);
  const pathOf = (place: KeyPlace): string => join(keysDirectory(context), keyFileName(place));
  const findUnused = (profiles: ConfigDraft['profiles']): string[] => unusedFiles(profiles, pathOf, context);

  /** Opens the keychain for a change. It has no lock of its own. @throws LockLostError */
  async function openToChange(lock: ConfigLock): ReturnType<StorageContext['keychain']> {
    const keychain = await context.keychain();
    lock.files.assertHeld();
    return keychain;
  }

  /** Removes the entry of the keychain, then the file that names it. */
  async function removeFromKeychain(path: string, account: string, lock: ConfigLock): Promise<boolean> {
    const isRemoved = account !== '' && (await (await openToChange(lock)).remove(account));
    removeKeyFile(path, lock);
    return isRemoved;
  }

  return {
    /** The path of the file of a key. For a key in the keychain, of the file that names its entry. */
    pathOf,
    /** @throws UsageError if the key can't be read. */
    find: async (place: KeyPlace): Promise<string | undefined> =>
      place.location === 'file'
        ? readKeyFile(pathOf(place), context)
        : findInKeychain(place.profile, keychainAccount(place, directory), await context.keychain()),
    /**
     * Fails early, before the user types a key.
     *
     * @throws UsageError if the key file can obviously not be written or replaced.
     */
    checkWritable(profile: string): void {
      checkKeyPath(pathOf({ profile, location: 'file' }), context);
    },
    /**
     * Stores a key.
     *
     * @throws UsageError if the key can't be stored there.
     */
    async save(place: KeyPlace, key: string, lock: ConfigLock): Promise<void> {
      const path = pathOf(place);
      refuseUnsafeFolder(dirname(path), context);
      if (place.location === 'file') {
        writeKeyFile(path, key, lock);
        return;
      }
      const account = keychainAccount(place, directory);
      // Before the entry exists: if this process is killed, the next edit of a profile finds the entry.
      writeKeyFile(path, account, lock);
      try {
        await (await openToChange(lock)).save(account, key);
      } catch (error) {
        if (error instanceof LockLostError) throw error;
        throw notStored(error);
      }
    },
    /**
     * Removes a key.
     *
     * @returns whether there was a key.
     * @throws UsageError if it can't be removed.
     */
    async remove(place: KeyPlace, lock: ConfigLock): Promise<boolean> {
      const path = pathOf(place);
      refuseUnsafeFolder(dirname(path), context);
      if (place.location === 'file') return removeKeyFile(path, lock);
      try {
        return await removeFromKeychain(path, keychainAccount(place, directory), lock);
      } catch (error) {
        if (error instanceof LockLostError) throw error;
        throw stillInKeychain(place.profile, error);
      }
    },
    /**
     * Names the entry of the keychain in a file, if an earlier version stored the key there. So the entry is found when no
     * profile uses it any more.
     */
    nameEarlierEntry(profile: string, entry: ProfileDraft | undefined, lock: ConfigLock): void {
      const place = keyPlaceOf(profile, entry);
      if (place?.location === 'keychain' && place.origin === undefined)
        writeKeyFile(pathOf(place), keychainAccount(place, directory), lock);
    },
    /** Finds the files of keys that no profile uses, such as those of a process that was killed. */
    findUnused,
    /**
     * Removes the keys that no profile uses. Call it when the configuration is on the disk.
     *
     * @param hasKeychain whether to use the keychain. Default: true.
     */
    async removeUnused(lock: ConfigLock, hasKeychain = true): Promise<UnusedKeys> {
      const removed: string[] = [];
      let problem: string | undefined;
      for (const path of findUnused(lock.draft.profiles)) {
        const isInKeychain = path.endsWith('.keychain');
        try {
          if (!isInKeychain) removeKeyFile(path, lock);
          else if (hasKeychain) await removeFromKeychain(path, readKeyFile(path, context) ?? '', lock);
          else throw new Error('not tried again');
          removed.push(path);
        } catch (error) {
          if (error instanceof Interruption) throw error;
          // The configuration is written. The process that took over removes the others.
          if (error instanceof LockLostError) break;
          problem = isInKeychain
            ? `The keychain may still hold an older key (${reasonOf(error)}). Log in or out again when it can be used.`
            : reasonOf(error);
        }
      }
      return { removed, ...(problem === undefined ? {} : { problem }) };
    },
  };
}

/** Compares files, not names: file systems of macOS and Windows ignore the case of names. */
function unusedFiles(
  profiles: ConfigDraft['profiles'] = {},
  pathOf: (place: KeyPlace) => string,
  context: StorageContext,
): string[] {
  const files = findKeyFiles(context);
  if (files.length === 0) return files;
  refuseUnsafeFolder(keysDirectory(context), context);
  const used = Object.entries(profiles).flatMap(([profile, entry]) => {
    const place = keyPlaceOf(profile, entry);
    return place === undefined ? [] : [pathOf(place)];
  });
  const names = new Set(used.map((path) => basename(path)));
  const usedFiles = new Set(used.map(fileId).filter((id) => id !== undefined));
  return files.filter((path) => !names.has(basename(path)) && !usedFiles.has(fileId(path) ?? ''));
}

/** Identifies the file at a path; `undefined` if there is none. */
function fileId(path: string): string | undefined {
  const found = statSync(path, { bigint: true, throwIfNoEntry: false });
  return found === undefined ? undefined : `${String(found.dev)} ${String(found.ino)}`;
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
  keychain: Awaited<ReturnType<Context['keychain']>>,
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
