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
    hosts: (kind) => orEmpty(() => projectHosts(kind, location)),
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

type HostKind = Parameters<Sources['hosts']>[0];

const HOSTS_MAX = 1_000;
const HOST = /^[\p{L}\p{N}][\p{L}\p{N}\p{M}.-]{0,252}$/u;

function projectHosts(kind: HostKind, { currentDirectory }: Location): string[] {
  if (currentDirectory === undefined) return [];
  const text = readRegularFile(nearestProject(currentDirectory), { bytesMax: BYTES_MAX });
  const entries = memberOf(text, kind === 'domain' ? 'domains' : 'redirects');
  if (!Array.isArray(entries)) return [];
  // Another user may have written the file, so only host names are offered.
  return entries
    .slice(0, HOSTS_MAX)
    .map((entry: unknown) => (kind === 'domain' ? entry : (entry as { from?: unknown } | null)?.from))
    .filter((host): host is string => typeof host === 'string' && HOST.test(host));
}

function orEmpty<T>(read: () => readonly T[]): Promise<readonly T[]> {
  try {
    return Promise.resolve(read());
  } catch {
    return Promise.resolve([]);
  }
}
