import { createReadStream, createWriteStream } from 'node:fs';
import { rm, stat } from 'node:fs/promises';
import { pipeline } from 'node:stream/promises';
import { BulkError } from '../bulk-error.js';

/** Large enough that a piece costs little, small enough that a few of them are nothing. */
const PIECE_BYTES = 64 * 1024;

/**
 * The bytes of a file.
 *
 * @throws BulkError `unreadable`; the signal's reason.
 */
export async function* readBytes(path: string, signal?: AbortSignal): AsyncGenerator<Uint8Array> {
  const stream = createReadStream(path, {
    highWaterMark: PIECE_BYTES,
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
 * Size of a file that can be read more than once.
 *
 * @throws BulkError `unreadable`, also for what is no file: a pipe is empty when it is read again.
 */
export async function sizeOfFile(path: string): Promise<number> {
  const facts = await stat(path).catch((error: unknown) => {
    throw unreadable(path, error);
  });
  if (facts.isFile()) return facts.size;
  throw new BulkError(
    'unreadable',
    `${path} is not a file, and the rows are read more than once; give a pipe as stdin`,
  );
}

/**
 * Writes a stream to a file that its owner alone can read: an import reads its rows more than once, and again when it is
 * resumed. On the disk when this resolves: the journal, which relies on it, will be.
 *
 * @throws the stream's or the system's error; the signal's reason.
 */
export async function spool(
  bytes: AsyncIterable<Uint8Array>,
  path: string,
  signal: AbortSignal | undefined,
): Promise<void> {
  await rm(path, { force: true });
  await pipeline(
    untilAborted(bytes, signal),
    createWriteStream(path, { flags: 'wx', mode: 0o600, flush: true }),
  );
}

/** A stream as it comes, up to its end or the signal, also where nothing comes. @throws the signal's reason. */
export async function* untilAborted(
  bytes: AsyncIterable<Uint8Array>,
  signal: AbortSignal | undefined,
): AsyncGenerator<Uint8Array> {
  const source = bytes[Symbol.asyncIterator]();
  let onAbort = (): void => undefined;
  const aborted = new Promise<never>((_, reject) => {
    onAbort = () => reject(signal?.reason);
  });
  // Heard of by the race; where that is over, by nobody.
  aborted.catch(() => undefined);
  signal?.addEventListener('abort', onAbort, { once: true });
  try {
    for (;;) {
      signal?.throwIfAborted();
      const next = await Promise.race([source.next(), aborted]);
      if (next.done === true) return;
      yield next.value;
    }
  } finally {
    signal?.removeEventListener('abort', onAbort);
    // A source that hangs would not come back from this.
    void source.return?.().catch(() => undefined);
  }
}

function unreadable(path: string, cause: unknown): BulkError {
  const code = cause instanceof Error && 'code' in cause ? String(cause.code) : 'unreadable';
  const message = code === 'ENOENT' ? `there is no file ${path}` : `${path} can't be read (${code})`;
  return new BulkError('unreadable', message, { cause });
}
