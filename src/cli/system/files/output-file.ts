import type { Stats } from 'node:fs';
import type { Context } from '../context.js';
import { UsageError } from '../../errors/usage-error.js';
import { systemErrorReason } from '../../../security/system-error.js';
import { resolvePath } from './resolve-path.js';

/** Resolves the path of a file to write. @throws UsageError if it ends with a slash, so that it names a directory. */
export function resolveOutputPath(
  file: string,
  context: Pick<Context, 'currentDirectory' | 'platform'>,
): string {
  const namesDirectory = context.platform === 'win32' ? /[/\\]\.{0,2}$/ : /\/\.{0,2}$/;
  if (!namesDirectory.test(file)) return resolvePath(file, context);
  throw new UsageError(`${file} names a directory`, 'Pass the path of a file, without a slash at its end.');
}

/** A regular file must not replace a directory, a device or a pipe. @throws UsageError */
export function refuseSpecialFile(file: string, stats: Stats, hint: string): void {
  if (stats.isFile()) return;
  const kind = stats.isDirectory() ? 'a directory' : 'not a regular file';
  throw new UsageError(`${file} is ${kind}`, hint);
}

/** Creates the error for a file whose path or permissions do not let it be written. */
export function notWritable(file: string, cause: unknown): UsageError {
  return new UsageError(
    `Can't write ${file} (${systemErrorReason(cause)})`,
    'Check the path, and the permissions of its folder.',
    cause,
  );
}

/** Runs work that writes a file. @throws UsageError if it fails. */
export function writing<T>(file: string, work: () => T): T {
  try {
    return work();
  } catch (error) {
    throw notWritable(file, error);
  }
}
