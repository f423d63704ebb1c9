import { createServer } from 'node:http';
import { createServer as createHttpsServer } from 'node:https';
import { PassThrough } from 'node:stream';
import { Pool } from 'undici';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { createProcessContext } from '../../../src/cli/system/process-context.js';
import { AUTHORITY, pemOf } from '../../domain/loopback-servers.js';
import { listening } from '../../support/loopback-port.js';

const { signal: SIGNAL } = new AbortController();

function host(stdin: unknown = new PassThrough()): NodeJS.Process {
  const written: string[] = [];
  const stream = { write: (text: string) => written.push(text) };
  const fake = {
    env: { A: '1' },
    cwd: () => '/nowhere',
    platform: 'linux',
    version: 'v1',
    versions: { node: '1' },
    pid: 5,
    argv: [],
    geteuid: () => 501,
    stdin,
    stdout: { ...stream, isTTY: true, columns: 99 },
    stderr: { ...stream, columns: 99 },
  };
  // The process has only the members that the context reads.
  return fake as unknown as NodeJS.Process;
}

test('reads the process', () => {
  const context = createProcessContext(host(), SIGNAL);
  expect(context).toMatchObject({
    env: { A: '1' },
    currentDirectory: '/nowhere',
    platform: 'linux',
    processId: 5,
    userId: 501,
  });
  expect(context.stdout).toMatchObject({ isTTY: true, columns: 99 });
  expect(context.stderr).toMatchObject({ isTTY: false, columns: undefined });
  expect(context.stdin.isTTY).toBe(false);
});

test('a terminal that reports the width 0 has no known width', () => {
  const fake = host();
  Object.assign(fake.stdout, { columns: 0 });
  expect(createProcessContext(fake, SIGNAL).stdout).toMatchObject({
    isTTY: true,
    columns: undefined,
  });
});

test('a reader that can not be watched does not end the process', async () => {
  const rejections: unknown[] = [];
  const note = (reason: unknown): void => void rejections.push(reason);
  process.on('unhandledRejection', note);
  onTestFinished(() => void process.off('unhandledRejection', note));
  const fake = host();
  const { watchReader } = createProcessContext(fake, SIGNAL);
  let isRead = false;
  Object.defineProperty(fake, 'pid', {
    get() {
      isRead = true;
      throw new Error('no process id');
    },
  });
  const timer = vi.spyOn(globalThis, 'setTimeout').mockImplementationOnce((start) => {
    start();
    // Only `unref` is called.
    return { unref: () => undefined } as unknown as NodeJS.Timeout;
  });
  watchReader!();
  timer.mockRestore();
  await vi.waitUntil(() => isRead, { timeout: 10_000, interval: 1 });
  await new Promise((resolve) => setImmediate(resolve));
  expect(rejections).toEqual([]);
});

test.each([
  ['ENOSPC', ['hint: it was done\n']],
  ['EPIPE', []],
])('a failed write of %s', async (code, expected) => {
  const fake = host();
  const notes: string[] = [];
  Object.assign(fake.stdout, {
    write: (_: string, done?: (error: Error) => void) => done?.(Object.assign(new Error('x'), { code })),
  });
  Object.assign(fake.stderr, { write: (text: string) => notes.push(text) });
  const { stdout } = createProcessContext(fake, SIGNAL);
  stdout.write('data', 'it was done');
  await new Promise((resolve) => setImmediate(resolve));
  expect(notes).toEqual(expected);
});

test('stdin in chunks is closed when the command is stopped, before and during the read', async () => {
  const stdin = new PassThrough();
  const controller = new AbortController();
  const { signal } = controller;
  const pieces = createProcessContext(host(stdin), signal).stdin.read(signal)[Symbol.asyncIterator]();
  stdin.write('a');
  await pieces.next();
  const reading = pieces.next();
  controller.abort(new Error('stop'));
  await expect(reading).rejects.toThrow('stop');
  expect(stdin.destroyed).toBe(true);
  const late = createProcessContext(host(), signal).stdin.read(signal)[Symbol.asyncIterator]();
  await expect(late.next()).rejects.toThrow('stop');
});

describe('the network of a command', () => {
  const send = async (settings: { isBulk: boolean; authorities?: string }, origin: string) => {
    const transport = await createProcessContext(host(), SIGNAL).network(settings);
    onTestFinished(() => transport.close());
    return transport.send({ method: 'GET', origin, path: '/', headers: {}, bodyMaxBytes: 100 }).response;
  };

  test.each([
    [true, 1],
    [false, 0],
  ])('with many requests: %s, uses undici for %d of 1 request', async (isBulk, count) => {
    const dispatch = vi.spyOn(Pool.prototype, 'dispatch');
    onTestFinished(() => dispatch.mockRestore());
    const port = await listening(createServer((_, response) => response.end('[]')));
    expect(await send({ isBulk }, `http://127.0.0.1:${String(port)}`)).toMatchObject({ status: 200 });
    expect(dispatch).toHaveBeenCalledTimes(count);
  });

  test.each([
    ['trusts a given authority', AUTHORITY, 'ERR_TLS_CERT_ALTNAME_INVALID'],
    ['trusts no other authority', undefined, 'UNABLE_TO_GET_ISSUER_CERT_LOCALLY'],
  ])('with many requests %s', async (_, authorities, code) => {
    const server = createHttpsServer({ key: pemOf('shop'), cert: pemOf('shop') });
    const settings = { isBulk: true, ...(authorities === undefined ? {} : { authorities }) };
    const origin = `https://127.0.0.1:${String(await listening(server))}`;
    // The certificate is for another name.
    await expect(send(settings, origin)).rejects.toMatchObject({ code });
  });
});
