import { closeSync, constants, fchmodSync, fstatSync, lstatSync, openSync, type Stats } from 'node:fs';
import type { Context } from '../system/context.js';
import { shellWord } from '../text/shell-word.js';
import { UsageError } from '../errors/usage-error.js';

/** Whoever asks; `undefined` for somebody who judges nothing, as on Windows, which keeps owners in another way. */
type Asker = Partial<Pick<Context, 'userId'>>;

/**
 * Whether a file is somebody else's: neither the person's own nor root's, who can do all anyway.
 *
 * @param ownerId as `stat` tells it.
 */
export function isForeignOwner(ownerId: number, { userId }: Asker): boolean {
  return userId !== undefined && ownerId !== userId && ownerId !== 0;
}

/** Whether another user wrote it, or a link to it stands in its place. */
export function hasForeignOwner({ ownerIds }: { ownerIds: readonly number[] }, asker: Asker): boolean {
  return ownerIds.some((ownerId) => isForeignOwner(ownerId, asker));
}

/**
 * Refuses to write where a link of another user leads: in a directory that all may write to, it can be there first.
 *
 * @param name the path as it was given.
 */
export function refuseForeignLink(path: string, name: string, asker: Asker): void {
  let found: Stats | undefined;
  try {
    found = lstatSync(path, { throwIfNoEntry: false });
  } catch {
    // Whoever opens it is told why that is not to be had.
  }
  if (found?.isSymbolicLink() !== true || !isForeignOwner(found.uid, asker)) return;
  throw new UsageError(`${name} is a link that another user made`, 'name the file itself, or another place');
}

/** Whether a mode lets others write. */
export function othersCanWrite(mode: number): boolean {
  return (mode & 0o022) !== 0;
}

/** Whether it is a directory in which nobody removes or renames what is another's, such as /tmp. */
export function isSticky(found: Pick<Stats, 'mode'>): boolean {
  return (found.mode & 0o1_000) !== 0 && (found.mode & 0o170_000) === 0o040_000;
}

/** Whether a mode lets others do anything at all. */
export function othersHaveAccess(mode: number): boolean {
  return (mode & 0o077) !== 0;
}

/**
 * Refuses configuration, which says where keys go, of another user.
 *
 * @throws UsageError with the remedy.
 */
export function refuseForeignConfig(path: string, ownerId: number, asker: Asker): void {
  if (!isForeignOwner(ownerId, asker)) return;
  throw new UsageError(
    `${path} belongs to another user (${String(ownerId)}), who could send your key elsewhere by it`,
    `if all it says is right: sudo chown ${String(asker.userId)} ${shellWord(path)}; else name a directory of your own with PETSTORE_CONFIG_DIR`,
  );
}

/** What others could write to, as it was found. */
export interface OpenToOthers {
  path: string;
  found: Pick<Stats, 'dev' | 'ino' | 'mode'>;
  /** Whether somebody named it, so that it is theirs to close. */
  isNamed?: boolean;
}

/**
 * Keeps the configuration to its owner. What others could write to is closed to them at once, as key files are: a warning
 * with every command would soon be passed over. It is told all the same, for they may have been there before.
 */
export function keepToOwner(
  places: readonly OpenToOthers[],
  { warn }: { warn: (text: string) => void },
): void {
  for (const { path, found, isNamed = false } of places) {
    const mode = `0${(found.mode & 0o777).toString(8)}`;
    warn(
      !isNamed && tryClose(path, found)
        ? `others could write to ${path} (${mode}) until now: look whether all it says is yours`
        : `others can write to ${path} (${mode}): chmod go-w ${shellWord(path)}`,
    );
  }
}

/** The very thing that was looked at, and none that has taken its place meanwhile. */
function tryClose(path: string, { dev, ino }: OpenToOthers['found']): boolean {
  let descriptor: number | undefined;
  try {
    // A named pipe could hold the program up.
    descriptor = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK);
    const found = fstatSync(descriptor);
    if (found.dev !== dev || found.ino !== ino) return false;
    fchmodSync(descriptor, found.mode & 0o7755);
    return true;
  } catch {
    return false;
  } finally {
    if (descriptor !== undefined) closeSync(descriptor);
  }
}
