import { chmodSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { configDirectory, type KeyPlace } from './config-files.js';
import type { Context } from './context.js';
import type { Keychain } from './keychain.js';
import { writePrivateFile } from './private-file.js';
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
  /** Takes it out of both places. Whether there was one. */
  remove(profile: string): Promise<boolean>;
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
        writePrivateFile(path, `${key}\n`);
        return { place: 'file', path, reason: reasonOf(error) };
      }
    },
    async remove(profile) {
      const path = pathOf(profile);
      const wasInFile = exists(path);
      rmSync(path, { force: true });
      const wasInKeychain = await (await keychain()).remove(profile).catch(() => false);
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

function readKeyFile(path: string): string | undefined {
  try {
    // Somebody, or a backup, may have opened it.
    if ((statSync(path).mode & 0o077) !== 0) chmodSync(path, 0o600);
    return readRegularFile(path).trim();
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined;
    throw new UsageError(
      `${path} can't be read (${whyUnread(error)})`,
      'check the file and its owner',
      error,
    );
  }
}

function exists(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false }) !== undefined;
}

function reasonOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
