import { existsSync, readFileSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { openJournalFile, journalUnwritable } from '../../../src/bulk/journal/journal-file.js';
import { lockJournal } from '../../../src/bulk/journal/journal-lock.js';
import { collect } from '../../support/pieces.js';
import { temporaryFolder } from '../../support/temporary-folder.js';

const readAll = async (file: { read(): AsyncIterable<Uint8Array> }): Promise<string> => {
  const texts: string[] = [];
  for await (const piece of file.read()) texts.push(Buffer.from(piece).toString('latin1'));
  return texts.join('');
};

test('is created for its owner only, appended to, truncated and read', async () => {
  const path = join(temporaryFolder(), 'j');
  const file = await openJournalFile(path);
  if (process.platform !== 'win32') expect(statSync(path).mode & 0o777).toBe(0o600);
  await file.append('one\n');
  await file.append('x'.repeat(200_000));
  await file.sync();
  await file.truncate(4);
  await file.append('two\n');
  expect(await readAll(file)).toBe('one\ntwo\n');
  await file.close();
  const again = await openJournalFile(path);
  expect(await readAll(again)).toBe('one\ntwo\n');
  await again.append('three\n');
  await again.close();
  expect(readFileSync(path, 'utf8')).toBe('one\ntwo\nthree\n');
});

test('is locked by one process at a time, under any path', async () => {
  const folder = temporaryFolder({ j: '' });
  symlinkSync(folder, join(folder, 'folder'));
  const first = await openJournalFile(join(folder, 'j'));
  for (const path of [join(folder, 'j'), join(folder, 'folder', 'j')])
    await expect(openJournalFile(path)).rejects.toMatchObject({ reason: 'journal-in-use' });
  await first.close();
  await (await openJournalFile(join(folder, 'folder', 'j'))).close();
});

test('is removed if nothing was written', async () => {
  const path = join(temporaryFolder(), 'j');
  await (await openJournalFile(path)).discard();
  expect(existsSync(path)).toBe(false);
  writeFileSync(path, 'started');
  await (await openJournalFile(path)).discard();
  expect(readFileSync(path, 'utf8')).toBe('started');
});

test('is created again if it was removed between opening and locking', async () => {
  const path = join(temporaryFolder(), 'j');
  let tries = 0;
  const lock: typeof lockJournal = (...args) => {
    tries += 1;
    if (tries <= 2) rmSync(path);
    return lockJournal(...args);
  };
  const file = await openJournalFile(path, { lock });
  await file.append('kept');
  await file.close();
  expect(readFileSync(path, 'utf8')).toBe('kept');
  const removing: typeof lockJournal = (...args) => {
    rmSync(path);
    return lockJournal(...args);
  };
  await expect(openJournalFile(path, { lock: removing })).rejects.toMatchObject({ reason: 'journal-in-use' });
});

test('is another file if it was removed while open', async () => {
  const path = join(temporaryFolder(), 'j');
  const first = await openJournalFile(path);
  rmSync(path);
  const second = await openJournalFile(path);
  await second.append('second');
  await first.append('first');
  await Promise.all([first.close(), second.close()]);
  expect(readFileSync(path, 'utf8')).toBe('second');
});

test("is named in the error if it can't be opened", async () => {
  const folder = temporaryFolder();
  await expect(openJournalFile(join(folder, 'none', 'j'))).rejects.toMatchObject({
    reason: 'journal-unwritable',
  });
  await expect(openJournalFile(folder)).rejects.toMatchObject({ message: expect.stringContaining(folder) });
  expect(journalUnwritable('j', new Error('odd')).message).toBe("Can't write journal j (unwritable)");
  const file = await openJournalFile(join(folder, 'j'));
  await expect(collect(file.read())).resolves.toEqual([]);
  // The lock is named by the inode, which a later test's journal may get.
  await file.close();
});
