import { EventEmitter } from 'node:events';
import { describe, expect, test } from 'vitest';
import { runProcess } from '../../../src/cli/program/lifecycle.js';

function host(env: Record<string, string> = {}) {
  const stream = () => {
    const emitter = new EventEmitter();
    const written: string[] = [];
    return Object.assign(emitter, {
      isTTY: false,
      columns: 80,
      written,
      write: (text: string, callback?: () => void) => {
        if (text !== '') written.push(text);
        callback?.();
      },
    });
  };
  const exits: number[] = [];
  const kills: unknown[][] = [];
  const fake = Object.assign(new EventEmitter(), {
    env: { PETSTORE_CONFIG_DIR: '/nowhere', ...env },
    cwd: () => '/',
    platform: 'linux',
    version: 'v1',
    pid: 5,
    stdin: stream(),
    stdout: stream(),
    stderr: stream(),
    exitCode: undefined as number | undefined,
    exits,
    exit: (exitCode: number) => exits.push(exitCode),
    kills,
    kill: (...args: unknown[]) => kills.push([...args, fake.listenerCount('SIGHUP')]),
  });
  return fake;
}
type Host = ReturnType<typeof host>;
// Only what a run reads of the process is there.
const start = (argv: string[], fake: Host, isDevice = () => false) =>
  runProcess(argv, fake as unknown as NodeJS.Process, isDevice);

test('sets the exit code and never exits by force', async () => {
  const fake = host();
  await start(['pets', 'lst'], fake);
  expect(fake).toMatchObject({ exitCode: 2, exits: [] });
  expect(fake.stdout.written).toEqual([]);
});

describe('signals', () => {
  test.each([
    ['SIGINT', 130],
    ['SIGTERM', 143],
  ])('%s ends the command with %d; asked twice, by force', async (signal, exitCode) => {
    const fake = host();
    const ended = start(['pets', 'list', '--mock'], fake);
    fake.emit(signal);
    fake.emit(signal);
    // A third one is left to the system.
    expect([fake.listenerCount('SIGINT'), fake.listenerCount('SIGTERM')]).toEqual([0, 0]);
    await ended;
    expect(fake).toMatchObject({ exitCode, exits: [exitCode] });
    expect([...fake.stdout.written, ...fake.stderr.written]).toEqual([]);
  });
});

describe('a terminal that has gone', () => {
  test('ends the command with 129, also where the shell tells of it too', async () => {
    const fake = host();
    const ended = start(['pets', 'list', '--mock'], fake);
    fake.emit('SIGHUP');
    fake.emit('SIGHUP');
    await ended;
    expect(fake).toMatchObject({ exitCode: 129, exits: [] });
  });

  test.each(['stdout', 'stderr'] as const)('takes nothing on %s, and that is no fault', async (name) => {
    const fake = host();
    fake[name].isTTY = true;
    const gone = (): unknown =>
      fake[name].emit('error', Object.assign(new Error('write EIO'), { code: 'EIO' }));
    const ended = start(['pets', 'list', '--mock'], fake);
    gone();
    await ended;
    gone();
    expect(fake).toMatchObject({ exitCode: 129, exits: [] });
    expect(fake.stderr.written).toEqual([]);
  });

  test('is found out after the end as well', async () => {
    const fake = host();
    fake.stdout.isTTY = true;
    await start(['version'], fake);
    fake.stdout.emit('error', Object.assign(new Error('write EIO'), { code: 'EIO' }));
    expect(fake).toMatchObject({ exitCode: 129, exits: [] });
  });

  test.each([
    ['a terminal', (descriptor: number) => descriptor === 2, [[5, 'SIGHUP', 0]]],
    ['none', () => false, []],
  ])('ends a process that has %s by the signal itself', async (_, isDevice, kills) => {
    const fake = host();
    const ended = start(['pets', 'list', '--mock'], fake, isDevice as () => boolean);
    fake.emit('SIGHUP');
    await ended;
    expect(fake).toMatchObject({ exitCode: 129, kills });
  });

  test('^C at a terminal is another thing', async () => {
    const fake = host();
    const ended = start(['pets', 'list', '--mock'], fake, () => true);
    fake.emit('SIGINT');
    await ended;
    expect(fake.kills).toEqual([]);
  });

  test('EIO of a file is a failing disk', async () => {
    const fake = host();
    await start(['version'], fake);
    fake.stdout.emit('error', Object.assign(new Error('write EIO'), { code: 'EIO' }));
    expect(fake.exitCode).toBe(1);
  });
});

describe('a closed pipe', () => {
  test('on stdout: stops quietly, exit code 0', async () => {
    const fake = host();
    const ended = start(['pets', 'list', '--mock'], fake);
    fake.stdout.emit('error', Object.assign(new Error('x'), { code: 'EPIPE' }));
    await ended;
    expect(fake.exitCode).toBe(0);
    expect(fake.stderr.written).toEqual([]);
  });

  test('on stdout after the end: exit code 0 as well', async () => {
    const fake = host();
    await start(['pets', 'lst'], fake);
    fake.stdout.emit('error', Object.assign(new Error('x'), { code: 'EPIPE' }));
    expect(fake.exitCode).toBe(0);
  });

  test('on stderr: the command goes on, and its exit code tells what happened', async () => {
    const fake = host();
    const ended = start(['pets', 'list', '--mock', '--limit', '1'], fake);
    fake.stderr.emit('error', Object.assign(new Error('x'), { code: 'EPIPE' }));
    await ended;
    expect(fake.exitCode).toBe(0);
    expect(fake.stdout.written.join('')).toMatch(/^1\t/);
    const failing = host();
    await start(['pets', 'lst'], failing);
    failing.stderr.emit('error', Object.assign(new Error('x'), { code: 'EPIPE' }));
    expect(failing.exitCode).toBe(2);
  });

  test('a full disk is a failure, also where the command goes on', async () => {
    const fake = host();
    const ended = start(['version'], fake);
    fake.stdout.emit('error', Object.assign(new Error('x'), { code: 'ENOSPC' }));
    await ended;
    expect(fake.exitCode).toBe(1);
  });

  test('a full disk ends what would go on', async () => {
    const fake = host();
    const ended = start(['pets', 'list', '--mock', '--watch'], fake);
    for (const code of ['ENOSPC', 'ENOSPC'])
      fake.stdout.emit('error', Object.assign(new Error('x'), { code }));
    await ended;
    expect(fake.exitCode).toBe(1);
    expect(fake.stderr.written).toEqual(["error: the output can't be written (ENOSPC)\n"]);
  });

  test('a note that finds no place changes nothing', async () => {
    const fake = host();
    const ended = start(['pets', 'list', '--mock'], fake);
    fake.stderr.emit('error', Object.assign(new Error('x'), { code: 'ENOSPC' }));
    await ended;
    fake.stderr.emit('error', Object.assign(new Error('x'), { code: 'ENOSPC' }));
    expect(fake.exitCode).toBe(0);
  });

  test('a full disk is a failure', async () => {
    const fake = host();
    await start(['version'], fake);
    fake.stdout.emit('error', Object.assign(new Error('x'), { code: 'ENOSPC' }));
    expect(fake.exitCode).toBe(1);
    expect(fake.stderr.written).toEqual(["error: the output can't be written (ENOSPC)\n"]);
  });
});
