import { lstatSync, type Stats } from 'node:fs';
import type { Context } from '../system/context.js';
import { shellWord } from '../text/shell-word.js';
import { UsageError } from '../errors/usage-error.js';

/** The current user. Without an id, as on Windows, no owner counts as foreign. */
type CurrentUser = Partial<Pick<Context, 'userId'>>;

/** Whether a file owner, as `stat` reports it, is neither the current user nor root. */
export function isForeignOwner(ownerId: number, { userId }: CurrentUser): boolean {
  return userId !== undefined && ownerId !== userId && ownerId !== 0;
}

/** Whether another user owns a file, or the link to it. */
export function hasForeignOwner({ ownerIds }: { ownerIds: readonly number[] }, user: CurrentUser): boolean {
  return ownerIds.some((ownerId) => isForeignOwner(ownerId, user));
}

/**
 * Refuses to write through a link that another user made, for example in /tmp.
 *
 * @param name the path as the user typed it.
 * @throws UsageError
 */
export function refuseForeignLink(path: string, name: string, user: CurrentUser): void {
  let found: Stats | undefined;
  try {
    found = lstatSync(path, { throwIfNoEntry: false });
  } catch {
    // The caller opens the file next, and reports why that fails.
  }
  if (found?.isSymbolicLink() !== true || !isForeignOwner(found.uid, user)) return;
  throw new UsageError(
    `${name} is a link that another user made`,
    'Use the path of the file itself, or another path.',
  );
}

/**
 * Refuses configuration of another user: it decides where keys are sent.
 *
 * @throws UsageError
 */
export function refuseForeignConfig(path: string, ownerId: number, user: CurrentUser): void {
  if (!isForeignOwner(ownerId, user)) return;
  throw new UsageError(
    `${path} belongs to another user (${String(ownerId)}), who could send your key elsewhere`,
    `Check its content, then run: sudo chown ${String(user.userId)} ${shellWord(path)}. Or set PETSTORE_CONFIG_DIR to your own directory.`,
    undefined,
    [{ file: path }],
  );
}

/** Whether a mode lets other users write. */
export function canOthersWrite(mode: number): boolean {
  return (mode & 0o022) !== 0;
}

/** Whether a mode lets other users read, write or execute. */
export function canOthersAccess(mode: number): boolean {
  return (mode & 0o077) !== 0;
}
