import { type ChildProcess, fork } from 'node:child_process';
import { join } from 'node:path';
import { requireBuild } from './built.js';
import { ROOT } from './source-tree.js';
import type { Finished, StartOptions } from './run-cli.js';

/** How to run a command in the resident process. */
export interface ResidentOptions extends Omit<StartOptions, 'keepStdinOpen'> {
  /** Which streams are terminals. Default: none. */
  terminals?: readonly ('stdin' | 'stdout' | 'stderr')[];
  columns?: number;
}

/** Less than the time limit of a test: a command that hangs fails only its own test. */
const LIMIT_MS = 45_000;

let resident: ChildProcess | undefined;
let last: Promise<unknown> = Promise.resolve();

/**
 * Runs the built command like `runCli`, with the real network and real files. The process stays and has compiled the
 * program, so that a command takes 5 ms instead of 120 ms. Tests of signals, pipes, the start and the end of a process
 * need `runCli`.
 */
export function runResident(args: readonly string[], options: ResidentOptions = {}): Promise<Finished> {
  const { input = '', cwd = ROOT, terminals = [], columns = 80 } = options;
  const env = {
    PATH: process.env.PATH ?? '',
    PETSTORE_CONFIG_DIR: '/nowhere',
    PETSTORE_GATE: 'memory',
    ...options.env,
  };
  // One after another: all have the same environment and current directory.
  const finished = last.then(() => send({ args, env, cwd, input, terminals, columns }));
  last = finished.catch(() => undefined);
  return finished;
}

function send(command: object): Promise<Finished> {
  resident ??= start();
  const child = resident;
  return new Promise((resolve, reject) => {
    const limit = setTimeout(() => child.kill('SIGKILL'), LIMIT_MS);
    const onExit = (code: number | null, signal: string | null): void => {
      clearTimeout(limit);
      resident = undefined;
      reject(new Error(`the resident process ended with ${String(signal ?? code)}`));
    };
    child.once('exit', onExit);
    child.once('message', (finished) => {
      clearTimeout(limit);
      child.off('exit', onExit);
      resolve(finished as Finished);
    });
    child.send(command);
  });
}

/** Starts the process. It ends with this one, which does not wait for it. */
function start(): ChildProcess {
  requireBuild();
  const child = fork(join(ROOT, 'test/support/resident-process.cjs'), {
    env: {},
    execArgv: [],
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  });
  child.unref();
  child.channel?.unref();
  return child;
}
