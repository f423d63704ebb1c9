import { randomUUID } from 'node:crypto';
import { renameSync, rmSync, writeFileSync } from 'node:fs';
import type { Context } from '../../system/context.js';
import { resolvePath } from '../../files/resolve-path.js';
import { UsageError } from '../../errors/usage-error.js';
import { systemErrorCode } from '../../errors/system-error-code.js';

/**
 * Writes a file with mode 0600 and renames it into place, so that readers never see a partial file. Unlike
 * writePrivateFile(), it does not create directories, so that a mistyped path fails.
 */
export function writeWholeFile(file: string, text: string, context: Pick<Context, 'currentDirectory'>): void {
  const path = resolvePath(file, context);
  // A random name and the flag wx, so that a planted symbolic link is never followed.
  const temporary = `${path}.${randomUUID()}.tmp`;
  try {
    writeFileSync(temporary, text, { flag: 'wx', mode: 0o600 });
    renameSync(temporary, path);
  } catch (error) {
    rmSync(temporary, { force: true });
    throw new UsageError(
      `Can't write ${file} (${systemErrorCode(error)})`,
      'Check the path and its permissions.',
      error,
    );
  }
}
