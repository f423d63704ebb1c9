import { constants, type BigIntStats } from 'node:fs';
import { open } from 'node:fs/promises';
import { createServer } from 'node:net';

/** A lock on a journal. */
export interface JournalLock {
  release(): Promise<void>;
}

/** Locks a journal by its device and inode. Returns `undefined` if another process has the lock. */
export function lockJournal(path: string, { dev, ino }: BigIntStats): Promise<JournalLock | undefined> {
  return lockByName(`petstore-journal-${String(dev)}-${String(ino)}`, `${path}.lock`);
}

/**
 * Acquires a lock of this machine. Returns `undefined` if another process has the lock.
 *
 * The system releases the lock when the process ends, so no lock is ever stale.
 *
 * - Linux, Windows: the process listens on a named socket or pipe. On Linux the name is visible within one network
 *   namespace only, so containers that share a disk do not see each other's locks.
 * - Other systems: the process locks a file.
 *
 * @param name at most 80 ASCII characters.
 * @param path the file for other systems. It is created, and remains.
 */
export function lockByName(name: string, path: string): Promise<JournalLock | undefined> {
  if (process.platform === 'linux' || process.platform === 'android') return listenAt(`\0${name}`);
  return process.platform === 'win32' ? listenAt(`\\\\.\\pipe\\${name}`) : lockFile(path);
}

function listenAt(name: string): Promise<JournalLock | undefined> {
  return new Promise((resolve, reject) => {
    const server = createServer((socket) => socket.destroy());
    server.once('error', (error: NodeJS.ErrnoException) => {
      if (error.code === 'EADDRINUSE') resolve(undefined);
      else reject(error);
    });
    server.listen(name, () => {
      // An open journal must not keep the process alive.
      server.unref();
      resolve({
        release: () =>
          new Promise((released) => {
            server.close(() => released());
          }),
      });
    });
  });
}

/** Flag of macOS and the BSDs: `open` locks the file until its descriptor is closed. Node does not export it. */
const O_EXLOCK = 0x20;

async function lockFile(path: string): Promise<JournalLock | undefined> {
  const flags = constants.O_RDWR | constants.O_CREAT | constants.O_NOFOLLOW | constants.O_NONBLOCK | O_EXLOCK;
  try {
    const file = await open(path, flags, 0o600);
    return { release: () => file.close() };
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'EAGAIN') return undefined;
    throw error;
  }
}
