import {
  closeSync,
  constants,
  fdatasync,
  fstatSync,
  ftruncateSync,
  lstatSync,
  openSync,
  read,
  readSync,
  writeSync,
} from 'node:fs';
import type { BigIntStats } from 'node:fs';

const READ_BYTES = 64 * 1024;

/** Another process has broken the lock, or the file is not the one that was opened. Nothing was changed. */
export class LockLostError extends Error {
  override readonly name = 'LockLostError';
  /** The file that is unchanged. */
  readonly path: string;

  constructor(path: string) {
    super(`Another process changed or removed ${path}`);
    this.path = path;
  }
}

/** A file that is open to read. */
export class ReadableFile {
  protected readonly descriptor: number;

  constructor(descriptor: number) {
    this.descriptor = descriptor;
  }

  /** The facts of the open file. The path can lead to another file by now. */
  stat(): BigIntStats {
    return fstatSync(this.descriptor, { bigint: true });
  }

  /** Reads the file from the start, in chunks. */
  async *read(): AsyncGenerator<Uint8Array> {
    for (let at = 0; ;) {
      const buffer = Buffer.alloc(READ_BYTES);
      const bytes = await new Promise<number>((resolve, reject) => {
        read(this.descriptor, buffer, 0, READ_BYTES, at, (error, count) => {
          if (error === null) resolve(count);
          else reject(error);
        });
      });
      if (bytes === 0) return;
      at += bytes;
      yield buffer.subarray(0, bytes);
    }
  }

  close(): void {
    closeSync(this.descriptor);
  }
}

/** Opens a file to read. Does not follow a link, and does not wait for a named pipe. @throws errors of node:fs. */
export function openToRead(path: string): ReadableFile {
  return new ReadableFile(openSync(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK));
}

/** What a file asks before each change. */
interface Guard {
  /** @throws LockLostError */
  assertHeld(path: string): void;
  publish(draft: string, path: string): void;
  remove(path: string): void;
}

/**
 * A file that is open under a lock. Each change first checks that the lock is held and that the path still leads to this
 * file. Check and change are synchronous.
 */
export class LockedFile extends ReadableFile {
  readonly #guard: Guard;
  #path: string;

  constructor(guard: Guard, path: string, descriptor: number) {
    super(descriptor);
    this.#guard = guard;
    this.#path = path;
  }

  /** @throws LockLostError if the lock is lost, or the path leads to another file or none. */
  assertUnchanged(): void {
    this.#guard.assertHeld(this.#path);
    const found = lstatSync(this.#path, { bigint: true, throwIfNoEntry: false });
    const own = this.stat();
    if (found?.ino !== own.ino || found.dev !== own.dev) throw new LockLostError(this.#path);
  }

  /** Writes bytes at a position. @returns how many were written. @throws LockLostError; errors of node:fs. */
  write(bytes: Uint8Array, position: number): number {
    this.assertUnchanged();
    return writeSync(this.descriptor, bytes, 0, bytes.length, position);
  }

  /** @throws LockLostError; errors of node:fs. */
  truncate(length: number): void {
    this.assertUnchanged();
    ftruncateSync(this.descriptor, length);
  }

  /** Moves a draft to its path. Replaces a file there. @throws LockLostError; errors of node:fs. */
  publish(path: string): void {
    this.assertUnchanged();
    this.#guard.publish(this.#path, path);
    this.#path = path;
  }

  /** Removes the file. @throws LockLostError; errors of node:fs. */
  remove(): void {
    this.assertUnchanged();
    this.#guard.remove(this.#path);
  }

  /** Resolves when the data and the size of the file are on the disk. Its times may not be. */
  sync(): Promise<void> {
    return new Promise((resolve, reject) => {
      fdatasync(this.descriptor, (error) => {
        if (error === null) resolve();
        else reject(error);
      });
    });
  }

  /** Reads bytes at a position, synchronously. @returns how many were read. */
  readAt(buffer: Uint8Array, position: number): number {
    return readSync(this.descriptor, buffer, 0, buffer.length, position);
  }
}
