import { readdirSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { makePrivateFolder } from '../../security/private-folder.js';

/**
 * Writes a file that only its owner can read (mode 0600). It is renamed into place, so that readers see the old content
 * or the new one. A symbolic link at the path is replaced, not followed. A missing directory is created with mode 0700.
 *
 * @throws as node:fs does. The old file is then unchanged.
 */
export function writePrivateFile(path: string, content: string | Uint8Array): void {
  const directory = dirname(path);
  makePrivateFolder(directory);
  // Avoids node:crypto for the name, which takes 2 to 4 ms to load.
  const temporary = join(directory, `.${String(process.pid)}.${String(process.hrtime.bigint())}.tmp`);
  try {
    writeFileSync(temporary, content, { mode: 0o600, flag: 'wx' });
    renameSync(temporary, path);
  } catch (error) {
    rmSync(temporary, { force: true });
    throw error;
  }
}

const TEMPORARY_FILE = /^\.\d+\.\d+\.tmp$/;

/**
 * Removes the temporary files that killed processes left in a directory. The caller holds a lock for that directory.
 *
 * @throws as node:fs does.
 */
export function removeTemporaryFiles(directory: string): void {
  if (statSync(directory, { throwIfNoEntry: false })?.isDirectory() !== true) return;
  for (const name of readdirSync(directory)) {
    if (TEMPORARY_FILE.test(name)) rmSync(join(directory, name), { force: true });
  }
}
