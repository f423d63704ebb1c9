import { EventEmitter } from 'node:events';
import { describe, expect, test } from 'vitest';
import { live } from '../../src/cli/lifecycle.js';

function host(env: Record<string, string> = {}) {
  const stream = () => {
    const emitter = new EventEmitter();
    const written: string[] = [];
    return Object.assign(emitter, {
      isTTY: false,
      columns: 80,
      written,
      write: (text: string) => written.push(text),
    });
  };
  const exits: number[] = [];
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
  });
  return fake;
}
type Host = ReturnType<typeof host>;
// Only what a run reads of the process is there.
const start = (argv: string[], fake: Host) => live(argv, fake as unknown as NodeJS.Process);

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

  test('a full disk is a failure', async () => {
    const fake = host();
    await start(['version'], fake);
    fake.stdout.emit('error', Object.assign(new Error('x'), { code: 'ENOSPC' }));
    expect(fake.exitCode).toBe(1);
    expect(fake.stderr.written).toEqual(["error: the output can't be written (ENOSPC)\n"]);
  });
});
