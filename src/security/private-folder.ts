import type { Stats } from 'node:fs';
import { nodeModule } from '../node-module.js';
import { systemErrorCode } from './system-error.js';

const fs = nodeModule('node:fs');
const nodePath = nodeModule('node:path');

/** A folder of the program is not used, because other users can change it, a folder above it or a link to it. */
export class UnsafeFolderError extends Error {
  override readonly name = 'UnsafeFolderError';
  /** The folder or link that others can change. */
  readonly path: string;
  /** The owner, if it is another user. */
  readonly ownerId: number | undefined;
  /** Permission bits. */
  readonly mode: number;

  constructor(path: string, { uid, mode }: Pick<Stats, 'uid' | 'mode'>, userId: number) {
    const ownerId = isForeignOwner(uid, userId) ? uid : undefined;
    super(
      ownerId === undefined
        ? `other users can write ${path} (0${(mode & 0o777).toString(8)})`
        : `${path} belongs to another user (${String(ownerId)})`,
    );
    this.path = path;
    this.ownerId = ownerId;
    this.mode = mode & 0o777;
  }
}

/**
 * Checks that no other user can change what is in a folder. The folder and every folder above it must belong to the user or
 * to root, and no other user may write there. This includes folders above each link on the way. Folders with the sticky bit, such as
 * /tmp, are accepted: there users can't rename or remove the files of others. Missing folders are accepted, so check
 * again after their creation. Windows has no owners and modes that Node reads.
 *
 * @param userId the effective user.
 * @param readAccounts reads `/etc/passwd` and `/etc/group`.
 * @returns the path without links. Use it from now on.
 * @throws UnsafeFolderError. Errors of node:fs, such as EACCES, ELOOP.
 */
export function resolvePrivateFolder(
  path: string,
  userId = process.geteuid?.(),
  readAccounts = (file: string): string => fs.readFileSync(file, 'utf8'),
): string {
  const absolute = nodePath.resolve(path);
  if (userId === undefined) return absolute;
  let linksLeft = LINKS_MAX;
  const resolveFolder = (folder: string): string => {
    const parent = nodePath.dirname(folder);
    const entry =
      parent === folder ? folder : nodePath.join(resolveFolder(parent), nodePath.basename(folder));
    const found = lstat(entry);
    if (found === undefined) return entry;
    const isExposed =
      found.isDirectory() &&
      canOthersWrite(found.mode) &&
      (found.mode & STICKY) === 0 &&
      ((found.mode & OTHERS_WRITE) !== 0 || !isGroupOf(userId, found.gid, readAccounts));
    if (isForeignOwner(found.uid, userId) || isExposed) throw new UnsafeFolderError(entry, found, userId);
    if (!found.isSymbolicLink()) return entry;
    linksLeft -= 1;
    if (linksLeft < 0) throw Object.assign(new Error(`Too many links: ${path}`), { code: 'ELOOP' });
    return resolveFolder(nodePath.resolve(nodePath.dirname(entry), fs.readlinkSync(entry)));
  };
  return resolveFolder(absolute);
}

/** As Linux. */
const LINKS_MAX = 40;
const STICKY = 0o1000;
const OTHERS_WRITE = 0o002;

/** Whether an owner is neither the user nor root. Without a user id, as on Windows, no owner is foreign. */
export function isForeignOwner(ownerId: number, userId: number | undefined): boolean {
  return userId !== undefined && ownerId !== userId && ownerId !== 0;
}

/** Whether a mode lets the group or all users write. */
export function canOthersWrite(mode: number): boolean {
  return (mode & 0o022) !== 0;
}

/**
 * Whether a group has no members but the user and root. Debian, Ubuntu and Fedora create such a group for each user, and
 * some let it write by default (umask 002). As in OpenSSH of Debian, a group counts as shared if these files do not
 * show its members.
 */
function isGroupOf(userId: number, groupId: number, readAccounts: (file: string) => string): boolean {
  const read = (file: string): string[][] =>
    readAccounts(file)
      .split('\n')
      .map((line) => line.split(':'));
  try {
    const users = read('/etc/passwd');
    const listed = read('/etc/group')
      .filter(([, , id]) => id === String(groupId))
      .flatMap(([, , , names = '']) => names.split(',').filter((name) => name !== ''));
    const members = users.filter(
      ([name = '', , , primary]) => primary === String(groupId) || listed.includes(name),
    );
    const isListedKnown = listed.every((name) => members.some(([known]) => known === name));
    const isOwn = members.every(([, , id]) => id === String(userId) || id === '0');
    return members.length > 0 && isListedKnown && isOwn;
  } catch {
    return false;
  }
}

function lstat(path: string): Stats | undefined {
  try {
    return fs.lstatSync(path, { throwIfNoEntry: false });
  } catch (error) {
    // A file has the name of a folder above.
    if (systemErrorCode(error) === 'ENOTDIR') return undefined;
    throw error;
  }
}

/**
 * Creates a folder and its missing parents, with access for their owner only (mode 0700). Leaves an existing folder
 * unchanged.
 *
 * @returns the path without links.
 * @throws UnsafeFolderError as `resolvePrivateFolder`. Errors of node:fs, such as EACCES. ENOTDIR or EEXIST if a file is
 * in its place.
 */
export function makePrivateFolder(path: string, userId?: number): string {
  const folder = resolvePrivateFolder(path, userId);
  if (isFolder(folder)) return folder;
  makeFolders(folder);
  // In a folder such as /tmp, another user may have created it first.
  return resolvePrivateFolder(path, userId);
}

/**
 * `mkdirSync` with `recursive` never returns on Node 20 for a path such as `/proc/x/y`: the system reports that the parent
 * is missing, although it exists.
 */
function makeFolders(path: string): void {
  try {
    makeFolder(path);
  } catch (error) {
    if (systemErrorCode(error) !== 'ENOENT' || nodePath.dirname(path) === path) throw error;
    makeFolders(nodePath.dirname(path));
    makeFolder(path);
  }
}

function makeFolder(path: string): void {
  try {
    fs.mkdirSync(path, { mode: 0o700 });
  } catch (error) {
    // Some systems report EPERM, EISDIR or EROFS for a folder that exists.
    if (systemErrorCode(error) === 'ENOENT' || !isFolder(path)) throw error;
  }
}

function isFolder(path: string): boolean {
  return fs.statSync(path, { throwIfNoEntry: false })?.isDirectory() === true;
}
