import { systemErrorCode } from '../errors/why-failed.js';

/** What `writeOut` takes of the process: tests hand in their own. */
export interface Host {
  /** Writes a part to a file descriptor, from an offset on, and says how many bytes. */
  writeSync(descriptor: number, bytes: Uint8Array, offset: number): number;
  readonly stdout: Pick<NodeJS.WriteStream, 'on' | 'write'>;
  set exitCode(exitCode: number);
}

/**
 * Writes to stdout without the stream, whose making takes a tenth of a bare start. A reader that has gone is no failure;
 * anything else is one, such as a full disk.
 */
export function writeOut(text: string, host: Host): void {
  const bytes = new TextEncoder().encode(text);
  let offset = 0;
  try {
    while (offset < bytes.length) offset += host.writeSync(1, bytes, offset);
  } catch (error) {
    if (systemErrorCode(error) !== 'EAGAIN') {
      fail(error, host);
      return;
    }
    // The other end takes no more at once: the stream waits for it.
    host.stdout.on('error', (later) => {
      fail(later, host);
    });
    host.stdout.write(bytes.subarray(offset));
  }
}

function fail(error: unknown, host: Host): void {
  const code = systemErrorCode(error);
  if (code === 'EPIPE' || code === 'EOF') return;
  host.exitCode = 1;
  try {
    host.writeSync(2, new TextEncoder().encode(`error: the output can't be written (${code})\n`), 0);
  } catch {
    // Nobody to tell: the exit code says it.
  }
}
