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
// The process has only the members that runProcess() uses.
const start = (argv: string[], fake: Host, isDevice = () => false) =>
  runProcess(argv, fake as unknown as NodeJS.Process, isDevice);

test('sets the exit code without calling process.exit', async () => {
  const fake = host();
  await start(['pets', 'lst'], fake);
  expect(fake).toMatchObject({ exitCode: 2, exits: [] });
  expect(fake.stdout.written).toEqual([]);
});

describe('signals', () => {
  test.each([
    ['SIGINT', 130],
    ['SIGTERM', 143],
  ])(
    '%s ends the command with exit code %d; the second signal calls process.exit',
    async (signal, exitCode) => {
      const fake = host();
      const ended = start(['pets', 'list', '--mock'], fake);
      fake.emit(signal);
      fake.emit(signal);
      // Without listeners a third signal ends the process.
      expect([fake.listenerCount('SIGINT'), fake.listenerCount('SIGTERM')]).toEqual([0, 0]);
      await ended;
      expect(fake).toMatchObject({ exitCode, exits: [exitCode] });
      expect([...fake.stdout.written, ...fake.stderr.written]).toEqual([]);
    },
  );
});

describe('a closed terminal', () => {
  test('ends the command with 129, also if SIGHUP follows', async () => {
    const fake = host();
    const ended = start(['pets', 'list', '--mock'], fake);
    fake.emit('SIGHUP');
    fake.emit('SIGHUP');
    await ended;
    expect(fake).toMatchObject({ exitCode: 129, exits: [] });
  });

  test.each(['stdout', 'stderr'] as const)('does not count as a write error on %s', async (name) => {
    const fake = host();
    fake[name].isTTY = true;
    const closeTerminal = (): unknown =>
      fake[name].emit('error', Object.assign(new Error('write EIO'), { code: 'EIO' }));
    const ended = start(['pets', 'list', '--mock'], fake);
    closeTerminal();
    await ended;
    closeTerminal();
    expect(fake).toMatchObject({ exitCode: 129, exits: [] });
    expect(fake.stderr.written).toEqual([]);
  });

  test('is noticed after the end of the command as well', async () => {
    const fake = host();
    fake.stdout.isTTY = true;
    await start(['version'], fake);
    fake.stdout.emit('error', Object.assign(new Error('write EIO'), { code: 'EIO' }));
    expect(fake).toMatchObject({ exitCode: 129, exits: [] });
  });

  test.each([
    ['a terminal', (descriptor: number) => descriptor === 2, [[5, 'SIGHUP', 0]]],
    ['none', () => false, []],
  ])('ends a process that has %s with SIGHUP', async (_, isDevice, kills) => {
    const fake = host();
    const ended = start(['pets', 'list', '--mock'], fake, isDevice as () => boolean);
    fake.emit('SIGHUP');
    await ended;
    expect(fake).toMatchObject({ exitCode: 129, kills });
  });

  test('does not affect ^C', async () => {
    const fake = host();
    const ended = start(['pets', 'list', '--mock'], fake, () => true);
    fake.emit('SIGINT');
    await ended;
    expect(fake.kills).toEqual([]);
  });

  test('EIO on a file is a write error', async () => {
    const fake = host();
    await start(['version'], fake);
    fake.stdout.emit('error', Object.assign(new Error('write EIO'), { code: 'EIO' }));
    expect(fake.exitCode).toBe(1);
  });
});

describe('a closed pipe', () => {
  test('on stdout ends the command without output, exit code 0', async () => {
    const fake = host();
    const ended = start(['pets', 'list', '--mock'], fake);
    fake.stdout.emit('error', Object.assign(new Error('x'), { code: 'EPIPE' }));
    await ended;
    expect(fake.exitCode).toBe(0);
    expect(fake.stderr.written).toEqual([]);
  });

  test('on stdout after the end has exit code 0 as well', async () => {
    const fake = host();
    await start(['pets', 'lst'], fake);
    fake.stdout.emit('error', Object.assign(new Error('x'), { code: 'EPIPE' }));
    expect(fake.exitCode).toBe(0);
  });

  test('on stderr does not end the command or change its exit code', async () => {
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

  test('a full disk has exit code 1 even if the command succeeds', async () => {
    const fake = host();
    const ended = start(['version'], fake);
    fake.stdout.emit('error', Object.assign(new Error('x'), { code: 'ENOSPC' }));
    await ended;
    expect(fake.exitCode).toBe(1);
  });

  test('a full disk ends a command that would continue', async () => {
    const fake = host();
    const ended = start(['pets', 'list', '--mock', '--watch'], fake);
    for (const code of ['ENOSPC', 'ENOSPC'])
      fake.stdout.emit('error', Object.assign(new Error('x'), { code }));
    await ended;
    expect(fake.exitCode).toBe(1);
    expect(fake.stderr.written).toEqual(["error: The output can't be written (ENOSPC)\n"]);
  });

  test('a note that cannot be written changes nothing', async () => {
    const fake = host();
    const ended = start(['pets', 'list', '--mock'], fake);
    fake.stderr.emit('error', Object.assign(new Error('x'), { code: 'ENOSPC' }));
    await ended;
    fake.stderr.emit('error', Object.assign(new Error('x'), { code: 'ENOSPC' }));
    expect(fake.exitCode).toBe(0);
  });

  test('a full disk has exit code 1', async () => {
    const fake = host();
    await start(['version'], fake);
    fake.stdout.emit('error', Object.assign(new Error('x'), { code: 'ENOSPC' }));
    expect(fake.exitCode).toBe(1);
    expect(fake.stderr.written).toEqual(["error: The output can't be written (ENOSPC)\n"]);
  });
});
