import { type ChildProcessByStdio, spawn } from 'node:child_process';
import { chmodSync, chownSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import type { Readable } from 'node:stream';
import { findProgram, type Program } from './programs.js';

/** A server's process. */
export interface Daemon {
  /** Rejects when the process ends by itself, with its last output. Otherwise pending. */
  ended: Promise<never>;
  signal(name: NodeJS.Signals): void;
}

/** The servers of a test, which are stopped together. */
export interface Daemons {
  /** Makes a folder that servers may write to. It is removed with them. */
  folder(name: string): string;
  /**
   * Starts a server in the foreground, without privileges even if root runs the tests.
   *
   * @param isolatedAs A server with built-in paths gets a mount namespace of its own, where its package is installed.
   * `root` is for one that gives up its privileges itself.
   */
  start(program: string, folder: string, args: readonly string[], isolatedAs?: 'nobody' | 'root'): Daemon;
  /** Stops all servers, and waits for their end. */
  close(): Promise<void>;
}

type Child = ChildProcessByStdio<null, Readable, Readable>;

/** `nobody`. */
export const UNPRIVILEGED_ID = 65_534;
const OUTPUT_MAX = 4_000;
/** Time before a server that ignores SIGTERM is killed. */
const GRACE_MS = 5_000;

/** Makes a set of servers, empty at first. */
export function createDaemons(): Daemons {
  const root = mkdtempSync(join(tmpdir(), 'petstore-dns-'));
  // Servers run as `nobody`, and have their own folders here.
  chmodSync(root, 0o755);
  const running = new Map<Child, Promise<string>>();
  // Also stopped if the tests themselves are killed.
  const killAll = (): void => {
    for (const child of running.keys()) child.kill('SIGKILL');
  };
  process.once('exit', killAll);
  let isClosing = false;
  return {
    folder(name) {
      const folder = join(root, name);
      mkdirSync(folder);
      if (isRoot()) chownSync(folder, UNPRIVILEGED_ID, UNPRIVILEGED_ID);
      return folder;
    },
    start(program, folder, args, isolatedAs) {
      const child =
        isolatedAs === undefined
          ? spawnUnprivileged(program, folder, args)
          : spawnIsolated(program, folder, args, isolatedAs);
      const output = lastOutput(child);
      const gone = endOf(child);
      running.set(child, gone);
      const ended = gone.then((how) =>
        isClosing
          ? new Promise<never>(() => undefined)
          : Promise.reject(new Error(`${program} ended with ${how}: ${output()}`)),
      );
      // Reported only to those who wait for the server.
      ended.catch(() => undefined);
      return { ended, signal: (name) => void child.kill(name) };
    },
    async close() {
      isClosing = true;
      for (const child of running.keys()) child.kill('SIGTERM');
      const timer = setTimeout(killAll, GRACE_MS);
      await Promise.all(running.values());
      clearTimeout(timer);
      process.removeListener('exit', killAll);
      rmSync(root, { recursive: true, force: true });
    },
  };
}

function spawnUnprivileged(name: string, folder: string, args: readonly string[]): Child {
  const program = requireProgram(name);
  return spawn(program.path, args, {
    cwd: folder,
    env: { PATH: process.env.PATH, LD_LIBRARY_PATH: program.libraryFolders.join(delimiter) },
    stdio: ['ignore', 'pipe', 'pipe'],
    ...(isRoot() ? { uid: UNPRIVILEGED_ID, gid: UNPRIVILEGED_ID } : {}),
  });
}

/** The first argument is the folder of the package or empty, the others are the command. A file sets its variables. */
const ISOLATION = `set -e
if [ -n "$1" ]; then
  mount -t overlay overlay -o "lowerdir=$1/usr:/usr" /usr
  mount -t overlay overlay -o "lowerdir=$1/lib:/lib" /lib
fi
mount -t tmpfs tmpfs /run
mkdir -p /run/systemd/resolve /run/systemd/resolved.conf.d
chown nobody /run/systemd/resolve
[ ! -f resolved.conf ] || cp resolved.conf /run/systemd/resolved.conf.d
shift
exec env $(cat environment 2>/dev/null) "$@"`;

function spawnIsolated(name: string, cwd: string, args: readonly string[], as: 'nobody' | 'root'): Child {
  const { path, unpacked = '' } = requireProgram(name);
  const dropping = [
    `--reuid=${String(UNPRIVILEGED_ID)}`,
    '--regid=nogroup',
    '--clear-groups',
    '--bounding-set=-all',
  ];
  const command = [...(as === 'nobody' ? ['setpriv', ...dropping] : []), path, ...args];
  return spawn('unshare', ['--mount', 'sh', '-c', ISOLATION, 'sh', unpacked, ...command], {
    cwd,
    env: { PATH: process.env.PATH },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
}

function requireProgram(name: string): Program {
  const program = findProgram(name);
  if (program === undefined) throw new Error(`${name} is not installed`);
  return program;
}

function lastOutput(child: Child): () => string {
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text: string) => (output = (output + text).slice(-OUTPUT_MAX)));
  }
  return () => output;
}

/** The exit code, the signal, or the reason why it did not start. */
function endOf(child: Child): Promise<string> {
  return new Promise((resolve) => {
    child.once('error', ({ message }) => resolve(message));
    child.once('close', (exitCode, signal) => resolve(String(exitCode ?? signal)));
  });
}

function isRoot(): boolean {
  return process.getuid?.() === 0;
}
