import { isAbsolute, resolve } from 'node:path';
import type { Context } from '../context.js';
import { UsageError } from '../../errors/usage-error.js';

/**
 * Resolves a path against the current directory.
 *
 * @throws UsageError for a relative path if the current directory has been deleted.
 */
export function resolvePath(path: string, { currentDirectory }: Pick<Context, 'currentDirectory'>): string {
  if (isAbsolute(path)) return resolve(path);
  if (currentDirectory !== undefined) return resolve(currentDirectory, path);
  throw new UsageError(
    `The current directory has been deleted, and ${path} is relative to it`,
    'Change to an existing directory, or use an absolute path.',
  );
}
