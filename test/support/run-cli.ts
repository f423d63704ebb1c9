import { type ChildProcess, spawn } from 'node:child_process';
import { createServer, type RequestListener } from 'node:http';
import { join } from 'node:path';
import { requireBuild } from './built.js';
import { listening } from './loopback-port.js';

const ROOT = join(import.meta.dirname, '../..');

/** A finished process. */
export interface Finished {
  exitCode: number | null;
  stdout: string;
  stderr: string;
}

/** A running process. */
export interface Running {
  child: ChildProcess;
  finished: Promise<Finished>;
  /** Resolves when the stream matches the pattern; rejects if the process ends first. */
  seen(stream: 'stdout' | 'stderr', pattern: RegExp): Promise<RegExpExecArray>;
}

/** How to start the command. */
export interface StartOptions {
  env?: Record<string, string>;
  /** Text for stdin, which then ends. */
  input?: string;
  cwd?: string;
  /** Leaves stdin open after the input. */
  keepStdinOpen?: boolean;
}

/** Starts the built command in its own process, without the developer's settings. */
export function startCli(args: readonly string[], options: StartOptions = {}): Running {
  requireBuild();
  return startProgram(process.execPath, [join(ROOT, 'bin/petstore.cjs'), ...args], {
    ...options,
    // No test writes a budget to the disk unless it names a directory.
    env: {
      PATH: process.env.PATH ?? '',
      PETSTORE_CONFIG_DIR: '/nowhere',
      PETSTORE_GATE: 'memory',
      // All tests share a compile cache, as the commands of a user do.
      XDG_CACHE_HOME: join(ROOT, 'node_modules/.cache'),
      ...options.env,
    },
  });
}

/** Starts a program with these variables only. */
export function startProgram(path: string, args: readonly string[], options: StartOptions = {}): Running {
  const child = spawn(path, args, {
    cwd: options.cwd ?? ROOT,
    env: options.env ?? {},
    stdio: 'pipe',
  });
  const text = { stdout: '', stderr: '' };
  const watchers = new Set<() => void>();
  for (const name of ['stdout', 'stderr'] as const) {
    child[name].setEncoding('utf8').on('data', (chunk: string) => {
      text[name] += chunk;
      for (const check of watchers) check();
    });
  }
  child.stdin.on('error', () => undefined);
  if (options.keepStdinOpen !== true) child.stdin.end(options.input ?? '');
  const finished = new Promise<Finished>((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (exitCode) => {
      resolve({ exitCode, ...text });
    });
  });
  return {
    child,
    finished,
    seen: (stream, pattern) =>
      new Promise((resolve, reject) => {
        const check = (): void => {
          const match = pattern.exec(text[stream]);
          if (match === null) return;
          watchers.delete(check);
          resolve(match);
        };
        watchers.add(check);
        check();
        void finished.then((end) => {
          reject(new Error(`ended without ${String(pattern)}: ${JSON.stringify(end)}`));
        });
      }),
  };
}

/** Runs the built command until it exits. */
export function runCli(args: readonly string[], options?: StartOptions): Promise<Finished> {
  return startCli(args, options).finished;
}

/** Starts a service that ends with the test. @returns the environment variables for it. */
export async function startService(listener: RequestListener): Promise<Record<string, string>> {
  const port = await listening(createServer(listener));
  return { PETSTORE_BASE_URL: `http://127.0.0.1:${String(port)}/v1`, PETSTORE_API_KEY: 'k' };
}
