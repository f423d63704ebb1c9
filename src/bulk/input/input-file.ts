import { createReadStream, type Stats } from 'node:fs';
import { lstat, stat } from 'node:fs/promises';
import type { LockedFiles } from '../../security/locked-files.js';
import { untilAborted } from '../../time/signals.js';
import { BulkError, unwritable } from '../job/bulk-error.js';
import { systemErrorCode, systemErrorReason } from '../../security/system-error.js';

const CHUNK_BYTES = 64 * 1024;
/** Maximum size of a stream. A pipe may have no end. */
const STREAM_BYTES_MAX = 2 ** 30;

/**
 * Reads a file in chunks.
 *
 * @throws BulkError `unreadable`; the signal's reason.
 */
export async function* readBytes(path: string, signal?: AbortSignal): AsyncGenerator<Uint8Array> {
  const stream = createReadStream(path, {
    highWaterMark: CHUNK_BYTES,
    ...(signal === undefined ? {} : { signal }),
  });
  try {
    yield* stream as AsyncIterable<Uint8Array>;
  } catch (error) {
    signal?.throwIfAborted();
    throw unreadable(path, error);
  } finally {
    stream.destroy();
  }
}

/**
 * Returns the size of a file that can be read more than once.
 *
 * @throws BulkError `unreadable`, also for a pipe: it is empty when it is read again.
 */
export async function readFileSize(path: string): Promise<number> {
  const stats = await stat(path).catch((error: unknown) => {
    throw unreadable(path, error);
  });
  if (stats.isFile()) return stats.size;
  if (stats.isDirectory())
    throw new BulkError('unreadable', `${path} is a directory`, { remedy: 'Pass a file.' });
  throw new BulkError('unreadable', `${path} is not a regular file`, { remedy: 'Pass a pipe as a stream.' });
}

/** Returns the path of the copy of a stream. The copy is kept until all rows are done. */
export function copyPathOf(journal: string): string {
  return `${journal}.input`;
}

/**
 * Checks that the copy of a stream replaces no file of the user. A copy without a journal is not ours.
 *
 * @throws BulkError `journal-unwritable`.
 */
export async function assertReplaceable(journal: string): Promise<void> {
  const copy = copyPathOf(journal);
  const own = await statusOf(copy);
  if (own?.isFile() === false)
    throw new BulkError('journal-unwritable', `${copy} is not a regular file`, { isNoJournal: true });
  if (own === undefined || (await statusOf(journal)) !== undefined) return;
  const message = `${copy} exists, without its journal ${journal}`;
  throw new BulkError('journal-unwritable', message, { isNoJournal: true });
}

function statusOf(path: string): Promise<Stats | undefined> {
  return lstat(path).catch(() => undefined);
}

/**
 * Writes a stream to a draft that only its owner can read, because an import reads its rows more than once. Resolves
 * when the draft is on disk, because the journal needs its rows.
 *
 * @param copy the path that the draft gets later, for messages.
 * @returns the path of the draft.
 * @throws LockLostError; BulkError `disk-full`, `journal-unwritable`, `too-large`; the stream's error; the signal's reason.
 */
export async function spool(
  bytes: AsyncIterable<Uint8Array>,
  copy: string,
  files: LockedFiles,
  signal: AbortSignal | undefined,
): Promise<string> {
  try {
    return await files.writeDraft('input', boundedStream(bytes, signal));
  } catch (error) {
    throw isWriteError(error) ? unwritable(`the copy of the input, ${copy}`, error) : error;
  }
}

function isWriteError(error: unknown): boolean {
  const call = error instanceof Error && 'syscall' in error ? error.syscall : undefined;
  return call === 'open' || call === 'write' || call === 'fsync' || call === 'close';
}

/**
 * Yields the chunks of a stream until the signal aborts, even if the stream hangs.
 *
 * @throws BulkError `too-large`; the signal's reason.
 */
export async function* boundedStream(
  bytes: AsyncIterable<Uint8Array>,
  signal: AbortSignal | undefined,
  bytesMax = STREAM_BYTES_MAX,
): AsyncGenerator<Uint8Array> {
  let size = 0;
  const source = bytes[Symbol.asyncIterator]();
  try {
    for (;;) {
      signal?.throwIfAborted();
      const next = await untilAborted(source.next(), signal);
      if (next.done === true) return;
      size += next.value.length;
      if (size > bytesMax) throw new BulkError('too-large', 'The input is longer than 1 GiB');
      yield next.value;
    }
  } finally {
    // Not awaited: a source that hangs never returns.
    void source.return?.().catch(() => undefined);
  }
}

function unreadable(path: string, cause: unknown): BulkError {
  const isAbsent = systemErrorCode(cause) === 'ENOENT';
  const message = isAbsent ? `File ${path} not found` : `Can't read ${path} (${systemErrorReason(cause)})`;
  return new BulkError('unreadable', message, { cause });
}
