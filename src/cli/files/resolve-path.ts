import { isAbsolute, resolve } from 'node:path';
import type { Context } from '../system/context.js';
import { UsageError } from '../errors/usage-error.js';

/**
 * A path as it is meant from the current directory.
 *
 * @throws UsageError for a relative one where that directory is gone.
 */
export function resolvePath(path: string, { currentDirectory }: Pick<Context, 'currentDirectory'>): string {
  if (isAbsolute(path)) return resolve(path);
  if (currentDirectory !== undefined) return resolve(currentDirectory, path);
  throw new UsageError(
    `the current directory has been deleted, and ${path} is relative to it`,
    'go to a directory that exists, or pass an absolute path',
  );
}
