import { lstatSync, type Stats } from 'node:fs';
import { isForeignOwner, resolvePrivateFolder, UnsafeFolderError } from '../../../security/private-folder.js';
import type { Context } from '../context.js';
import { shellWord } from '../../errors/shell-word.js';
import { UsageError } from '../../errors/usage-error.js';
import { compileCacheDirectory, configDirectory, type PathContext, stateDirectory } from './paths.js';

/** The current user. Without an id, as on Windows, no owner counts as foreign. */
type CurrentUser = Partial<Pick<Context, 'userId'>>;

/** Whether another user owns a file, or the link to it. */
export function hasForeignOwner(
  { ownerIds }: { ownerIds: readonly number[] },
  { userId }: CurrentUser,
): boolean {
  return ownerIds.some((ownerId) => isForeignOwner(ownerId, userId));
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
  if (found?.isSymbolicLink() !== true || !isForeignOwner(found.uid, user.userId)) return;
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
  if (!isForeignOwner(ownerId, user.userId)) return;
  throw new UsageError(
    `${path} belongs to another user (${String(ownerId)}), who could send your key elsewhere`,
    [
      `Check its content, then run: sudo chown ${String(user.userId)} ${shellWord(path)}`,
      'Or set PETSTORE_CONFIG_DIR to your own directory.',
    ],
    undefined,
    [{ file: path }],
  );
}

/**
 * Refuses a folder of configuration or keys that other users can change: they would decide where keys are sent.
 *
 * @throws UsageError whose cause is an UnsafeFolderError.
 */
export function refuseUnsafeFolder(path: string, { userId }: CurrentUser): void {
  const error = unsafety(path, userId);
  if (error === undefined) return;
  throw new UsageError(
    `${path} is not used, because ${error.message}`,
    'Set PETSTORE_CONFIG_DIR to a folder that only you can write.',
    error,
    [{ file: path }],
  );
}

/** Whether a mode lets other users read, write or execute. */
export function canOthersAccess(mode: number): boolean {
  return (mode & 0o077) !== 0;
}

/** A folder of the program that is not used, because other users can change it. */
export interface UnsafeFolder {
  holds: 'configuration' | 'state' | 'compile cache';
  error: UnsafeFolderError;
}

/** Finds the folders that are not used. They need not exist. */
export function findUnsafeFolders(context: PathContext & Pick<Context, 'userId'>): UnsafeFolder[] {
  const folders: [UnsafeFolder['holds'], string | undefined][] = [
    ['configuration', configDirectory(context)],
    ['state', stateDirectory(context)],
    ['compile cache', compileCacheDirectory(context)],
  ];
  return folders.flatMap(([holds, path]) => {
    const error = path === undefined ? undefined : unsafety(path, context.userId);
    return error === undefined ? [] : [{ holds, error }];
  });
}

/** Why a folder must not be used. Other problems are reported when it is used. */
export function unsafety(path: string, userId: number | undefined): UnsafeFolderError | undefined {
  try {
    resolvePrivateFolder(path, userId);
  } catch (error) {
    if (error instanceof UnsafeFolderError) return error;
  }
  return undefined;
}
