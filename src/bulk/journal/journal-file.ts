import { constants, fstatSync, readSync, writeSync, type BigIntStats } from 'node:fs';
import { type FileHandle, open, rm, lstat, stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import { type FileLock, lockFile, type LockOptions } from '../../security/file-lock.js';
import { BulkError, unwritable } from '../job/bulk-error.js';
import { systemErrorCode } from '../../security/system-error.js';

/** A locked journal file. */
export interface JournalFile {
  /** Whether opening it created it. */
  readonly isNew: boolean;
  /** Reads the file from the start, in chunks. */
  read(): AsyncIterable<Uint8Array>;
  /** Truncates the file to a length in bytes. */
  truncate(length: number): Promise<void>;
  /**
   * Writes at the end. The data is on disk only after `sync`.
   *
   * @throws BulkError `journal-in-use` if another process changed the file, even if that process ignored the lock.
   */
  append(text: string): Promise<void>;
  /**
   * Reserves space on the disk for so many bytes after the end. The reserved space contains zeros.
   *
   * @throws errors of node:fs if the disk is full; BulkError as `append` does.
   */
  reserve(bytes: number): void;
  /** Resolves when all data is on disk. */
  sync(): Promise<void>;
  /** Removes the reserved space, closes the file and releases the lock. */
  close(): Promise<void>;
  /** Removes the file if it is empty, closes it and releases the lock. For a journal that was never started. */
  discard(): Promise<void>;
}

const READ_BYTES = 64 * 1024;
/** Space is reserved in such steps. Each changes the size of the file, which makes the next sync slower. */
const RESERVE_BYTES = 16 * 1024;

/** How to open a journal. */
interface OpenOptions extends Pick<LockOptions, 'clock' | 'signal'> {
  /** The effective user, who must own the journal. `undefined` on Windows. */
  userId?: number | undefined;
}

/**
 * Locks and opens a journal. Creates it if missing, readable by its owner only. Follows no link.
 *
 * @throws BulkError `journal-in-use`, `journal-unwritable`, or because the journal can't be trusted; the
 * signal's reason.
 */
export async function openJournalFile(
  path: string,
  { userId, clock, signal }: OpenOptions,
): Promise<JournalFile> {
  try {
    const lock = await lockFile(path, { clock, signal });
    if (lock === undefined) throw new BulkError('journal-in-use', `Another import uses journal ${path}`);
    try {
      return await openLocked(path, userId, lock);
    } catch (error) {
      lock.release();
      throw error;
    }
  } catch (error) {
    signal?.throwIfAborted();
    throw journalUnwritable(path, error);
  }
}

/**
 * Opens a journal to read it, without a lock. Returns `undefined` if it does not exist.
 *
 * @throws BulkError as `openJournalFile` does.
 */
export async function openJournalToRead(
  path: string,
  userId: number | undefined,
): Promise<Pick<JournalFile, 'read' | 'close'> | undefined> {
  try {
    const handle = await openExisting(path, constants.O_RDONLY);
    if (handle === undefined) return undefined;
    const stats = await handle.stat({ bigint: true }).catch(closing(handle));
    await assertTrusted(path, stats, userId).catch(closing(handle));
    return { read: () => readChunks(handle), close: () => handle.close() };
  } catch (error) {
    throw journalUnwritable(path, error);
  }
}

/** Creates the error for a journal that can't be opened, read or written. Returns a `BulkError` as it is. */
export function journalUnwritable(path: string, cause: unknown): BulkError {
  return cause instanceof BulkError ? cause : unwritable(`journal ${path}`, cause);
}

async function openLocked(path: string, userId: number | undefined, lock: FileLock): Promise<JournalFile> {
  const existing = await openExisting(path, constants.O_RDWR);
  // O_EXCL follows no link.
  const handle =
    existing ?? (await open(path, constants.O_RDWR | constants.O_CREAT | constants.O_EXCL, 0o600));
  const stats = await handle.stat({ bigint: true }).catch(closing(handle));
  await assertTrusted(path, stats, userId).catch(async (error: unknown) => {
    // A file system without modes lets others write a new file, too.
    if (existing === undefined) await rm(path, { force: true });
    return closing(handle)(error);
  });
  await syncFolder(path).catch(closing(handle));
  return new NodeJournalFile(path, handle, Number(stats.size), lock, existing === undefined);
}

/** Closes the file, then rethrows the error. */
function closing(handle: FileHandle): (error: unknown) => Promise<never> {
  return async (error) => {
    await handle.close();
    throw error;
  };
}

/** Opens without blocking, even if the path leads to a named pipe. */
async function openExisting(path: string, access: number): Promise<FileHandle | undefined> {
  await rejectSymbolicLink(path);
  try {
    return await open(path, access | constants.O_NOFOLLOW | constants.O_NONBLOCK);
  } catch (error) {
    if (systemErrorCode(error) === 'ENOENT') return undefined;
    // Another process may just have created a link.
    await rejectSymbolicLink(path);
    throw error;
  }
}

/** Syncs the folder of a file, so that the name of a new file is on disk. Windows can't sync a folder. */
export async function syncFolder(path: string): Promise<void> {
  if (process.platform === 'win32') return;
  const folder = await open(dirname(path), 'r');
  try {
    await folder.sync();
  } finally {
    await folder.close();
  }
}

async function* readChunks(handle: FileHandle): AsyncGenerator<Uint8Array> {
  for (let at = 0; ;) {
    const { bytesRead, buffer } = await handle.read(Buffer.alloc(READ_BYTES), 0, READ_BYTES, at);
    if (bytesRead === 0) return;
    at += bytesRead;
    yield buffer.subarray(0, bytesRead);
  }
}

class NodeJournalFile implements JournalFile {
  readonly isNew: boolean;
  readonly #path: string;
  readonly #handle: FileHandle;
  readonly #lock: FileLock;
  /** End of the last line. */
  #length: number;
  /** Size of the file. The bytes from `#length` on are zeros. */
  #size: number;

  constructor(path: string, handle: FileHandle, size: number, lock: FileLock, isNew: boolean) {
    this.isNew = isNew;
    this.#path = path;
    this.#handle = handle;
    this.#length = size;
    this.#size = size;
    this.#lock = lock;
  }

  read(): AsyncGenerator<Uint8Array> {
    return readChunks(this.#handle);
  }

  async truncate(length: number): Promise<void> {
    await this.#handle.truncate(length);
    this.#length = length;
    this.#size = length;
  }

  // Synchronous from the check to the write, so that this process does nothing else in between.
  async append(text: string): Promise<void> {
    this.#assertUnchanged();
    this.#length = this.#write(Buffer.from(text, 'latin1'), this.#length);
  }

  reserve(bytes: number): void {
    if (this.#size - this.#length >= bytes) return;
    this.#assertUnchanged();
    try {
      this.#write(Buffer.alloc(this.#length + bytes + RESERVE_BYTES - this.#size), this.#size);
    } catch (error) {
      if (this.#size - this.#length < bytes) throw error;
    }
  }

  // fdatasync writes the data and the size of the file, but not its times.
  sync(): Promise<void> {
    return this.#handle.datasync();
  }

  async close(): Promise<void> {
    try {
      if (this.#size > this.#length && this.#isUnchanged()) await this.truncate(this.#length);
      await this.#handle.close();
    } finally {
      this.#lock.release();
    }
  }

  async discard(): Promise<void> {
    const { size } = await this.#handle.stat();
    if (size === 0) await rm(this.#path, { force: true });
    await this.close();
  }

  /** Returns the position after the bytes. */
  #write(bytes: Uint8Array, position: number): number {
    for (let from = 0; from < bytes.length;) {
      from += writeSync(this.#handle.fd, bytes, from, bytes.length - from, position + from);
      this.#size = Math.max(this.#size, position + from);
    }
    return position + bytes.length;
  }

  #assertUnchanged(): void {
    if (this.#isUnchanged()) return;
    throw new BulkError('journal-in-use', `Another process changed or removed journal ${this.#path}`);
  }

  /** A process that does not see the lock writes at the same position or truncates the file. */
  #isUnchanged(): boolean {
    const { size, nlink } = fstatSync(this.#handle.fd);
    const next = Buffer.alloc(1);
    readSync(this.#handle.fd, next, 0, 1, this.#length);
    return size === this.#size && nlink > 0 && next[0] === 0;
  }
}

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
async function assertTrusted(path: string, stats: BigIntStats, userId: number | undefined): Promise<void> {
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
async function rejectSymbolicLink(path: string): Promise<void> {
  const found = await lstat(path).catch(() => undefined);
  if (found?.isSymbolicLink() === true)
    throw new BulkError('journal-linked', `Journal ${path} is a symbolic link`);
}

function modeOf({ mode }: BigIntStats): string {
  return `mode ${(mode & 0o7777n).toString(8).padStart(3, '0')}`;
}
