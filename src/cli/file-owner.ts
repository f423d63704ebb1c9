import { lstatSync, type Stats } from 'node:fs';
import type { Context } from './context.js';
import { shellWord } from './shell-word.js';
import { UsageError } from './usage-error.js';

/** Whoever asks; `undefined` for somebody who judges nothing, as on Windows, which keeps owners in another way. */
type Asker = Partial<Pick<Context, 'userId'>>;

/**
 * Whether a file is somebody else's: neither the person's own nor root's, who can do all anyway.
 *
 * @param ownerId as `stat` tells it.
 */
export function isForeign(ownerId: number, { userId }: Asker): boolean {
  return userId !== undefined && ownerId !== userId && ownerId !== 0;
}

/**
 * Refuses to write where a link of another user leads: in a directory that all may write to, it can be there first.
 *
 * @param name the path as it was given.
 */
export function refuseForeignLink(path: string, name: string, asker: Asker): void {
  let found: Stats | undefined;
  try {
    found = lstatSync(path, { throwIfNoEntry: false });
  } catch {
    // Whoever opens it is told why that is not to be had.
  }
  if (found?.isSymbolicLink() !== true || !isForeign(found.uid, asker)) return;
  throw new UsageError(`${name} is a link that another user made`, 'name the file itself, or another place');
}

/**
 * Keeps the configuration, which says where keys go, to its owner. What others could write to is closed to them at once,
 * as key files are: a warning with every command would soon be passed over. It is told all the same, for they may have
 * been there before.
 *
 * @param found what stands at the path.
 * @param chmod changes its mode.
 * @returns what there is to warn of.
 * @throws UsageError where it is somebody else's.
 */
export function keepToOwner(
  path: string,
  found: Pick<Stats, 'uid' | 'mode'>,
  chmod: (mode: number) => void,
  asker: Asker,
): string | undefined {
  if (asker.userId === undefined) return undefined;
  if (isForeign(found.uid, asker)) {
    throw new UsageError(
      `${path} belongs to another user (${String(found.uid)}), who could send your key elsewhere by it`,
      `if all it says is right: sudo chown ${String(asker.userId)} ${shellWord(path)}; else name a directory of your own with PETSTORE_CONFIG_DIR`,
    );
  }
  if ((found.mode & 0o022) === 0) return undefined;
  const mode = `0${(found.mode & 0o777).toString(8)}`;
  try {
    chmod(found.mode & 0o7755);
    return `others could write to ${path} (${mode}) until now: look whether all it says is yours`;
  } catch {
    return `others can write to ${path} (${mode}): chmod go-w ${shellWord(path)}`;
  }
}
