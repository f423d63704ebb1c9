import { fstatSync } from 'node:fs';
import { Interruption, type InterruptionCode } from '../system/context.js';
import { EXIT } from '../errors/exit-codes.js';
import { createProcessContext, isClosedPipe } from '../system/process-context.js';
import { runLine } from './run-line.js';
import { systemErrorReason } from '../../security/system-error.js';

/**
 * Runs one command as a process: handles signals and closed pipes, and sets the exit code. Does not call `process.exit`,
 * which would discard output that a pipe has not taken yet.
 *
 * @param isDevice whether a file descriptor is a character device, as terminals are.
 */
export async function runProcess(
  argv: readonly string[],
  host: NodeJS.Process,
  isDevice: (descriptor: number) => boolean = isCharacterDevice,
): Promise<void> {
  const controller = new AbortController();
  const stop = (exitCode: Exclude<InterruptionCode, typeof EXIT.ok>): void => {
    // A second SIGHUP is no second request to stop: for a closed terminal, the shell and the system may both send one.
    if (controller.signal.aborted && exitCode !== EXIT.hungUp) {
      // The second signal: do not wait for the command. Node still waits for a pending read; without these listeners, a
      // third signal ends the process.
      for (const name of ['SIGINT', 'SIGTERM']) host.removeAllListeners(name);
      const { reason } = controller.signal as { reason: unknown };
      if (reason instanceof Interruption) reason.onRepeated?.();
      host.exit(exitCode);
    }
    controller.abort(new Interruption(exitCode));
  };
  const output = guardPipes(host, {
    onReaderClosed() {
      host.exitCode = EXIT.ok;
      controller.abort(new Interruption(EXIT.ok));
    },
    onWriteError() {
      host.exitCode = EXIT.failed;
      controller.abort(new Interruption(EXIT.failed));
    },
    onHungUp() {
      // For a command that has already ended; otherwise runLine() returns the code.
      host.exitCode = EXIT.hungUp;
      stop(EXIT.hungUp);
    },
  });
  host.on('SIGINT', () => {
    stop(EXIT.interrupted);
  });
  host.on('SIGTERM', () => {
    stop(EXIT.terminated);
  });
  host.on('SIGHUP', () => {
    stop(EXIT.hungUp);
  });
  // Node ignores this signal, so that a write beyond the limit of file sizes fails with EFBIG. conf, once loaded, ends the
  // process at this signal, but not if there is another listener.
  host.on('SIGXFSZ', () => undefined);
  const exitCode = await runLine(argv, createProcessContext(host, controller.signal));
  host.exitCode = exitCode === EXIT.ok && output.failed ? EXIT.failed : exitCode;
  const reason: unknown = controller.signal.reason;
  if (reason instanceof Interruption && reason.exitCode === EXIT.hungUp && [0, 1, 2].some(isDevice))
    endBySignal(host);
}

/**
 * Ends the process with SIGHUP, after stdout is flushed. At a normal exit Node resets the terminal, and aborts with a core
 * dump if it is closed. Shells convert the signal to the same exit code.
 */
function endBySignal(host: NodeJS.Process): void {
  host.stdout.write('', () => {
    host.removeAllListeners('SIGHUP');
    host.kill(host.pid, 'SIGHUP');
  });
}

/** Whether the descriptor is, or was, a terminal. Also true for /dev/null, which does no harm. */
function isCharacterDevice(descriptor: number): boolean {
  try {
    return fstatSync(descriptor).isCharacterDevice();
  } catch {
    return false;
  }
}

/**
 * Handles write errors:
 *
 * - stdout closed by its reader (`| head -1`): ends the command, exit code 0
 * - stdout not writable (full disk): ends the command with exit code 1
 * - a closed terminal: ends the command like SIGHUP
 * - stderr: ignored, because the exit code still reports the result
 */
function guardPipes(
  host: NodeJS.Process,
  {
    onReaderClosed,
    onWriteError,
    onHungUp,
  }: Record<'onReaderClosed' | 'onWriteError' | 'onHungUp', () => void>,
): { readonly failed: boolean } {
  const output = { failed: false };
  for (const stream of [host.stdout, host.stderr]) {
    stream.on('error', (error: NodeJS.ErrnoException) => {
      if (isClosedPipe(error)) {
        if (stream === host.stdout) onReaderClosed();
        return;
      }
      if (error.code === 'EIO' && stream.isTTY) {
        onHungUp();
        return;
      }
      if (stream === host.stderr) return;
      // Only once: each further write fails, too.
      if (!output.failed)
        host.stderr.write(`error: The output can't be written (${systemErrorReason(error)})\n`);
      output.failed = true;
      onWriteError();
    });
  }
  return output;
}
