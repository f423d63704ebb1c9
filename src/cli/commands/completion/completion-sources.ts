import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Sources } from './complete.js';
import type { Context } from '../../system/context.js';
import { configPath } from '../../system/files/paths.js';
import { readPrivateFile, readRegularFile } from '../../system/files/safe-file.js';
import { readSeenPets } from './seen-pets.js';

type Location = Pick<Context, 'env' | 'homeDirectory' | 'platform' | 'currentDirectory'>;

/**
 * Reads candidates from the user's and the project's files. Ignores unreadable files, because a shell prompt must show no
 * errors. Does not validate the files: loading the schema would take longer than the rest of the completion.
 */
export function completionSources(location: Location): Sources {
  return {
    profiles: () =>
      orEmpty(() =>
        Object.keys(memberOf(readPrivateFile(configPath(location), BYTES_MAX), 'profiles') ?? {}),
      ),
    pets: () => orEmpty(() => readSeenPets(location)),
    domains: () =>
      orEmpty(() => {
        const { currentDirectory } = location;
        return currentDirectory === undefined
          ? []
          : domainsIn(
              memberOf(readRegularFile(nearestProject(currentDirectory), { bytesMax: BYTES_MAX }), 'domains'),
            );
      }),
  };
}

/** Larger files would take too long at a prompt. */
const BYTES_MAX = 512 * 1_024;
const PROJECT_FILE = 'petstore.config.json';

function memberOf(text: string, name: string): object | undefined {
  const content: unknown = JSON.parse(text);
  if (typeof content !== 'object' || content === null || !Object.hasOwn(content, name)) return undefined;
  const member: unknown = Reflect.get(content, name);
  return typeof member === 'object' && member !== null ? member : undefined;
}

/** Finds the file from the directory upward. @returns the path at the root if no directory has the file. */
function nearestProject(directory: string): string {
  const path = join(directory, PROJECT_FILE);
  const parent = dirname(directory);
  return existsSync(path) || parent === directory ? path : nearestProject(parent);
}

const DOMAINS_MAX = 1_000;
const HOST = /^[\p{L}\p{N}][\p{L}\p{N}\p{M}.-]{0,252}$/u;

function domainsIn(domains: unknown): string[] {
  if (!Array.isArray(domains)) return [];
  // Another user may have written the file, so only host names are offered.
  return domains
    .slice(0, DOMAINS_MAX)
    .filter((entry: unknown): entry is string => typeof entry === 'string' && HOST.test(entry));
}

function orEmpty<T>(read: () => readonly T[]): Promise<readonly T[]> {
  try {
    return Promise.resolve(read());
  } catch {
    return Promise.resolve([]);
  }
}
