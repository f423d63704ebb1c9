import type { BigIntStats } from 'node:fs';
import { lstat, stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import { BulkError } from '../bulk-error.js';

/** Write permission of the group and of all users. */
const GROUP_OR_OTHERS_WRITE = 0o022n;
const OTHERS_WRITE = 0o002n;
/** In a folder with this bit, such as /tmp, users can't remove or rename the files of others. */
const STICKY = 0o1000n;

/**
 * Rejects a journal that another user may have written, because its rows would be sent twice or not at all. Call it with
 * the facts of the open file: the path can lead to another file by now.
 *
 * @param userId the effective user. Without it, as on Windows, owners and modes are unknown and not checked.
 * @throws BulkError `journal-linked`, `journal-foreign`, `journal-exposed`,
 * `journal-folder-exposed`, `journal-damaged`.
 */
export async function assertTrusted(
  path: string,
  stats: BigIntStats,
  userId: number | undefined,
): Promise<void> {
  if (!stats.isFile()) throw new BulkError('journal-damaged', `${path} is not a regular file`);
  // The other name can be in a folder that others can write.
  if (stats.nlink > 1n) throw new BulkError('journal-linked', `Journal ${path} has a second hard link`);
  if (userId === undefined) return;
  if (stats.uid !== 0n && stats.uid !== BigInt(userId))
    throw new BulkError('journal-foreign', `Journal ${path} belongs to another user (${String(stats.uid)})`);
  if ((stats.mode & GROUP_OR_OTHERS_WRITE) !== 0n)
    throw new BulkError('journal-exposed', `Other users can write journal ${path} (${modeOf(stats)})`);
  const folder = await stat(dirname(path), { bigint: true });
  if ((folder.mode & OTHERS_WRITE) === 0n || (folder.mode & STICKY) !== 0n) return;
  const message = `Other users can replace journal ${path}: all users can write its folder (${modeOf(folder)})`;
  throw new BulkError('journal-folder-exposed', message);
}

/**
 * Rejects a symbolic link, even one of the user: it can change between two runs. `O_NOFOLLOW` does not exist on Windows.
 *
 * @throws BulkError `journal-linked`.
 */
export async function rejectSymbolicLink(path: string): Promise<void> {
  const found = await lstat(path).catch(() => undefined);
  if (found?.isSymbolicLink() === true)
    throw new BulkError('journal-linked', `Journal ${path} is a symbolic link`);
}

function modeOf({ mode }: BigIntStats): string {
  return `mode ${(mode & 0o7777n).toString(8).padStart(3, '0')}`;
}
