import { join } from 'node:path';
import type { Candidate } from './complete.js';
import { type PathContext, stateDirectory } from '../files/paths.js';
import { writePrivateFile } from '../files/private-file.js';
import { readRegularFile } from '../files/regular-file.js';
import { redactKey } from '../credentials/redaction.js';

/** As many as fit on a screen with some choice. */
const PETS_MAX = 100;
const NAME_MAX = 40;
/** More than so many names can take. */
const BYTES_MAX = 2 ** 16;

/**
 * Keeps the ids that were shown last, so that a shell can offer them, each with its name, without the key that a service
 * may have said in it. Costs no command anything that can't be kept.
 */
export function storeSeenPets(
  pets: readonly { id: bigint; name: string }[],
  place: PathContext & Parameters<typeof redactKey>[1],
): void {
  if (pets.length === 0) return;
  const lines = pets
    .slice(0, PETS_MAX)
    // Cut last: half of a key would not be found.
    .map(({ id, name }) => [String(id), redactKey(name, place).slice(0, NAME_MAX)]);
  try {
    writePrivateFile(seenPetsPath(place), JSON.stringify(lines));
  } catch {
    // A full disk or a directory of somebody else's is no reason to fail a list that was shown.
  }
}

/** @throws what reading throws: nothing has been shown yet. */
export function readSeenPets(place: PathContext): Candidate[] {
  const content: unknown = JSON.parse(readRegularFile(seenPetsPath(place), { bytesMax: BYTES_MAX }));
  if (!Array.isArray(content)) return [];
  return content.flatMap((entry: unknown) => {
    const [value, summary] = Array.isArray(entry) ? (entry as unknown[]) : [];
    return typeof value === 'string' && typeof summary === 'string' ? [{ value, summary }] : [];
  });
}

/** The file that they are in. */
export function seenPetsPath(place: PathContext): string {
  return join(stateDirectory(place), 'seen-pets.json');
}
