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

function domainsIn(text: string): string[] {
  const { domains } = JSON.parse(text.replace(/^\uFEFF/, '')) as { domains?: unknown };
  return Array.isArray(domains) ? domains.filter((entry) => typeof entry === 'string') : [];
}

async function orNothing<T>(look: () => Promise<readonly T[]>): Promise<readonly T[]> {
  try {
    return await look();
  } catch {
    return [];
  }
}
