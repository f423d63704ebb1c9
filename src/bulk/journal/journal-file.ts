import { constants } from 'node:fs';
import { type FileHandle, lstat, open, rm, stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import { BulkError } from '../bulk-error.js';
import { lockJournal } from './journal-lock.js';

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

/**
 * Opens and locks a journal. Creates it if missing, readable by its owner only. Follows a link to an existing journal,
 * but creates no file through a link.
 *
 * @param lock replaced in tests.
 * @throws BulkError `journal-in-use`, `journal-unwritable`.
 */
export async function openJournalFile(path: string, lock = lockJournal): Promise<JournalFile> {
  try {
    for (let tries = 0; tries < TRIES_MAX; tries += 1) {
      const opened = await openLocked(path, lock);
      if (opened !== undefined) return opened;
    }
  } catch (error) {
    throw error instanceof BulkError ? error : journalUnwritable(path, error);
  }
  throw new BulkError('journal-in-use', `Another process keeps removing ${path}`);
}

/** Creates the error for a journal that can't be opened, read or written. */
export function journalUnwritable(path: string, cause: unknown): BulkError {
  const code = cause instanceof Error && 'code' in cause ? String(cause.code) : 'unwritable';
  return new BulkError('journal-unwritable', `Can't write journal ${path} (${code})`, { cause });
}

/** Returns `undefined` if the file was removed before it was locked. */
async function openLocked(path: string, acquireLock: typeof lockJournal): Promise<JournalFile | undefined> {
  const handle = (await openExisting(path)) ?? (await create(path));
  if (handle === undefined) return undefined;
  try {
    const stats = await handle.stat({ bigint: true });
    if (!stats.isFile()) throw new BulkError('journal-damaged', `${path} is not a regular file`);
    const lock = await acquireLock(path, stats);
    if (lock === undefined) throw new BulkError('journal-in-use', `Another import uses journal ${path}`);
    // The file may have been removed or replaced before it was locked.
    const current = await stat(path, { bigint: true }).catch(() => undefined);
    if (current?.ino === stats.ino && current.dev === stats.dev) {
      await syncFolder(path);
      return new NodeJournalFile(path, handle, lock.release);
    }
    await lock.release();
  } catch (error) {
    await handle.close();
    throw error;
  }
  await handle.close();
  return undefined;
}

async function openExisting(path: string): Promise<FileHandle | undefined> {
  try {
    return await open(path, constants.O_RDWR);
  } catch (error) {
    if (hasCode(error, 'ENOENT')) return undefined;
    throw error;
  }
}

/** Creates the file. O_EXCL follows no link, so a broken link is an error. */
async function create(path: string): Promise<FileHandle | undefined> {
  try {
    return await open(path, constants.O_RDWR | constants.O_CREAT | constants.O_EXCL, 0o600);
  } catch (error) {
    const found = await lstat(path).catch(() => undefined);
    if (found?.isSymbolicLink() === true)
      throw new BulkError('journal-unwritable', `Journal ${path} is a broken symbolic link`);
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
    await this.#handle.close();
    await this.#release();
  }

  async discard(): Promise<void> {
    const { size } = await this.#handle.stat();
    if (size === 0) await rm(this.#path, { force: true });
    await this.close();
  }
}
