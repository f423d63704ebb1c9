import { closeSync, fsyncSync, openSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { notWritable } from '../../files/output-file.js';

/**
 * Writes a file with mode 0600 and renames it into place, so that readers never see a partial file, also if the process is
 * killed. Unlike writePrivateFile(), it does not create directories, so that a mistyped path fails.
 *
 * @param file its name in messages.
 * @param parts of the text.
 * @param options.isDurable whether the text is on the disk when this returns, so that it survives a power failure.
 */
export function writeWholeFile(
  file: string,
  path: string,
  parts: readonly string[] | Generator<string>,
  { isDurable = false } = {},
): void {
  const temporary = temporaryFileOf(path);
  try {
    // A random name and the flag wx, so that a planted symbolic link is never followed.
    const descriptor = openSync(temporary, 'wx', 0o600);
    try {
      for (const part of parts) writeFileSync(descriptor, part);
      if (isDurable) fsyncSync(descriptor);
    } finally {
      closeSync(descriptor);
    }
    renameSync(temporary, path);
    if (isDurable) syncFolder(dirname(path));
  } catch (error) {
    rmSync(temporary, { force: true });
    throw notWritable(file, error);
  }
}

/** Writes the new name of a file to the disk. The file is complete without it, so errors are ignored. */
function syncFolder(path: string): void {
  try {
    // Windows can't open a folder, and some file systems can't sync one.
    const descriptor = openSync(path, 'r');
    try {
      fsyncSync(descriptor);
    } finally {
      closeSync(descriptor);
    }
  } catch {
    // See above.
  }
}

/** Checks that writeWholeFile() can write a file, without changing it. @throws UsageError */
export function assertWritable(file: string, path: string): void {
  const temporary = temporaryFileOf(path);
  try {
    closeSync(openSync(temporary, 'wx', 0o600));
    rmSync(temporary);
  } catch (error) {
    throw notWritable(file, error);
  }
}

/** Returns whether a name is that of an unfinished file of writeWholeFile(). */
export function isTemporaryFileOf(fileName: string, name: string): boolean {
  return (
    name.startsWith(`${fileName}.`) &&
    /^\.[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}\.tmp$/.test(name.slice(fileName.length))
  );
}

function temporaryFileOf(path: string): string {
  // Not an import: loading node:crypto takes 1.5 ms of the start.
  const { randomUUID } = process.getBuiltinModule('node:crypto');
  return `${path}.${randomUUID()}.tmp`;
}
