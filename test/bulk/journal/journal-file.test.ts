import {
  appendFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { journalUnwritable, openJournalFile } from '../../../src/bulk/journal/journal-file.js';
import { collect } from '../../support/pieces.js';
import { temporaryFolder } from '../../support/temporary-folder.js';

const readAll = async (file: { read(): AsyncIterable<Uint8Array> }): Promise<string> => {
  const texts: string[] = [];
  for await (const piece of file.read()) texts.push(Buffer.from(piece).toString('latin1'));
  return texts.join('');
};

const openJournal = (path: string) => openJournalFile(path, { clock: { setTimeout } });
/** Opens a journal, and creates it if missing. */
const startJournal = async (path: string) => {
  const file = await openJournal(path);
  file.draft(false);
  file.publish();
  return file;
};

test('is created for its owner only, appended to, truncated and read', async () => {
  const path = join(temporaryFolder(), 'j');
  const file = await openJournal(path);
  expect(file.isNew).toBe(true);
  file.draft(false);
  expect(existsSync(path)).toBe(false);
  file.publish();
  if (process.platform !== 'win32') expect(statSync(path).mode & 0o777).toBe(0o600);
  await file.append('one\n');
  await file.append('x'.repeat(200_000));
  await file.sync();
  await file.truncate(4);
  await file.append('two\n');
  expect(await readAll(file)).toBe('one\ntwo\n');
  await file.close();
  const again = await openJournal(path);
  expect(again.isNew).toBe(false);
  expect(await readAll(again)).toBe('one\ntwo\n');
  await again.append('three\n');
  await again.close();
  expect(readFileSync(path, 'utf8')).toBe('one\ntwo\nthree\n');
});

test('is locked by one process at a time, under any path', async () => {
  const folder = temporaryFolder({ j: '' });
  symlinkSync(folder, join(folder, 'folder'));
  const first = await openJournal(join(folder, 'j'));
  for (const path of [join(folder, 'j'), join(folder, 'folder', 'j')])
    await expect(openJournal(path)).rejects.toMatchObject({
      reason: 'journal-in-use',
      message: `Another import uses journal ${path}`,
    });
  await first.close();
  await (await openJournal(join(folder, 'folder', 'j'))).close();
});

test('an abort ends the wait for the lock of a process that can not be checked', async () => {
  const path = join(temporaryFolder(), 'j');
  mkdirSync(`${path}.lock`);
  writeFileSync(join(`${path}.lock`, 'elsewhere_7_9_01234567-89ab-4cde-8f01-23456789abcd'), '');
  const abort = new AbortController();
  const opened = openJournalFile(path, { clock: { setTimeout }, signal: abort.signal });
  abort.abort(new Error('stopped'));
  await expect(opened).rejects.toThrow('stopped');
  expect(existsSync(path)).toBe(false);
});

test.each([true, false])(
  'stays as it is while a draft with its content (%j) is written',
  async (hasContent) => {
    const folder = temporaryFolder({ j: 'finished\n' });
    const path = join(folder, 'j');
    for (const isPublished of [false, true]) {
      const file = await openJournal(path);
      file.draft(hasContent);
      await file.append('next\n');
      file.reserve(100);
      await file.sync();
      expect(readFileSync(path, 'utf8')).toBe('finished\n');
      if (isPublished) file.publish();
      else file.remove();
      await file.close();
      expect(readdirSync(folder)).toEqual(['j']);
    }
    expect(readFileSync(path, 'utf8')).toBe(`${hasContent ? 'finished\n' : ''}next\n`);
  },
);

test('is removed only if it was published', async () => {
  const folder = temporaryFolder();
  const file = await openJournal(join(folder, 'j'));
  file.draft(false);
  file.publish();
  file.remove();
  await file.close();
  expect(readdirSync(folder)).toEqual([]);
});

describe('a journal that another process changed', () => {
  const changes = {
    longer: (path: string) => appendFileSync(path, 'other\n'),
    shorter: (path: string) => truncateSync(path, 2),
    removed: (path: string) => rmSync(path),
    'written in its reserved space': (path: string) =>
      writeFileSync(path, Buffer.concat([Buffer.from('one\nother\n'), readFileSync(path).subarray(10)])),
  };
  test.each(Object.entries(changes))('is not written or removed: %s', async (_, change) => {
    const path = join(temporaryFolder(), 'j');
    const file = await startJournal(path);
    await file.append('one\n');
    file.reserve(100);
    await file.append('');
    change(path);
    const before = existsSync(path) ? readFileSync(path) : undefined;
    const error = { name: 'LockLostError', message: `Another process changed or removed ${path}` };
    await expect(file.append('two\n')).rejects.toMatchObject(error);
    expect(() => file.reserve(1_000_000)).toThrow(error.message);
    expect(() => {
      file.remove();
    }).toThrow(error.message);
    await file.close();
    expect(existsSync(path) ? readFileSync(path) : undefined).toEqual(before);
    expect(existsSync(`${path}.lock`)).toBe(false);
  });

  test('is not removed after the lock was lost', async () => {
    const path = join(temporaryFolder(), 'j');
    const file = await startJournal(path);
    await file.append('one\n');
    rmSync(`${path}.lock`, { recursive: true });
    expect(() => {
      file.remove();
    }).toThrow('Another process changed or removed');
    await file.close();
    expect(readFileSync(path, 'utf8')).toBe('one\n');
  });

  test('is locked by its name, also if the file was moved', async () => {
    const path = join(temporaryFolder(), 'j');
    const file = await startJournal(path);
    renameSync(path, `${path}-moved`);
    await expect(openJournal(path)).rejects.toMatchObject({ reason: 'journal-in-use' });
    const moved = await openJournal(`${path}-moved`);
    await moved.append('moved\n');
    await expect(file.append('one\n')).rejects.toMatchObject({ name: 'LockLostError' });
    await Promise.all([moved.close(), file.close()]);
    expect(readFileSync(`${path}-moved`, 'utf8')).toBe('moved\n');
  });
});

test('reserves space until it is closed', async () => {
  const path = join(temporaryFolder(), 'j');
  const file = await startJournal(path);
  await file.append('one\n');
  file.reserve(100);
  const { size } = statSync(path);
  expect(size).toBeGreaterThan(104);
  file.reserve(100);
  await file.append('two\n');
  expect(statSync(path).size).toBe(size);
  expect(readFileSync(path, 'latin1').replaceAll('\0', '')).toBe('one\ntwo\n');
  file.reserve(size);
  expect(statSync(path).size).toBeGreaterThan(size + 8);
  await file.close();
  expect(readFileSync(path, 'utf8')).toBe('one\ntwo\n');
});

test("is named in the error if it can't be opened", async () => {
  const folder = temporaryFolder();
  await expect(openJournal(join(folder, 'none', 'j'))).rejects.toMatchObject({
    reason: 'journal-unwritable',
    remedy: 'Check the path of the journal. If the journal is new, create its folder first.',
  });
  await expect(openJournal(folder)).rejects.toMatchObject({ message: expect.stringContaining(folder) });
  expect(journalUnwritable('j', new Error('odd')).message).toBe("Can't write journal j (odd)");
  const file = await openJournal(join(folder, 'j'));
  await expect(collect(file.read())).resolves.toEqual([]);
  await file.close();
});
