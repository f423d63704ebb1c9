import { constants, type BigIntStats } from 'node:fs';
import { open } from 'node:fs/promises';
import { createServer } from 'node:net';

/** A lock that is held. */
export interface JournalLock {
  release(): Promise<void>;
}

/**
 * Locks a journal, by its place on the disk and not by its name. `undefined` where somebody else has it.
 *
 * The lock is one that the system lets go when its process ends, however it ends, so there is none that is stale and no
 * guess at who is still alive: on Linux and Windows a name that a process listens at, elsewhere a lock on the file
 * `<journal>.lock`. On Linux such names are seen within one network namespace: two containers that share a disk don't
 * see each other's.
 */
export function lockJournal(path: string, { dev, ino }: BigIntStats): Promise<JournalLock | undefined> {
  const name = `petstore-journal-${String(dev)}-${String(ino)}`;
  if (process.platform === 'linux' || process.platform === 'android') return listenAt(`\0${name}`);
  return process.platform === 'win32' ? listenAt(`\\\\.\\pipe\\${name}`) : lockFile(`${path}.lock`);
}

function listenAt(name: string): Promise<JournalLock | undefined> {
  return new Promise((resolve, reject) => {
    const server = createServer((socket) => socket.destroy());
    server.once('error', (error: NodeJS.ErrnoException) => {
      if (error.code === 'EADDRINUSE') resolve(undefined);
      else reject(error);
    });
    server.listen(name, () => {
      // A journal that somebody forgot to close must not keep the process alive.
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

/** Of macOS and the BSDs: `open` locks, and the lock ends with the descriptor. Node passes the flag on unnamed. */
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
