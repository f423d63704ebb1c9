import { systemErrorCode, systemErrorReason } from '../../security/system-error.js';

/** The parts of the process that `writeOut` uses. */
export interface Host {
  /** Writes the bytes from an offset, and returns the number of written bytes. */
  writeSync(descriptor: number, bytes: Uint8Array, offset: number): number;
  readonly stdout: Pick<NodeJS.WriteStream, 'on' | 'write'>;
  set exitCode(exitCode: number);
}

/**
 * Writes to stdout without the stream, which takes 2 ms to create. Ignores a closed pipe, and
 * reports other errors, such as a full disk.
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
    // The pipe is full. The stream waits for the reader.
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
    host.writeSync(
      2,
      new TextEncoder().encode(`error: The output can't be written (${systemErrorReason(error)})\n`),
      0,
    );
  } catch {
    // stderr is closed. The exit code reports the failure.
  }
}
