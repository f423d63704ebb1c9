import type { ChildProcess, SpawnOptions } from 'node:child_process';

/** The parts of the process that `watchReader` uses. */
export interface ReaderHost {
  readonly pid: number;
  readonly platform: string;
  /** Whether stdout is a pipe. */
  isPipe(): boolean;
  spawn(command: string, args: readonly string[], options: SpawnOptions): ChildProcess;
  /** Calls back when the process ends. */
  onExit(callback: () => void): void;
}

/**
 * Reports that the reader of stdout has closed the pipe, as with `| head -2`, also while nothing is written.
 *
 * Node has no way to poll the write end of a pipe, but `tail -f` of GNU coreutils does: SIGPIPE ends it when the reader
 * closes. It also ends with this process. If tail is missing, the next write reports the closed pipe.
 */
export function watchReader(host: ReaderHost, onClosed: () => void): void {
  if (host.platform !== 'linux' || !host.isPipe()) return;
  const tail = startTail(host);
  if (tail === undefined) return;
  tail.on('error', () => undefined);
  tail.on('exit', (_code, signal) => {
    if (signal === 'SIGPIPE') onClosed();
  });
  tail.unref();
  // Otherwise the reader would wait up to a second longer for the end of the pipe.
  host.onExit(() => tail.kill());
}

/** Returns `undefined` if the system does not allow another process. */
function startTail(host: ReaderHost): ChildProcess | undefined {
  try {
    return host.spawn('tail', ['-f', '/dev/null', `--pid=${String(host.pid)}`], {
      stdio: ['ignore', 'inherit', 'ignore'],
    });
  } catch {
    return undefined;
  }
}
