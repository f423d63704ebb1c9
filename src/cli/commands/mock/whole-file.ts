import { randomUUID } from 'node:crypto';
import { renameSync, rmSync, writeFileSync } from 'node:fs';
import type { Context } from '../../context.js';
import { resolvePath } from '../../resolve-path.js';
import { UsageError } from '../../usage-error.js';

/** Writes a file beside its place and moves it there, so that nobody ever reads half of it. */
export function writeWhole(file: string, text: string, context: Pick<Context, 'currentDirectory'>): void {
  const path = resolvePath(file, context);
  // A name that nobody can guess, and no file that is there: a planted link would be written through.
  const draft = `${path}.${randomUUID()}.tmp`;
  try {
    writeFileSync(draft, text, { flag: 'wx' });
    renameSync(draft, path);
  } catch (error) {
    rmSync(draft, { force: true });
    const code = error instanceof Error && 'code' in error ? String(error.code) : 'unwritable';
    throw new UsageError(`${file} can't be written (${code})`, 'check the path and its permissions', error);
  }
}
