import { Interruption } from './context.js';
import { createProcessContext } from './process-context.js';
import { run } from './program.js';

/**
 * Runs one command as a process: signals and closed pipes in, exit code out. Sets `exitCode` and lets the event loop
 * end by itself, because `process.exit` throws away what a pipe has not taken yet.
 */
export async function live(argv: readonly string[], host: NodeJS.Process): Promise<void> {
  const controller = new AbortController();
  const output = guardPipes(host, () => {
    host.exitCode = 0;
    controller.abort(new Interruption(0));
  });
  const stop = (exitCode: 130 | 143): void => {
    if (controller.signal.aborted) {
      // Asked twice: something does not end, so what is left is given up. Node still waits for a read that has begun;
      // the next signal is the system's own business and ends that too.
      for (const name of ['SIGINT', 'SIGTERM']) host.removeAllListeners(name);
      host.exit(exitCode);
    }
    controller.abort(new Interruption(exitCode));
  };
  host.on('SIGINT', () => {
    stop(130);
  });
  host.on('SIGTERM', () => {
    stop(143);
  });
  const exitCode = await run(argv, createProcessContext(host, controller.signal));
  host.exitCode = exitCode === 0 && output.failed ? 1 : exitCode;
}

/**
 * A reader of the data that has gone (`| head -1`) is no failure of ours, and ends the command. One that has stopped
 * reading what is said beside the data changes nothing: what happened is still told by the exit code.
 */
function guardPipes(host: NodeJS.Process, onGone: () => void): { readonly failed: boolean } {
  const output = { failed: false };
  for (const stream of [host.stdout, host.stderr]) {
    stream.on('error', (error: NodeJS.ErrnoException) => {
      if (error.code === 'EPIPE' || error.code === 'EOF') {
        if (stream === host.stdout) onGone();
        return;
      }
      output.failed = true;
      host.exitCode = 1;
      if (stream === host.stdout)
        host.stderr.write(`error: the output can't be written (${String(error.code)})\n`);
    });
  }
  return output;
}
