import { resolvePrivateFolder, UnsafeFolderError } from '../../security/private-folder.js';
import type { Context } from '../system/context.js';
import { compileCacheDirectory, configDirectory, type PathContext, stateDirectory } from './paths.js';

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
