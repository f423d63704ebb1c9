import { chmodSync, mkdirSync, readdirSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

const ONLY_OWNER = 0o700;

/**
 * Makes a directory that its owner alone can enter, with what is missing above it, and tightens one that is open. For
 * directories that are this program's alone: one that somebody names may be shared.
 *
 * @throws as node:fs does, and so where an open directory is somebody else's.
 */
export function ensurePrivateDirectory(path: string): void {
  mkdirSync(path, { recursive: true, mode: ONLY_OWNER });
  if ((statSync(path).mode & 0o077) !== 0) chmodSync(path, ONLY_OWNER);
}

/** What `writePrivateFile` writes to before the file has its name. */
const DRAFT = /^\.\d+\.\d+\.tmp$/;

/**
 * Removes the drafts that processes which were killed have left in a directory. For whoever holds the lock of all that is
 * written there.
 *
 * @throws as node:fs does; not where there is no such directory.
 */
export function removeDrafts(directory: string): void {
  if (statSync(directory, { throwIfNoEntry: false })?.isDirectory() !== true) return;
  for (const name of readdirSync(directory)) {
    if (DRAFT.test(name)) rmSync(join(directory, name), { force: true });
  }
}

/**
 * Writes a file that its owner alone can read, whole or not at all: a reader meets the old content or the new one. A link
 * in its place is replaced and not followed. A directory that is missing is made for its owner alone; one that is there
 * stays as it is.
 *
 * @throws as node:fs does. What was there before is then left as it was.
 */
export function writePrivateFile(path: string, content: string | Uint8Array): void {
  const directory = dirname(path);
  mkdirSync(directory, { recursive: true, mode: ONLY_OWNER });
  // Of node:crypto a better name could be had, which takes a short command 2 to 4 ms to load.
  const draft = join(directory, `.${String(process.pid)}.${String(process.hrtime.bigint())}.tmp`);
  try {
    writeFileSync(draft, content, { mode: 0o600, flag: 'wx' });
    renameSync(draft, path);
  } catch (error) {
    rmSync(draft, { force: true });
    throw error;
  }
}
