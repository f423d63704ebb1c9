import {
  closeSync,
  constants,
  copyFileSync,
  createWriteStream,
  fsyncSync,
  linkSync,
  lstatSync,
  openSync,
  renameSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { dirname } from 'node:path';
import { LockedFile, LockLostError } from './locked-file.js';
import { systemErrorCode } from './system-error.js';

/** How the files of a lock ask for it. */
export interface LockState {
  /** The locked path. */
  path: string;
  isHeld(): boolean;
  /** Returns the path of a draft in the lock. Who breaks the lock removes it. */
  draftPath(name: string): string;
}

/**
 * Changes files while a lock is held. This is the only way to remove, rename, replace or write them: a linter rule
 * forbids the functions of node:fs in the code that uses locks.
 *
 * Each method first checks that the lock is still held, and that the locked file is the one that was there when the lock
 * was acquired, or that this lock has put there. Otherwise it changes nothing. Check and change are synchronous.
 *
 * New content is first a draft in the folder of the lock. Who breaks the lock removes the drafts, so that a process that
 * was suspended after the check can't move one into place. What a killed process leaves is removed in the same way.
 */
export class LockedFiles {
  readonly #lock: LockState;
  #known: string | undefined;

  constructor(lock: LockState) {
    this.#lock = lock;
    this.#known = identityOf(lock.path);
  }

  /** Returns whether no other process has broken the lock. */
  isHeld(): boolean {
    return this.#lock.isHeld();
  }

  /**
   * Checks the lock, and that the locked file is still the same. A missing file is no other file.
   *
   * @param path the file to change, for the error.
   * @throws LockLostError
   */
  assertHeld(path = this.#lock.path): void {
    if (!this.#lock.isHeld()) throw new LockLostError(path);
    const found = identityOf(this.#lock.path);
    if (found !== undefined && found !== this.#known) throw new LockLostError(this.#lock.path);
  }

  /**
   * Opens a file to read and write. Does not follow a link, and does not wait for a named pipe.
   *
   * @throws LockLostError; errors of node:fs.
   */
  open(path: string): LockedFile {
    const flags = constants.O_RDWR | constants.O_NOFOLLOW | constants.O_NONBLOCK;
    this.assertHeld(path);
    return new LockedFile(this, path, openSync(path, flags));
  }

  /**
   * Returns the path for a draft, where no file is. For a library that writes a file itself.
   *
   * @throws LockLostError; errors of node:fs.
   */
  draftPath(name: string): string {
    this.assertHeld();
    const draft = this.#lock.draftPath(name);
    rmSync(draft, { force: true });
    return draft;
  }

  /**
   * Creates an empty draft, readable by its owner only.
   *
   * @throws LockLostError; errors of node:fs.
   */
  openDraft(name: string): LockedFile {
    const draft = this.draftPath(name);
    return this.#drafting(draft, () => new LockedFile(this, draft, openSync(draft, 'wx+', 0o600)));
  }

  /**
   * Writes a draft, readable by its owner only. It is on the disk when the promise resolves.
   *
   * @returns its path.
   * @throws LockLostError; errors of node:fs and of the chunks.
   */
  async writeDraft(name: string, chunks: AsyncIterable<Uint8Array> | AsyncIterable<string>): Promise<string> {
    // Every list loads this file, and hardly any writes a stream.
    const { pipeline } = await import('node:stream/promises');
    const draft = this.draftPath(name);
    try {
      const fd = openSync(draft, 'wx', 0o600);
      await pipeline(chunks, createWriteStream(draft, { fd, flush: true }));
    } catch (error) {
      throw this.#undrafted(draft, error);
    }
    return draft;
  }

  /**
   * Copies a file with its times to a draft. The copy is on the disk.
   *
   * @returns its path.
   * @throws LockLostError; errors of node:fs.
   */
  copyToDraft(path: string, name: string): string {
    const draft = this.draftPath(name);
    return this.#drafting(draft, () => {
      const { atime, mtime } = statSync(path);
      copyFileSync(path, draft, constants.COPYFILE_EXCL);
      utimesSync(draft, atime, mtime);
      const descriptor = openSync(draft, 'r+');
      try {
        fsyncSync(descriptor);
      } finally {
        closeSync(descriptor);
      }
      return draft;
    });
  }

  /**
   * Gives a draft its name. Replaces a file of this name.
   *
   * @param options.isDurable whether the name is on the disk when this returns. The content must be there before.
   * @throws LockLostError; errors of node:fs.
   */
  publish(draft: string, path: string, { isDurable = true } = {}): void {
    const identity = identityOf(draft);
    this.assertHeld(path);
    try {
      renameSync(draft, path);
    } catch (error) {
      throw this.#explained(error);
    }
    if (path === this.#lock.path) this.#known = identity;
    if (isDurable) syncFolder(path);
  }

  /**
   * Gives a draft its name, unless a file has it.
   *
   * @returns whether the name was free.
   * @throws LockLostError; errors of node:fs.
   */
  publishNew(draft: string, path: string): boolean {
    this.assertHeld(path);
    try {
      linkOrCopy(draft, path);
    } catch (error) {
      if (systemErrorCode(error) === 'EEXIST') return false;
      throw this.#explained(error);
    }
    rmSync(draft, { force: true });
    syncFolder(path);
    return true;
  }

  /**
   * Replaces a file as a whole: readers see the old content or the new one. A link at the path is replaced, not followed.
   *
   * @param parts of the text.
   * @param options.mode permission bits. @default 0o600
   * @param options.isDurable whether the text is on the disk when this returns, so that it survives a power failure.
   * @throws LockLostError; errors of node:fs. The old file is then unchanged.
   */
  replace(path: string, parts: Iterable<string>, { mode = 0o600, isDurable = false } = {}): void {
    const draft = this.draftPath('next');
    this.#drafting(draft, () => {
      const descriptor = openSync(draft, 'wx', mode);
      try {
        for (const part of parts) writeFileSync(descriptor, part);
        if (isDurable) fsyncSync(descriptor);
      } finally {
        closeSync(descriptor);
      }
      this.publish(draft, path, { isDurable });
    });
  }

  /**
   * Removes a file, if it exists.
   *
   * @throws LockLostError; errors of node:fs.
   */
  remove(path: string): void {
    this.assertHeld(path);
    rmSync(path, { force: true });
  }

  /** Runs work with a draft. Removes the draft if it fails. */
  #drafting<T>(draft: string, work: () => T): T {
    try {
      return work();
    } catch (error) {
      throw this.#undrafted(draft, error);
    }
  }

  #undrafted(draft: string, error: unknown): unknown {
    rmSync(draft, { force: true });
    return this.#explained(error);
  }

  /** Another process that has broken the lock after the check has removed the draft. */
  #explained(error: unknown): unknown {
    const isLost = systemErrorCode(error) === 'ENOENT' && !this.#lock.isHeld();
    return isLost ? new LockLostError(this.#lock.path) : error;
  }
}

/**
 * Identifies a file at a path. The number of a removed file can be used again at once, so the time of creation is added. It
 * is 0 where the file system does not keep it.
 */
function identityOf(path: string): string | undefined {
  const found = lstatSync(path, { bigint: true, throwIfNoEntry: false });
  return found === undefined ? undefined : [found.dev, found.ino, found.birthtimeNs].join();
}

/** Some file systems have no links. A copy, too, replaces no file. */
function linkOrCopy(from: string, to: string): void {
  try {
    linkSync(from, to);
  } catch (error) {
    const code = systemErrorCode(error);
    if (code === 'EEXIST' || code === 'ENOENT') throw error;
    copyFileSync(from, to, constants.COPYFILE_EXCL);
  }
}

/** Codes of file systems that can't sync a folder, and of folders that can't be read. */
const NO_SYNC_CODES: ReadonlySet<string | undefined> = new Set(['EINVAL', 'ENOTSUP', 'EACCES', 'EPERM']);

/** Writes the new name of a file to the disk. Windows can't open a folder. */
function syncFolder(path: string): void {
  if (process.platform === 'win32') return;
  try {
    const descriptor = openSync(dirname(path), 'r');
    try {
      fsyncSync(descriptor);
    } finally {
      closeSync(descriptor);
    }
  } catch (error) {
    if (!NO_SYNC_CODES.has(systemErrorCode(error))) throw error;
  }
}
