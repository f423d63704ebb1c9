import { existsSync, readFileSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { openJournalFile, unwritable } from '../../../src/bulk/journal/journal-file.js';
import { lockJournal } from '../../../src/bulk/journal/journal-lock.js';
import { collect } from '../../support/pieces.js';
import { temporaryFolder } from '../../support/temporary-folder.js';

const readAll = async (file: { read(): AsyncIterable<Uint8Array> }): Promise<string> => {
  const texts: string[] = [];
  for await (const piece of file.read()) texts.push(Buffer.from(piece).toString('latin1'));
  return texts.join('');
};

test('is made for its owner alone, appended to, cut, and read back', async () => {
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

test('is had by one at a time, whatever it is called', async () => {
  const folder = temporaryFolder({ j: '' });
  symlinkSync(join(folder, 'j'), join(folder, 'link'));
  const first = await openJournalFile(join(folder, 'j'));
  for (const name of ['j', 'link'])
    await expect(openJournalFile(join(folder, name))).rejects.toMatchObject({ fault: 'journal-in-use' });
  await first.close();
  await (await openJournalFile(join(folder, 'link'))).close();
});

test.skipIf(process.platform === 'win32')('is not made behind a link that leads nowhere', async () => {
  const folder = temporaryFolder();
  symlinkSync('made', join(folder, 'j'));
  await expect(openJournalFile(join(folder, 'j'))).rejects.toMatchObject({
    fault: 'journal-unwritable',
    message: expect.stringContaining('is a link that leads nowhere'),
  });
  expect(existsSync(join(folder, 'made'))).toBe(false);
});

test('is removed where it was never begun', async () => {
  const path = join(temporaryFolder(), 'j');
  await (await openJournalFile(path)).discard();
  expect(existsSync(path)).toBe(false);
  writeFileSync(path, 'begun');
  await (await openJournalFile(path)).discard();
  expect(readFileSync(path, 'utf8')).toBe('begun');
});

test('that is removed by somebody between our opening and locking it is made anew', async () => {
  const path = join(temporaryFolder(), 'j');
  let tries = 0;
  const file = await openJournalFile(path, (...place) => {
    tries += 1;
    if (tries <= 2) rmSync(path);
    return lockJournal(...place);
  });
  await file.append('kept');
  await file.close();
  expect(readFileSync(path, 'utf8')).toBe('kept');
  const removing: typeof lockJournal = (...place) => {
    rmSync(path);
    return lockJournal(...place);
  };
  await expect(openJournalFile(path, removing)).rejects.toMatchObject({ fault: 'journal-in-use' });
});

test('that was removed while it was opened is another one', async () => {
  const path = join(temporaryFolder(), 'j');
  const first = await openJournalFile(path);
  rmSync(path);
  const second = await openJournalFile(path);
  await second.append('second');
  await first.append('first');
  await Promise.all([first.close(), second.close()]);
  expect(readFileSync(path, 'utf8')).toBe('second');
});

test('that can not be had is an error that names it', async () => {
  const folder = temporaryFolder();
  await expect(openJournalFile(join(folder, 'none', 'j'))).rejects.toMatchObject({
    fault: 'journal-unwritable',
  });
  await expect(openJournalFile(folder)).rejects.toMatchObject({ message: expect.stringContaining(folder) });
  expect(unwritable('j', new Error('odd')).message).toBe("the journal j can't be written (unwritable)");
  await expect(collect((await openJournalFile(join(folder, 'j'))).read())).resolves.toEqual([]);
});
