import { spawnSync } from 'node:child_process';
import fs, { readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { readBytes, readFileSize, spool, boundedStream } from '../../../src/bulk/input/input-file.js';
import { lockedFiles } from '../../support/locked-files.js';
import { collect, pieces } from '../../support/pieces.js';
import { temporaryFolder } from '../../support/temporary-folder.js';

async function* endless(): AsyncGenerator<Uint8Array> {
  for (;;) {
    yield Buffer.from('x');
    await new Promise((resolve) => setImmediate(resolve));
  }
}

test('reads a file in chunks', async () => {
  const folder = temporaryFolder({ 'a.csv': 'x'.repeat(200_000) });
  const read = await collect(readBytes(join(folder, 'a.csv')));
  expect(read.length).toBeGreaterThan(1);
  expect(Buffer.concat(read)).toHaveLength(200_000);
  expect(await readFileSize(join(folder, 'a.csv'))).toBe(200_000);
});

test('reports a missing file and a folder', async () => {
  const folder = temporaryFolder();
  const missing = join(folder, 'none.csv');
  await expect(readFileSize(missing)).rejects.toMatchObject({
    reason: 'unreadable',
    message: `File ${missing} not found`,
  });
  await expect(collect(readBytes(missing))).rejects.toMatchObject({ reason: 'unreadable' });
  await expect(readFileSize(folder)).rejects.toMatchObject({
    message: expect.stringContaining('is a directory'),
  });
});

test.skipIf(process.platform === 'win32')("rejects a named pipe, which can't be read twice", async () => {
  const path = join(temporaryFolder(), 'pipe');
  spawnSync('mkfifo', [path]);
  await expect(readFileSize(path)).rejects.toMatchObject({ reason: 'unreadable' });
});

test('rejects with the reason of the signal', async () => {
  const folder = temporaryFolder({ 'a.csv': 'x' });
  const reason = new Error('enough');
  await expect(collect(readBytes(join(folder, 'a.csv'), AbortSignal.abort(reason)))).rejects.toBe(reason);
  const controller = new AbortController();
  const reading = collect(boundedStream(endless(), controller.signal));
  controller.abort(reason);
  await expect(reading).rejects.toBe(reason);
  expect(Buffer.concat(await collect(boundedStream(pieces('abc', 2), undefined))).toString()).toBe('abc');
});

describe('spooling a stream', () => {
  test('writes a file that only its owner can read', async () => {
    const journal = join(temporaryFolder(), 'j');
    const path = `${journal}.input.draft`;
    writeFileSync(path, 'left by an import that was killed', { mode: 0o644 });
    const files = lockedFiles(journal);
    expect(await spool(pieces('name,categoryId\n', 3), 'j.input', files, undefined)).toBe(path);
    expect(readFileSync(path, 'utf8')).toBe('name,categoryId\n');
    if (process.platform !== 'win32') expect(statSync(path).mode & 0o777).toBe(0o600);
  });

  test('syncs the file to disk', async () => {
    const files = lockedFiles(join(temporaryFolder(), 'j'));
    const sync = vi.spyOn(fs, 'fsync');
    onTestFinished(() => sync.mockRestore());
    await spool(pieces('name,categoryId\n', 3), 'j.input', files, undefined);
    expect(sync).toHaveBeenCalledOnce();
  });

  test('stops when the signal is aborted', async () => {
    const controller = new AbortController();
    const files = lockedFiles(join(temporaryFolder(), 'j'));
    const spooling = spool(endless(), 'j.input', files, controller.signal);
    const reason = new Error('enough');
    controller.abort(reason);
    await expect(spooling).rejects.toBe(reason);
  });
});

test('a stream without an end is too large', async () => {
  await expect(collect(boundedStream(endless(), undefined, 100))).rejects.toMatchObject({
    reason: 'too-large',
  });
});
