import { randomUUID } from 'node:crypto';
import { renameSync, rmSync, writeFileSync } from 'node:fs';
import type { Context } from '../../system/context.js';
import { resolvePath } from '../../files/resolve-path.js';
import { UsageError } from '../../errors/usage-error.js';
import { systemErrorCode } from '../../errors/system-error-code.js';

/** Writes a file beside its place and moves it there, so that nobody ever reads half of it, and nobody else any of it. */
export function writeWhole(file: string, text: string, context: Pick<Context, 'currentDirectory'>): void {
  const path = resolvePath(file, context);
  // A name that nobody can guess, and no file that is there: a planted link would be written through.
  const draft = `${path}.${randomUUID()}.tmp`;
  try {
    writeFileSync(draft, text, { flag: 'wx', mode: 0o600 });
    renameSync(draft, path);
  } catch (error) {
    rmSync(draft, { force: true });
    throw new UsageError(
      `${file} can't be written (${systemErrorCode(error)})`,
      'check the path and its permissions',
      error,
    );
  }
}
