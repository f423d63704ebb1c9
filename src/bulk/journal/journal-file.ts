import { constants } from 'node:fs';
import { type FileHandle, lstat, open, rm, stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import { BulkError } from '../bulk-error.js';
import { lockJournal } from './journal-lock.js';

/** The disk under a journal, and the lock on it. A test hands in one that fails when told. */
export interface JournalFile {
  /** All that is there, from the beginning. A piece is good until the next one is asked for. */
  read(): AsyncIterable<Uint8Array>;
  /** Drops what comes behind so many bytes. */
  truncate(length: number): Promise<void>;
  /** Writes behind what is there. Kept for sure only after `sync`. */
  append(text: string): Promise<void>;
  /** Returns once all that was written is on the disk. */
  sync(): Promise<void>;
  /** Lets the lock go. */
  close(): Promise<void>;
  /** Removes the file, if it is empty, and lets the lock go: for a journal that was never begun. */
  discard(): Promise<void>;
}

const READ_BYTES = 64 * 1024;
/** How often somebody else may have removed the file between our opening and our locking it. */
const TRIES_MAX = 10;

/**
 * Opens a journal for this process alone; makes it, readable for its owner only, where it is missing. A
 * link to a journal is followed; none is made behind one.
 *
 * @param lock a test hands in one that comes too late.
 * @throws BulkError `journal-in-use`, `journal-unwritable`.
 */
export async function openJournalFile(path: string, lock = lockJournal): Promise<JournalFile> {
  try {
    for (let tries = 0; tries < TRIES_MAX; tries += 1) {
      const opened = await openLocked(path, lock);
      if (opened !== undefined) return opened;
    }
  } catch (error) {
    throw error instanceof BulkError ? error : unwritable(path, error);
  }
  throw new BulkError('journal-in-use', `${path} is removed again and again by somebody else`);
}

/** The error for a journal that the system doesn't let us have. */
export function unwritable(path: string, cause: unknown): BulkError {
  const code = cause instanceof Error && 'code' in cause ? String(cause.code) : 'unwritable';
  return new BulkError('journal-unwritable', `the journal ${path} can't be written (${code})`, { cause });
}

async function openLocked(path: string, lockIt: typeof lockJournal): Promise<JournalFile | undefined> {
  const handle = (await openPresent(path)) ?? (await create(path));
  if (handle === undefined) return undefined;
  try {
    const facts = await handle.stat({ bigint: true });
    if (!facts.isFile()) throw new BulkError('journal-damaged', `${path} is not a file`);
    const lock = await lockIt(path, facts);
    if (lock === undefined) throw new BulkError('journal-in-use', `another import has the journal ${path}`);
    const present = await stat(path, { bigint: true }).catch(() => undefined);
    if (present?.ino === facts.ino && present.dev === facts.dev) {
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

async function openPresent(path: string): Promise<FileHandle | undefined> {
  try {
    return await open(path, constants.O_RDWR);
  } catch (error) {
    if (hasCode(error, 'ENOENT')) return undefined;
    throw error;
  }
}

/** Makes the file where nothing is: with O_EXCL no link is followed, and one that leads nowhere is in the way. */
async function create(path: string): Promise<FileHandle | undefined> {
  try {
    return await open(path, constants.O_RDWR | constants.O_CREAT | constants.O_EXCL, 0o600);
  } catch (error) {
    const found = await lstat(path).catch(() => undefined);
    if (found?.isSymbolicLink() === true)
      throw new BulkError('journal-unwritable', `the journal ${path} is a link that leads nowhere`);
    // Somebody else has just made it.
    if (hasCode(error, 'EEXIST')) return undefined;
    throw error;
  }
}

function hasCode(error: unknown, code: string): boolean {
  return error instanceof Error && 'code' in error && error.code === code;
}

/** A new file's name is on the disk only once its folder is. Windows knows no such thing. */
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

  // The size of the file is part of what fdatasync keeps; only its times are not.
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
