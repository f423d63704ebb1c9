import type { ChildProcess, SpawnOptions } from 'node:child_process';
import { EventEmitter } from 'node:events';
import { expect, test } from 'vitest';
import { type ReaderHost, watchReader } from '../../../src/cli/system/reader-watch.js';

function watch(changed: Partial<ReaderHost> = {}) {
  const seen = { closed: 0, killed: 0, started: [] as string[][], options: [] as SpawnOptions[] };
  const child = Object.assign(new EventEmitter(), {
    unref: () => undefined,
    kill: () => (seen.killed += 1),
  });
  let exit = (): void => undefined;
  const host: ReaderHost = {
    pid: 7,
    platform: 'linux',
    isPipe: () => true,
    spawn(command, args, options) {
      seen.started.push([command, ...args]);
      seen.options.push(options);
      // The watch uses only these members.
      return child as unknown as ChildProcess;
    },
    onExit: (callback) => (exit = callback),
    ...changed,
  };
  watchReader(host, () => (seen.closed += 1));
  return { seen, child, exit: () => exit() };
}

test('the reader has closed the pipe when SIGPIPE ends tail', () => {
  const { seen, child } = watch();
  expect(seen.started).toEqual([['tail', '-f', '/dev/null', '--pid=7']]);
  expect(seen.options).toEqual([{ stdio: ['ignore', 'inherit', 'ignore'] }]);
  child.emit('exit', null, 'SIGPIPE');
  expect(seen.closed).toBe(1);
});

test('a tail that is missing, rejects its flags or is ended by another signal reports nothing', () => {
  const { seen, child } = watch();
  child.emit('error', new Error('ENOENT'));
  child.emit('exit', 1, null);
  child.emit('exit', null, 'SIGTERM');
  expect(seen.closed).toBe(0);
});

test('tail ends with the process', () => {
  const { seen, exit } = watch();
  exit();
  expect(seen.killed).toBe(1);
});

test.each([[{ isPipe: () => false }], [{ platform: 'darwin' }]])('starts nothing with %o', (changed) => {
  expect(watch(changed).seen.started).toEqual([]);
});
