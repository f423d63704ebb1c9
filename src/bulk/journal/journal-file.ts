import { constants } from 'node:fs';
import { type FileHandle, lstat, open, rm } from 'node:fs/promises';
import { dirname } from 'node:path';
import { BulkError, unwritable } from '../bulk-error.js';
import { lockJournal } from './journal-lock.js';
import { assertTrusted, rejectSymbolicLink } from './journal-trust.js';

/** A locked journal file. */
export interface JournalFile {
  /** Reads the file from the start, in chunks. */
  read(): AsyncIterable<Uint8Array>;
  /** Truncates the file to a length in bytes. */
  truncate(length: number): Promise<void>;
  /** Writes at the end. The data is on disk only after `sync`. */
  append(text: string): Promise<void>;
  /** Resolves when all data is on disk. */
  sync(): Promise<void>;
  /** Closes the file and releases the lock. */
  close(): Promise<void>;
  /** Removes the file if it is empty, closes it and releases the lock. For a journal that was never started. */
  discard(): Promise<void>;
}

const READ_BYTES = 64 * 1024;
/** Maximum number of tries, if other processes remove the file between opening and locking it. */
const TRIES_MAX = 10;

/** How to open a journal. */
interface OpenOptions {
  /** The effective user, who must own the journal. `undefined` on Windows. */
  userId?: number | undefined;
  /** Replaced in tests. */
  lock?: typeof lockJournal;
}

/**
 * Opens and locks a journal. Creates it if missing, readable by its owner only. Follows no link.
 *
 * @throws BulkError `journal-in-use`, `journal-unwritable`, or because the journal can't be trusted.
 */
export async function openJournalFile(
  path: string,
  { userId, lock = lockJournal }: OpenOptions = {},
): Promise<JournalFile> {
  try {
    for (let tries = 0; tries < TRIES_MAX; tries += 1) {
      const opened = await openLocked(path, userId, lock);
      if (opened !== undefined) return opened;
    }
  } catch (error) {
    throw error instanceof BulkError ? error : journalUnwritable(path, error);
  }
  throw new BulkError('journal-in-use', `Another process keeps removing ${path}`);
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
    const file = new NodeJournalFile(path, handle, () => Promise.resolve());
    await assertTrusted(path, await handle.stat({ bigint: true }), userId).catch(closing(handle));
    return file;
  } catch (error) {
    throw error instanceof BulkError ? error : journalUnwritable(path, error);
  }
}

/** Creates the error for a journal that can't be opened, read or written. */
export function journalUnwritable(path: string, cause: unknown): BulkError {
  return unwritable(`journal ${path}`, cause);
}

/** Returns `undefined` if the file was removed before it was locked. */
async function openLocked(
  path: string,
  userId: number | undefined,
  acquireLock: typeof lockJournal,
): Promise<JournalFile | undefined> {
  const existing = await openExisting(path, constants.O_RDWR);
  const handle = existing ?? (await create(path));
  if (handle === undefined) return undefined;
  const stats = await handle.stat({ bigint: true }).catch(closing(handle));
  await assertTrusted(path, stats, userId).catch(async (error: unknown) => {
    // A file system without modes lets others write a new file, too.
    if (existing === undefined) await rm(path, { force: true });
    return closing(handle)(error);
  });
  const lock = await acquireLock(path, stats).catch(closing(handle));
  if (lock === undefined)
    return closing(handle)(new BulkError('journal-in-use', `Another import uses journal ${path}`));
  // The file may have been removed or replaced before it was locked.
  const current = await lstat(path, { bigint: true }).catch(() => undefined);
  if (current?.ino === stats.ino && current.dev === stats.dev) {
    await syncFolder(path).catch(async (error: unknown) => {
      await lock.release();
      return closing(handle)(error);
    });
    return new NodeJournalFile(path, handle, lock.release);
  }
  await lock.release();
  await handle.close();
  return undefined;
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
    if (hasCode(error, 'ENOENT')) return undefined;
    // Another process has just created a link.
    if (hasCode(error, 'ELOOP')) await rejectSymbolicLink(path);
    throw error;
  }
}

/** Creates the file. O_EXCL follows no link. */
async function create(path: string): Promise<FileHandle | undefined> {
  try {
    return await open(path, constants.O_RDWR | constants.O_CREAT | constants.O_EXCL, 0o600);
  } catch (error) {
    // Another process has just created it.
    if (hasCode(error, 'EEXIST')) return undefined;
    throw error;
  }
}

function hasCode(error: unknown, code: string): boolean {
  return error instanceof Error && 'code' in error && error.code === code;
}

/** Syncs a folder, so that the name of a new file is on disk. Windows can't sync a folder. */
async function syncFolder(path: string): Promise<void> {
  if (process.platform === 'win32') return;
  const folder = await open(dirname(path), 'r');
  try {
    await folder.sync();
  } finally {
    await folder.close();
  }
}

class NodeJournalFile implements JournalFile {
  readonly #path: string;
  readonly #handle: FileHandle;
  readonly #release: () => Promise<void>;
  #length = 0;

  constructor(path: string, handle: FileHandle, release: () => Promise<void>) {
    this.#path = path;
    this.#handle = handle;
    this.#release = release;
  }

  async *read(): AsyncGenerator<Uint8Array> {
    for (let at = 0; ;) {
      const { bytesRead, buffer } = await this.#handle.read(Buffer.alloc(READ_BYTES), 0, READ_BYTES, at);
      if (bytesRead === 0) return;
      at += bytesRead;
      this.#length = Math.max(this.#length, at);
      yield buffer.subarray(0, bytesRead);
    }
  }

  async truncate(length: number): Promise<void> {
    await this.#handle.truncate(length);
    this.#length = length;
  }

  async append(text: string): Promise<void> {
    const bytes = Buffer.from(text, 'latin1');
    for (let from = 0; from < bytes.length;) {
      const { bytesWritten } = await this.#handle.write(bytes, from, bytes.length - from, this.#length);
      from += bytesWritten;
      this.#length += bytesWritten;
    }
  }

  // fdatasync writes the data and the size of the file, but not its times.
  sync(): Promise<void> {
    return this.#handle.datasync();
  }

  async close(): Promise<void> {
    // In this order, because the name of the lock is the file's number, which the system reuses after the file is closed.
    await this.#release();
    await this.#handle.close();
  }

  async discard(): Promise<void> {
    const { size } = await this.#handle.stat();
    if (size === 0) await rm(this.#path, { force: true });
    await this.close();
  }
}
