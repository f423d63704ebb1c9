import { fstatSync } from 'node:fs';
import { Interruption, type InterruptionCode } from '../system/context.js';
import { EXIT } from '../errors/exit-codes.js';
import { createProcessContext, isClosedPipe } from '../system/process-context.js';
import { run } from './program.js';

/**
 * Runs one command as a process: signals and closed pipes in, exit code out. Sets `exitCode` and lets the event loop
 * end by itself, because `process.exit` throws away what a pipe has not taken yet.
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
    // Of a terminal that goes, the shell may tell as well as the system, and nobody has lost patience.
    if (controller.signal.aborted && exitCode !== EXIT.hungUp) {
      // Asked twice: something does not end, so what is left is given up. Node still waits for a read that has begun;
      // the next signal is the system's own business and ends that too.
      for (const name of ['SIGINT', 'SIGTERM']) host.removeAllListeners(name);
      host.exit(exitCode);
    }
    controller.abort(new Interruption(exitCode));
  };
  const output = guardPipes(host, {
    onGone() {
      host.exitCode = EXIT.ok;
      controller.abort(new Interruption(EXIT.ok));
    },
    onLost() {
      host.exitCode = EXIT.failed;
      controller.abort(new Interruption(EXIT.failed));
    },
    onHungUp() {
      // Where the command has ended already. Else its own code follows.
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
  const exitCode = await run(argv, createProcessContext(host, controller.signal));
  host.exitCode = exitCode === EXIT.ok && output.failed ? EXIT.failed : exitCode;
  const reason: unknown = controller.signal.reason;
  if (reason instanceof Interruption && reason.exitCode === EXIT.hungUp && [0, 1, 2].some(isDevice))
    endBySignal(host);
}

/**
 * Node resets the terminal when it ends, and aborts with a core dump where that has gone. So the process ends by the very
 * signal, of which shells make the same exit code; but not before a pipe has taken what was written.
 */
function endBySignal(host: NodeJS.Process): void {
  host.stdout.write('', () => {
    host.removeAllListeners('SIGHUP');
    host.kill(host.pid, 'SIGHUP');
  });
}

/** Whether it is, or was, a terminal; so is /dev/null, to which it makes no difference. */
function isCharacterDevice(descriptor: number): boolean {
  try {
    return fstatSync(descriptor).isCharacterDevice();
  } catch {
    return false;
  }
}

/**
 * A reader of the data that has gone (`| head -1`) is no failure of ours, and ends the command. Data that can't be
 * written ends it too, as a failure. What is said beside the data and finds no place or no reader changes nothing: what
 * happened is still told by the exit code. A terminal that has gone ends the command as SIGHUP does, with which it
 * mostly comes, and takes no more.
 */
function guardPipes(
  host: NodeJS.Process,
  { onGone, onLost, onHungUp }: Record<'onGone' | 'onLost' | 'onHungUp', () => void>,
): { readonly failed: boolean } {
  const output = { failed: false };
  for (const stream of [host.stdout, host.stderr]) {
    stream.on('error', (error: NodeJS.ErrnoException) => {
      if (isClosedPipe(error)) {
        if (stream === host.stdout) onGone();
        return;
      }
      if (error.code === 'EIO' && stream.isTTY) {
        onHungUp();
        return;
      }
      if (stream === host.stderr) return;
      // Once is enough of what each further piece would repeat.
      if (!output.failed) host.stderr.write(`error: the output can't be written (${String(error.code)})\n`);
      output.failed = true;
      onLost();
    });
  }
  return output;
}
