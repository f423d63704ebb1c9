import { renameSync, rmSync, writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import type { Context } from '../../context.js';
import { UsageError } from '../../usage-error.js';

/** Writes a file beside its place and moves it there, so that nobody ever reads half of it. */
export function writeWhole(file: string, text: string, context: Context): void {
  const path = resolve(context.currentDirectory, file);
  const draft = `${path}.${String(context.processId)}.tmp`;
  try {
    writeFileSync(draft, text);
    renameSync(draft, path);
  } catch (error) {
    rmSync(draft, { force: true });
    const code = error instanceof Error && 'code' in error ? String(error.code) : 'unwritable';
    throw new UsageError(`${file} can't be written (${code})`, 'check the path and its permissions', error);
  }
}
