import { EventEmitter } from 'node:events';
import { describe, expect, test } from 'vitest';
import { runProcess } from '../../../src/cli/program/run-process.js';

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
    versions: { node: '20.0.0' },
    version: 'v1',
    pid: 5,
    argv: [],
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

/** Makes a stream fail as Node.js does. */
const fail = (fake: Host, name: 'stdout' | 'stderr', code: string): unknown =>
  fake[name].emit('error', Object.assign(new Error('x'), { code }));
const LIST = ['pets', 'list', '--mock', '--limit', '1'];

test('sets the exit code without calling process.exit', async () => {
  const fake = host();
  await start(['pets', 'lst'], fake);
  expect(fake).toMatchObject({ exitCode: 2, exits: [] });
  expect(fake.stdout.written).toEqual([]);
});

test.each([
  ['SIGINT', 130],
  ['SIGTERM', 143],
])(
  '%s ends the command with exit code %d; the second signal calls process.exit',
  async (signal, exitCode) => {
    const fake = host();
    const ended = start(LIST, fake);
    fake.emit(signal);
    fake.emit(signal);
    // Without listeners a third signal ends the process.
    expect([fake.listenerCount('SIGINT'), fake.listenerCount('SIGTERM')]).toEqual([0, 0]);
    await ended;
    expect(fake).toMatchObject({ exitCode, exits: [exitCode] });
    expect([...fake.stdout.written, ...fake.stderr.written]).toEqual([]);
  },
);

describe('a closed terminal', () => {
  test.each(['stdout', 'stderr'] as const)('does not count as a write error on %s', async (name) => {
    const fake = host();
    fake[name].isTTY = true;
    const ended = start(LIST, fake);
    fail(fake, name, 'EIO');
    await ended;
    fail(fake, name, 'EIO');
    expect(fake).toMatchObject({ exitCode: 129, exits: [] });
    expect(fake.stderr.written).toEqual([]);
  });

  test('is noticed after the end of the command as well', async () => {
    const fake = host();
    fake.stdout.isTTY = true;
    await start(['version'], fake);
    fail(fake, 'stdout', 'EIO');
    expect(fake).toMatchObject({ exitCode: 129, exits: [] });
  });

  test.each([
    ['a terminal', (descriptor: number) => descriptor === 2, [[5, 'SIGHUP', 0]]],
    ['none', () => false, []],
  ])('ends a process that has %s with SIGHUP, also if it comes twice', async (_, isDevice, kills) => {
    const fake = host();
    const ended = start(LIST, fake, isDevice as () => boolean);
    fake.emit('SIGHUP');
    fake.emit('SIGHUP');
    await ended;
    expect(fake).toMatchObject({ exitCode: 129, exits: [], kills });
  });

  test('does not affect ^C', async () => {
    const fake = host();
    const ended = start(LIST, fake, () => true);
    fake.emit('SIGINT');
    await ended;
    expect(fake.kills).toEqual([]);
  });
});

describe('a stream that fails', () => {
  const FULL = ["error: The output can't be written (the disk is full)\n"];

  test.each([
    ['stdout', 'EPIPE', LIST, 0, []],
    ['stdout', 'ENOSPC', ['version'], 1, FULL],
    ['stdout', 'ENOSPC', ['pets', 'list', '--mock', '--watch'], 1, FULL],
    ['stderr', 'EPIPE', LIST, 0, []],
    ['stderr', 'ENOSPC', LIST, 0, []],
  ] as const)('%s, %s, during %j: exit code %d', async (name, code, line, exitCode, errors) => {
    const fake = host();
    const ended = start([...line], fake);
    fail(fake, name, code);
    fail(fake, name, code);
    await ended;
    expect(fake).toMatchObject({ exitCode, stderr: { written: errors } });
    if (name === 'stderr') expect(fake.stdout.written.join('')).toMatch(/^1\t/);
  });

  test.each([
    ['stdout', 'EPIPE', ['pets', 'lst'], 0],
    ['stderr', 'EPIPE', ['pets', 'lst'], 2],
    ['stderr', 'ENOSPC', ['version'], 0],
    ['stdout', 'EIO', ['version'], 1],
    ['stdout', 'ENOSPC', ['version'], 1],
  ] as const)('%s, %s, after %j: exit code %d', async (name, code, line, exitCode) => {
    const fake = host();
    await start([...line], fake);
    fail(fake, name, code);
    expect(fake.exitCode).toBe(exitCode);
    if (code === 'ENOSPC' && name === 'stdout') expect(fake.stderr.written).toEqual(FULL);
  });
});
