import type { BigIntStats } from 'node:fs';
import { lstat, realpath, stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import { type FileLock, lockFile, type LockOptions } from '../../security/file-lock.js';
import { type LockedFile, LockLostError, openToRead, type ReadableFile } from '../../security/locked-file.js';
import type { LockedFiles } from '../../security/locked-files.js';
import { systemErrorCode } from '../../security/system-error.js';
import { BulkError, type BulkErrorReason, unwritable } from '../job/bulk-error.js';
import { MAGIC } from './journal-format.js';

/** A locked journal file. */
export interface JournalFile {
  /** Whether there was no file when it was opened. `draft` and `publish` create it. */
  readonly isNew: boolean;
  /** Changes the files next to the journal while it is locked. */
  readonly files: LockedFiles;
  /** Reads the file from the start, in chunks. */
  read(): AsyncIterable<Uint8Array>;
  /**
   * Starts a draft, empty or with the content of the file. From now on, the methods read and write the draft. The file at
   * the path stays as it is until `publish`.
   *
   * @throws LockLostError as `append`; BulkError if other users can write the draft; errors of node:fs.
   */
  draft(hasContent: boolean): void;
  /**
   * Moves the draft to the path, where it replaces the file at once. Does nothing without a draft.
   *
   * @throws LockLostError as `append`; errors of node:fs.
   */
  publish(): void;
  /** Truncates the file to a length in bytes. @throws LockLostError as `append`. */
  truncate(length: number): Promise<void>;
  /**
   * Writes at the end. The data is on disk only after `sync`.
   *
   * @throws LockLostError if another process changed the file, even if that process ignored the lock.
   */
  append(text: string): Promise<void>;
  /**
   * Reserves space on the disk for so many bytes after the end. The reserved space contains zeros.
   *
   * @throws errors of node:fs if the disk is full; LockLostError as `append`.
   */
  reserve(bytes: number): void;
  /** Resolves when all data is on disk. */
  sync(): Promise<void>;
  /** Removes the file. @throws LockLostError as `append`. */
  remove(): void;
  /** Removes the reserved space and the draft, closes the file and releases the lock. */
  close(): Promise<void>;
}

/** Space is reserved in such steps. Each changes the size of the file, which makes the next sync slower. */
const RESERVE_BYTES = 16 * 1024;

/** How to open a journal. */
interface OpenOptions extends Pick<LockOptions, 'clock' | 'signal'> {
  /** The effective user, who must own the journal. `undefined` on Windows. */
  userId?: number | undefined;
}

/**
 * Locks and opens a journal, which may be missing. Follows no link.
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
    throw await withAdvice(path, journalUnwritable(path, error));
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
): Promise<ReadableFile | undefined> {
  try {
    return await openTrusted(path, userId, openToRead);
  } catch (error) {
    throw await withAdvice(path, journalUnwritable(path, error));
  }
}

/** Creates the error for a journal that can't be opened, read or written. Returns a `BulkError` as it is. */
export function journalUnwritable(path: string, cause: unknown): BulkError {
  if (cause instanceof BulkError) return cause;
  if (!(cause instanceof LockLostError)) return unwritable(`journal ${path}`, cause);
  return new BulkError('lock-lost', `Another process changed or removed journal ${path}`, { cause });
}

/** Errors whose remedy is the same for every file at the path. */
const OTHER_REMEDY: ReadonlySet<BulkErrorReason> = new Set(['journal-in-use', 'lock-lost', 'disk-full']);

/** Replaces the advice to keep the journal if no row can have been sent with the file. */
async function withAdvice(path: string, error: BulkError): Promise<BulkError> {
  const { reason, message, cause } = error;
  const isWithoutFolder = systemErrorCode(cause) === 'ENOENT';
  if (OTHER_REMEDY.has(reason) || isWithoutFolder || (await mayHaveSentRows(path))) return error;
  return new BulkError(reason, message, { cause, isNoJournal: true });
}

/** Whether a file is a journal with a row that was sent. `true` if it exists and can't be read. */
async function mayHaveSentRows(path: string): Promise<boolean> {
  let file: ReadableFile | undefined;
  try {
    file = openToRead(await realpath(path));
    if (!file.stat().isFile()) return false;
    let text = '';
    for await (const chunk of file.read()) {
      const isStart = text === '';
      // With the last character before the chunk, which can be the line break.
      text = text.slice(-1) + Buffer.from(chunk).toString('latin1');
      if (isStart && !text.startsWith(MAGIC)) return false;
      if (text.includes('\n>')) return true;
    }
    return false;
  } catch (error) {
    const code = systemErrorCode(error);
    return code !== 'ENOENT' && code !== 'ENOTDIR';
  } finally {
    file?.close();
  }
}

async function openLocked(path: string, userId: number | undefined, lock: FileLock): Promise<JournalFile> {
  const existing = await openTrusted(path, userId, () => lock.files.open(path));
  if (existing === undefined) await assertTrustedFolder(path, userId);
  return new NodeJournalFile(path, userId, lock, existing);
}

/** Opens a file that no other user can have written. Returns `undefined` if it does not exist. */
async function openTrusted<File extends ReadableFile>(
  path: string,
  userId: number | undefined,
  openFile: (path: string) => File,
): Promise<File | undefined> {
  await rejectSymbolicLink(path);
  let file: File;
  try {
    file = openFile(path);
  } catch (error) {
    if (systemErrorCode(error) === 'ENOENT') return undefined;
    // Another process may just have created a link.
    await rejectSymbolicLink(path);
    throw error;
  }
  try {
    assertTrusted(path, file.stat(), userId);
    await assertTrustedFolder(path, userId);
  } catch (error) {
    file.close();
    throw error;
  }
  return file;
}

class NodeJournalFile implements JournalFile {
  readonly isNew: boolean;
  readonly files: LockedFiles;
  readonly #path: string;
  readonly #userId: number | undefined;
  readonly #lock: FileLock;
  /** The file at the path, or the draft. */
  #file: LockedFile | undefined;
  #isDraft = false;
  /** End of the last line. */
  #length = 0;
  /** Size of the file. The bytes from `#length` on are zeros. */
  #size = 0;

  constructor(path: string, userId: number | undefined, lock: FileLock, existing: LockedFile | undefined) {
    this.isNew = existing === undefined;
    this.files = lock.files;
    this.#path = path;
    this.#userId = userId;
    this.#lock = lock;
    this.#open(existing);
  }

  async *read(): AsyncGenerator<Uint8Array> {
    if (this.#file !== undefined) yield* this.#file.read();
  }

  draft(hasContent: boolean): void {
    const draft = hasContent
      ? this.files.open(this.files.copyToDraft(this.#path, 'journal'))
      : this.files.openDraft('journal');
    this.#open(draft);
    this.#isDraft = true;
    // A file system without modes lets others write a new file, too.
    assertTrusted(this.#path, draft.stat(), this.#userId);
  }

  publish(): void {
    if (!this.#isDraft) return;
    this.#opened.publish(this.#path);
    this.#isDraft = false;
  }

  async truncate(length: number): Promise<void> {
    this.#opened.truncate(length);
    this.#length = length;
    this.#size = length;
  }

  // Synchronous from the check to the write, so that this process does nothing else in between.
  async append(text: string): Promise<void> {
    this.#assertSameEnd();
    this.#length = this.#write(Buffer.from(text, 'latin1'), this.#length);
  }

  reserve(bytes: number): void {
    if (this.#size - this.#length >= bytes) return;
    this.#assertSameEnd();
    try {
      this.#write(Buffer.alloc(this.#length + bytes + RESERVE_BYTES - this.#size), this.#size);
    } catch (error) {
      if (error instanceof LockLostError || this.#size - this.#length < bytes) throw error;
    }
  }

  sync(): Promise<void> {
    return this.#opened.sync();
  }

  async close(): Promise<void> {
    try {
      if (this.#size > this.#length && !this.#isDraft) await this.#releaseSpace();
      this.#file?.close();
    } finally {
      this.#lock.release();
    }
  }

  remove(): void {
    if (this.#isDraft || this.#file === undefined) return;
    this.#assertSameEnd();
    this.#file.remove();
    this.#size = this.#length;
  }

  get #opened(): LockedFile {
    if (this.#file === undefined) throw new Error('the journal has no draft');
    return this.#file;
  }

  #open(file: LockedFile | undefined): void {
    this.#file?.close();
    this.#file = file;
    this.#length = Number(file?.stat().size ?? 0);
    this.#size = this.#length;
  }

  /** A file of another process stays as it is. */
  async #releaseSpace(): Promise<void> {
    try {
      this.#assertSameEnd();
      await this.truncate(this.#length);
    } catch (error) {
      if (!(error instanceof LockLostError)) throw error;
    }
  }

  /** Returns the position after the bytes. */
  #write(bytes: Uint8Array, position: number): number {
    for (let from = 0; from < bytes.length;) {
      from += this.#opened.write(bytes.subarray(from), position + from);
      this.#size = Math.max(this.#size, position + from);
    }
    return position + bytes.length;
  }

  /** A process that does not see the lock writes at the same position or truncates the file. */
  #assertSameEnd(): void {
    const next = Buffer.alloc(1);
    this.#opened.readAt(next, this.#length);
    if (Number(this.#opened.stat().size) !== this.#size || next[0] !== 0) throw new LockLostError(this.#path);
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
 * `journal-damaged`.
 */
function assertTrusted(path: string, stats: BigIntStats, userId: number | undefined): void {
  if (!stats.isFile()) throw new BulkError('journal-damaged', `${path} is not a regular file`);
  // The other name can be in a folder that others can write.
  if (stats.nlink > 1n) throw new BulkError('journal-linked', `Journal ${path} has a second hard link`);
  if (userId === undefined) return;
  if (stats.uid !== 0n && stats.uid !== BigInt(userId))
    throw new BulkError('journal-foreign', `Journal ${path} belongs to another user (${String(stats.uid)})`);
  if ((stats.mode & GROUP_OR_OTHERS_WRITE) !== 0n)
    throw new BulkError('journal-exposed', `Other users can write journal ${path} (${modeOf(stats)})`);
}

/** @throws BulkError `journal-folder-exposed`. */
async function assertTrustedFolder(path: string, userId: number | undefined): Promise<void> {
  if (userId === undefined) return;
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
