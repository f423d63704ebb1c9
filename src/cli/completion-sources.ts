import { readFileSync } from 'node:fs';
import type { Sources } from './complete.js';
import type { Context } from './context.js';
import { seenPets } from './seen-pets.js';

type Place = Pick<Context, 'env' | 'homeDirectory' | 'platform' | 'currentDirectory'>;

/** What the files of the person and the project hold. What can't be read is nothing to offer, and no error at a prompt. */
export function completionSources(place: Place): Sources {
  return {
    profiles: () =>
      orNothing(async () => {
        const { readConfigFile } = await import('./config-files.js');
        return Object.keys(readConfigFile(place).profiles);
      }),
    pets: () => orNothing(() => Promise.resolve(seenPets(place))),
    domains: () =>
      orNothing(async () => {
        const { readProjectFile } = await import('./config-files.js');
        const path = readProjectFile(place.currentDirectory)?.path;
        return path === undefined ? [] : domainsIn(readFileSync(path, 'utf8'));
      }),
  };
}

const DOMAINS_MAX = 1_000;
const HOST = /^[\p{L}\p{N}][\p{L}\p{N}\p{M}.-]{0,252}$/u;

function domainsIn(text: string): string[] {
  const { domains } = JSON.parse(text.replace(/^\uFEFF/, '')) as { domains?: unknown };
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
