import { statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Sources } from './complete.js';
import type { Context } from '../system/context.js';
import { configPath } from '../files/paths.js';
import { readSeenPets } from './seen-pets.js';

type Place = Pick<Context, 'env' | 'homeDirectory' | 'platform' | 'currentDirectory'>;

/** What the files of the person and the project hold. What can't be read is nothing to offer, and no error at a prompt. */
export function completionSources(place: Place): Sources {
  return {
    profiles: () =>
      orNothing(async () => {
        const { readConfigFile } = await import('../config/config-files.js');
        if (isLarge(configPath(place))) return [];
        // Of a name alone nothing follows, whoever wrote it.
        return Object.keys(readConfigFile({ ...place, userId: undefined }).profiles);
      }),
    pets: () => orNothing(() => Promise.resolve(readSeenPets(place))),
    domains: () =>
      orNothing(async () => {
        const { PROJECT_FILE, readProjectFile } = await import('../config/config-files.js');
        const { currentDirectory } = place;
        if (currentDirectory !== undefined && isLarge(nearest(PROJECT_FILE, currentDirectory))) return [];
        return domainsIn(readProjectFile(currentDirectory)?.content.domains);
      }),
  };
}

/** To read half a megabyte as JSON takes longer than anybody waits at a prompt. */
const BYTES_MAX = 512 * 1_024;

function isLarge(path: string): boolean {
  return (sizeOf(path) ?? 0) > BYTES_MAX;
}

/** From the current directory upward; the one at the root where there is none. */
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
  // Whoever wrote the file may not be whoever presses the key: what is no host name is not offered.
  return domains
    .slice(0, DOMAINS_MAX)
    .filter((entry: unknown): entry is string => typeof entry === 'string' && HOST.test(entry));
}

async function orNothing<T>(look: () => Promise<readonly T[]>): Promise<readonly T[]> {
  try {
    return await look();
  } catch {
    return [];
  }
}
