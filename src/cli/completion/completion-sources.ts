import { statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Sources } from './complete.js';
import type { Context } from '../system/context.js';
import { configPath } from '../files/paths.js';
import { readSeenPets } from './seen-pets.js';

type Location = Pick<Context, 'env' | 'homeDirectory' | 'platform' | 'currentDirectory'>;

/** Reads candidates from the user's and the project's files. Unreadable files offer nothing: a prompt must show no errors. */
export function completionSources(location: Location): Sources {
  return {
    profiles: () =>
      orEmpty(async () => {
        const { readConfigFile } = await import('../config/config-files.js');
        if (isLarge(configPath(location))) return [];
        // The owner of the file does not matter: only names are offered.
        return Object.keys(readConfigFile({ ...location, userId: undefined }).profiles);
      }),
    pets: () => orEmpty(() => Promise.resolve(readSeenPets(location))),
    domains: () =>
      orEmpty(async () => {
        const { PROJECT_FILE, readProjectFile } = await import('../config/config-files.js');
        const { currentDirectory } = location;
        if (currentDirectory !== undefined && isLarge(nearest(PROJECT_FILE, currentDirectory))) return [];
        return domainsIn(readProjectFile(currentDirectory)?.content.domains);
      }),
  };
}

/** Larger files would take too long at a prompt. */
const BYTES_MAX = 512 * 1_024;

function isLarge(path: string): boolean {
  return (sizeOf(path) ?? 0) > BYTES_MAX;
}

/** Finds the file from the directory upward. @returns the path at the root if there is none. */
function nearest(name: string, directory: string): string {
  const path = join(directory, name);
  const parent = dirname(directory);
  return sizeOf(path) !== undefined || parent === directory ? path : nearest(name, parent);
}

function sizeOf(path: string): number | undefined {
  return statSync(path, { throwIfNoEntry: false })?.size;
}

const DOMAINS_MAX = 1_000;
const HOST = /^[\p{L}\p{N}][\p{L}\p{N}\p{M}.-]{0,252}$/u;

function domainsIn(domains: unknown): string[] {
  if (!Array.isArray(domains)) return [];
  // Another user may have written the file: only host names are offered.
  return domains
    .slice(0, DOMAINS_MAX)
    .filter((entry: unknown): entry is string => typeof entry === 'string' && HOST.test(entry));
}

async function orEmpty<T>(read: () => Promise<readonly T[]>): Promise<readonly T[]> {
  try {
    return await read();
  } catch {
    return [];
  }
}
