import { join } from 'node:path';
import type { Context } from '../../system/context.js';
import type { Candidate } from './complete.js';
import { type PathContext, stateDirectory } from '../../system/files/paths.js';
import { readPrivateFile, writePrivateFile } from '../../system/files/safe-file.js';
import { redactKey } from '../../settings/credentials/redaction.js';

/** More candidates would not fit on a screen. */
const PETS_MAX = 100;
const NAME_MAX = 40;
/** More than {@link PETS_MAX} names need. */
const BYTES_MAX = 2 ** 16;

/** Stores the ids and names of the pets shown last, for completion. Redacts the API key. Never throws. */
export function storeSeenPets(
  pets: readonly { id: bigint; name: string }[],
  location: PathContext & Partial<Pick<Context, 'userId'>> & Parameters<typeof redactKey>[1],
): void {
  if (pets.length === 0) return;
  const lines = pets
    .slice(0, PETS_MAX)
    // Redact before truncating: half of a key would not be found.
    .map(({ id, name }) => [String(id), redactKey(name, location).slice(0, NAME_MAX)]);
  try {
    writePrivateFile(seenPetsPath(location), JSON.stringify(lines), location.userId);
  } catch {
    // A full disk or a foreign directory must not fail a list that was shown.
  }
}

/** @throws if the file is missing or damaged, or if another user can have written it. */
export function readSeenPets(location: PathContext): Candidate[] {
  const content: unknown = JSON.parse(readPrivateFile(seenPetsPath(location), BYTES_MAX));
  if (!Array.isArray(content)) return [];
  return content.flatMap((entry: unknown) => {
    const [value, summary] = Array.isArray(entry) ? (entry as unknown[]) : [];
    return typeof value === 'string' && typeof summary === 'string' ? [{ value, summary }] : [];
  });
}

function seenPetsPath(location: PathContext): string {
  return join(stateDirectory(location), 'seen-pets.json');
}
