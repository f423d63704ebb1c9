import { randomUUID } from 'node:crypto';
import {
  closeSync,
  fstatSync,
  lstatSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmdirSync,
  unlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { systemErrorCode } from './system-error.js';

/** A lock that this process acquired. */
export interface FileLock {
  /** Returns whether no other process has broken the lock. */
  isHeld(): boolean;
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
 * random part. So a process can remove the file of one dead owner only, never the lock of the next owner.
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
  const own = join(folder, `${identity()}_${randomUUID()}`);
  let seen = observation('none');
  let unchangedMs = 0;
  for (let waitedMs = 0; ; waitedMs += POLL_MS) {
    if (tryLock(folder, own)) return holdLock(folder, own);
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
    writeFileSync(own, '', { flag: 'wx', mode: 0o600 });
    // If this process was suspended before it wrote its name, another one may have replaced the folder.
    if (readdirSync(folder).length === 1) return true;
    breakLock(folder, [own]);
  } catch (error) {
    removeFolder(folder);
    if (systemErrorCode(error) !== 'ENOENT') throw error;
  }
  return false;
}

function holdLock(folder: string, own: string): FileLock {
  const timer = setInterval(() => {
    const now = new Date();
    try {
      utimesSync(own, now, now);
    } catch {
      // The lock was broken. isHeld() reports it.
    }
  }, HEARTBEAT_MS);
  // A lock must not keep the process alive.
  timer.unref();
  return {
    isHeld: () => modifiedAt(own) !== undefined,
    release() {
      clearInterval(timer);
      try {
        breakLock(folder, [own]);
      } catch {
        // The lock is stale when this process ends.
      }
    },
  };
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
  /** The files of the owners that can't be checked. */
  owners: readonly string[];
}

/** The name of an owner: machine, PID, start time, random part. */
const OWNER = /^([\w.-]*)_(\d+)_(\w*)_[\da-f-]{36}$/;
/** The content of a lock of an earlier version, which was a file. Other files belong to the user. */
const EARLIER_LOCK = /^[\w -]{0,36}$/;

/** Checks a lock. Removes it if its owners are dead. */
function observe(folder: string): Observation {
  const found = lstatSync(folder, { throwIfNoEntry: false });
  if (found === undefined) return observation('none');
  if (found.isFile() && found.size <= 36 && EARLIER_LOCK.test(readFileSync(folder, 'latin1')))
    return { state: 'unknown', beat: String(found.mtimeMs), owners: [folder] };
  if (!found.isDirectory()) return observation('alive');
  const names = ignoring(() => readdirSync(folder), 'ENOENT') ?? [];
  if (names.length === 0) return observation('unnamed');
  const states = names.map(stateOf);
  if (states.includes('alive')) return observation('alive');
  const paths = names.map((name) => join(folder, name));
  const owners = paths.filter((_, index) => states[index] === 'unknown');
  breakLock(
    folder,
    paths.filter((path) => !owners.includes(path)),
  );
  if (owners.length === 0) return observation('none');
  const beat = owners.map((owner) => `${owner} ${String(modifiedAt(owner))}`).join('\n');
  return { state: 'unknown', beat, owners };
}

function observation(state: Observation['state']): Observation {
  return { state, beat: state, owners: [] };
}

function breakLock(folder: string, owners: readonly string[]): void {
  // The lock of an earlier version, a file, may be a folder by now: POSIX names EPERM, Linux EISDIR.
  for (const owner of owners) ignoring(() => unlinkSync(owner), 'ENOENT', 'EISDIR', 'EPERM');
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

function stateOf(name: string): 'alive' | 'dead' | 'unknown' {
  const [, machine = '', pid = '', startedAt = ''] = OWNER.exec(name) ?? [];
  // A file of the user.
  if (pid === '') return 'alive';
  if (machine === '' || machine !== thisMachine()) return 'unknown';
  try {
    process.kill(Number(pid), 0);
  } catch (error) {
    // EPERM: the process belongs to another user.
    if (systemErrorCode(error) === 'ESRCH') return 'dead';
  }
  const found = startOf(pid);
  if (found === '') return 'unknown';
  return found === startedAt ? 'alive' : 'dead';
}

/** Names this process. */
function identity(): string {
  return `${thisMachine()}_${String(process.pid)}_${startOf(String(process.pid))}`;
}

/**
 * Returns a name of the boot and the PID namespace, in which PIDs are unique. On systems without them, returns the host
 * name. Returns an empty string if `/proc` shows other PIDs than those of this process.
 */
function thisMachine(): string {
  if (process.platform !== 'linux') return hostname().replace(/[^A-Za-z\d.-]/g, '-');
  try {
    if (readlinkSync('/proc/self') !== String(process.pid)) return '';
    const namespace = /\d+/.exec(readlinkSync('/proc/self/ns/pid'))?.[0] ?? '';
    return `${readFileSync('/proc/sys/kernel/random/boot_id', 'latin1').trim()}-${namespace}`;
  } catch {
    return '';
  }
}

/**
 * Returns when a process of this machine started, because PIDs are used again; `ended` for a zombie. Returns an empty
 * string if unknown. See proc_pid_stat(5): the name of the program is in parentheses, and may contain some.
 */
function startOf(pid: string): string {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'latin1');
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    return fields[0] === 'Z' || fields[0] === 'X' ? 'ended' : (fields[19] ?? '');
  } catch {
    return '';
  }
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
