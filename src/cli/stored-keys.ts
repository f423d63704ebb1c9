import { chmodSync, lstatSync, rmSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { configDirectory, type KeyPlace } from './config-files.js';
import type { Context } from './context.js';
import type { Keychain } from './keychain.js';
import { ensurePrivateDirectory, writePrivateFile } from './private-file.js';
import { readRegularFile, whyUnread } from './regular-file.js';
import { UsageError } from './usage-error.js';

/** What was done with a key. */
export interface SavedKey {
  place: KeyPlace;
  /** Of the file. */
  path?: string;
  /** Why the keychain was not used, where it was not. */
  reason?: string;
}

type Place = Pick<Context, 'env' | 'homeDirectory' | 'platform'>;

/** The keys of profiles, in the system's keychain or, where that can't be used, in a file for each that its owner alone reads. */
export interface StoredKeys {
  /** @throws UsageError where it should be there and can't be read. */
  find(profile: string, place: KeyPlace): Promise<string | undefined>;
  save(profile: string, key: string): Promise<SavedKey>;
  /**
   * Takes it out of the file, and out of the keychain where it is said to be there. Whether there was one.
   *
   * @throws UsageError where the keychain keeps it.
   */
  remove(profile: string, place: KeyPlace | undefined): Promise<boolean>;
  /** Of the file that a key would be in. */
  pathOf(profile: string): string;
}

export function storedKeys(context: Place, keychain: () => Promise<Keychain>): StoredKeys {
  const pathOf = (profile: string): string =>
    join(configDirectory(context), 'keys', `${encodeURIComponent(profile)}.key`);
  return {
    pathOf,
    find: async (profile, place) =>
      place === 'file' ? readKeyFile(pathOf(profile)) : findInKeychain(profile, await keychain()),
    async save(profile, key) {
      const path = pathOf(profile);
      try {
        await (await keychain()).save(profile, key);
        rmSync(path, { force: true });
        return { place: 'keychain' };
      } catch (error) {
        ensurePrivateDirectory(dirname(path));
        writePrivateFile(path, `${key}\n`);
        return { place: 'file', path, reason: reasonOf(error) };
      }
    },
    async remove(profile, place) {
      const wasInKeychain = place === 'keychain' && (await removeFromKeychain(profile, await keychain()));
      const path = pathOf(profile);
      const wasInFile = exists(path);
      rmSync(path, { force: true });
      return wasInFile || wasInKeychain;
    },
  };
}

async function findInKeychain(profile: string, keychain: Keychain): Promise<string | undefined> {
  try {
    return await keychain.find(profile);
  } catch (error) {
    throw new UsageError(
      `the keychain, which holds the key of profile ${profile}, can't be read: ${reasonOf(error)}`,
      `unlock it, set PETSTORE_API_KEY, or store the key anew: petstore auth login --profile ${profile}`,
      error,
    );
  }
}

async function removeFromKeychain(profile: string, keychain: Keychain): Promise<boolean> {
  try {
    return await keychain.remove(profile);
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
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined;
    throw new UsageError(
      `${path} can't be read (${whyUnread(error)})`,
      'check the file and its owner',
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

function exists(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false }) !== undefined;
}

function reasonOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
