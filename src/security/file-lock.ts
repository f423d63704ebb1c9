import {
  closeSync,
  fstatSync,
  lstatSync,
  mkdirSync,
  openSync,
  readdirSync,
  rmdirSync,
  unlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { createOwnerName, ownerOf, stateOfOwner } from './lock-owner.js';
import { LockedFiles } from './locked-files.js';
import { systemErrorCode } from './system-error.js';

/** A lock that this process acquired. */
export interface FileLock {
  /** Changes files while the lock is held. */
  readonly files: LockedFiles;
  /** Returns whether no other process has broken the lock. */
  isHeld(): boolean;
  /** Releases the lock. Removes its drafts. */
  release(): void;
}

/** Options of `lockFile`. */
export interface LockOptions {
  clock: { setTimeout(callback: () => void, delayMs: number): unknown };
  /**
   * How long to wait for a process that is alive, in milliseconds.
   *
   * @default 0
   */
  waitMs?: number;
  /** Ends the wait. */
  signal?: AbortSignal | undefined;
}

const POLL_MS = 20;
const HEARTBEAT_MS = 3_000;
/** The owner is dead if it does not renew the lock for so long. Only polls count, because clocks may jump. */
const STALE_MS = 15_000;
/** A process that creates a lock enters its name within microseconds. */
const UNNAMED_MS = 100;

/**
 * Locks a file with the folder `<path>.lock`, which has one empty file, named by its owner: machine, process and a
 * random part. So a process can remove the file of one dead owner only, never the lock of the next owner. Drafts of the
 * owner are in the folder, too. Their names start with the owner's.
 *
 * The lock of a dead process of the same machine is broken at once. A process of another machine or container can't be
 * checked. Its lock is broken if it is not renewed for 15 s.
 *
 * @returns `undefined` if another process has the lock.
 * @throws errors of node:fs if the folder can't be created, read or removed; the signal's reason.
 */
export async function lockFile(
  path: string,
  { clock, waitMs = 0, signal }: LockOptions,
): Promise<FileLock | undefined> {
  const folder = `${path}.lock`;
  const own = createOwnerName();
  let seen = observation('none');
  let unchangedMs = 0;
  for (let waitedMs = 0; ; waitedMs += POLL_MS) {
    if (tryLock(folder, own)) return holdLock(path, folder, own);
    const found = observe(folder);
    const isChanged = found.beat !== seen.beat;
    const isAlive = found.state === 'alive' || (isChanged && seen.state === 'unknown');
    if (isAlive && waitedMs >= waitMs) return undefined;
    unchangedMs = isChanged ? 0 : unchangedMs + POLL_MS;
    seen = found;
    if (found.state === 'unnamed' && unchangedMs >= UNNAMED_MS) removeFolder(folder);
    if (found.state === 'unknown' && unchangedMs >= STALE_MS) breakLock(folder, found.owners);
    await new Promise<void>((resolve) => clock.setTimeout(resolve, POLL_MS));
    signal?.throwIfAborted();
  }
}

/** Creates the folder, then enters the name. */
function tryLock(folder: string, own: string): boolean {
  try {
    mkdirSync(folder, { mode: 0o700 });
  } catch (error) {
    if (systemErrorCode(error) === 'EEXIST') return false;
    throw error;
  }
  try {
    writeFileSync(join(folder, own), '', { flag: 'wx', mode: 0o600 });
    // If this process was suspended before it wrote its name, another one may have replaced the folder.
    if (readdirSync(folder).length === 1) return true;
    breakLock(folder, [own]);
  } catch (error) {
    // A process without a free descriptor can't read the folder.
    ignoring(() => unlinkSync(join(folder, own)), 'ENOENT');
    removeFolder(folder);
    if (systemErrorCode(error) !== 'ENOENT') throw error;
  }
  return false;
}

function holdLock(path: string, folder: string, own: string): FileLock {
  const name = join(folder, own);
  const isHeld = (): boolean => modifiedAt(name) !== undefined;
  const files = openFiles();
  const timer = setInterval(() => {
    const now = new Date();
    try {
      utimesSync(name, now, now);
    } catch {
      // The lock was broken. isHeld() reports it.
    }
  }, HEARTBEAT_MS);
  // A lock must not keep the process alive.
  timer.unref();
  return {
    files,
    isHeld,
    release() {
      clearInterval(timer);
      try {
        breakLock(folder, [own]);
      } catch {
        // The lock is stale when this process ends.
      }
    },
  };

  function openFiles(): LockedFiles {
    try {
      return new LockedFiles({ path, isHeld, draftPath: (draft) => `${name}.${draft}` });
    } catch (error) {
      breakLock(folder, [own]);
      throw error;
    }
  }
}

/** What is at the path of a lock. */
interface Observation {
  /**
   * - `none`: no lock; try again.
   * - `unnamed`: the folder has no name yet, or its owner died before it wrote one.
   * - `unknown`: the owner can't be checked.
   * - `alive`: the owner is alive, or this is no lock of this program.
   */
  state: 'none' | 'unnamed' | 'unknown' | 'alive';
  /** Changes when an owner renews the lock. */
  beat: string;
  /** The owners that can't be checked. */
  owners: readonly string[];
}

/** Checks a lock. Removes it if its owners are dead. */
function observe(folder: string): Observation {
  const found = lstatSync(folder, { throwIfNoEntry: false });
  if (found === undefined) return observation('none');
  if (!found.isDirectory()) return observation('alive');
  const names = ignoring(() => readdirSync(folder), 'ENOENT') ?? [];
  if (names.length === 0) return observation('unnamed');
  const owners = [...new Set(names.map(ownerOf))];
  // Files without an owner belong to the user.
  const states = owners.map((owner) => (owner === undefined ? 'alive' : stateOfOwner(owner)));
  if (states.includes('alive')) return observation('alive');
  const known = owners.filter((owner) => owner !== undefined);
  const unknown = known.filter((_, index) => states[index] === 'unknown');
  breakLock(
    folder,
    known.filter((owner) => !unknown.includes(owner)),
  );
  if (unknown.length === 0) return observation('none');
  const beat = unknown.map((owner) => `${owner} ${String(modifiedAt(join(folder, owner)))}`).join('\n');
  return { state: 'unknown', beat, owners: unknown };
}

function observation(state: Observation['state']): Observation {
  return { state, beat: state, owners: [] };
}

/** Removes owners, and then their drafts. From then on, an owner that is alive can't move a draft to its path. */
function breakLock(folder: string, owners: readonly string[]): void {
  for (const owner of owners) ignoring(() => unlinkSync(join(folder, owner)), 'ENOENT');
  for (const file of ignoring(() => readdirSync(folder), 'ENOENT') ?? [])
    if (owners.includes(ownerOf(file) ?? '')) ignoring(() => unlinkSync(join(folder, file)), 'ENOENT');
  removeFolder(folder);
}

/** Removes the folder if it is empty. */
function removeFolder(folder: string): void {
  ignoring(() => rmdirSync(folder), 'ENOENT', 'ENOTEMPTY', 'EEXIST');
}

/** Opens the file, because network file systems cache the times of files that are not open. */
function modifiedAt(path: string): number | undefined {
  return ignoring(
    () => {
      const descriptor = openSync(path, 'r');
      try {
        return fstatSync(descriptor).mtimeMs;
      } finally {
        closeSync(descriptor);
      }
    },
    'ENOENT',
    'ESTALE',
  );
}

/** Runs work. Returns `undefined` if it fails with one of these codes. */
function ignoring<T>(work: () => T, ...codes: readonly string[]): T | undefined {
  try {
    return work();
  } catch (error) {
    if (codes.includes(systemErrorCode(error) ?? '')) return undefined;
    throw error;
  }
}
