import {
  chmodSync,
  linkSync,
  mkdirSync,
  readFileSync,
  readdirSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { openJournalFile, openJournalToRead } from '../../../src/bulk/journal/journal-file.js';
import { changeOwner } from '../../support/change-owner.js';
import { temporaryFolder } from '../../support/temporary-folder.js';

const userId = process.geteuid?.();
const clock = { setTimeout };
const openJournal = (path: string, owner = userId) => openJournalFile(path, { userId: owner, clock });
const CONTENT = 'petstore-journal/1 of someone';

/** A folder with a journal that only its owner can read and write. */
function journalFolder() {
  const folder = temporaryFolder({ j: CONTENT });
  const path = join(folder, 'j');
  chmodSync(path, 0o600);
  return { folder, path };
}

/** Expects that neither way to open the journal accepts it, and that it is unchanged. */
async function expectRejected(
  path: string,
  reason: string,
  message: string,
  userId = process.geteuid?.(),
): Promise<void> {
  const error = { name: 'BulkError', reason, message: expect.stringContaining(message) };
  await expect(openJournal(path, userId)).rejects.toMatchObject(error);
  await expect(openJournalToRead(path, userId)).rejects.toMatchObject(error);
  expect(readFileSync(path, 'utf8')).toBe(CONTENT);
}

test.each([
  ['a journal with a sent row', `${CONTENT}\nready 1\n>1 2\n`, /Keep this journal/],
  [
    'a journal without one',
    `${CONTENT}\nready 1\n`,
    /^Check the path of the journal\. A new journal does not know/,
  ],
  ['another file', '# notes\n> quoted\n', /^Check the path of the journal\. A new journal does not know/],
])('the remedy for a link to %s', async (_, content, remedy) => {
  const folder = temporaryFolder({ j: content });
  symlinkSync('j', join(folder, 'link'));
  await expect(openJournal(join(folder, 'link'))).rejects.toMatchObject({
    reason: 'journal-linked',
    remedy: expect.stringMatching(remedy) as string,
  });
});

describe.skipIf(userId === undefined)('a journal is rejected', () => {
  test('of another user', async () => {
    const { path } = journalFolder();
    await expectRejected(path, 'journal-foreign', 'belongs to another user (', changeOwner(path));
  });

  test.each([0o620, 0o602, 0o666, 0o777])('that others can write: mode %o', async (mode) => {
    const { path } = journalFolder();
    chmodSync(path, mode);
    await expectRejected(path, 'journal-exposed', `(mode ${mode.toString(8)})`);
  });

  test('in a folder in which others can replace it', async () => {
    const { folder, path } = journalFolder();
    chmodSync(folder, 0o777);
    await expectRejected(path, 'journal-folder-exposed', 'all users can write its folder (mode 777)');
  });

  test('with a second hard link', async () => {
    const { folder, path } = journalFolder();
    linkSync(path, join(folder, 'other'));
    await expectRejected(path, 'journal-linked', 'has a second hard link');
  });

  test.each(['j', 'missing', '.'])('that is a symbolic link to %s', async (target) => {
    const { folder } = journalFolder();
    symlinkSync(target, join(folder, 'link'));
    const error = { reason: 'journal-linked', message: expect.stringContaining('is a symbolic link') };
    await expect(openJournal(join(folder, 'link'))).rejects.toMatchObject(error);
    await expect(openJournalToRead(join(folder, 'link'), userId)).rejects.toMatchObject(error);
    expect(readdirSync(folder).sort()).toEqual(['j', 'link']);
  });
});

describe.skipIf(userId === undefined)('a new journal', () => {
  test('is not left in a folder in which others can replace it', async () => {
    const folder = temporaryFolder();
    chmodSync(folder, 0o777);
    await expect(openJournal(join(folder, 'j'))).rejects.toMatchObject({
      reason: 'journal-folder-exposed',
    });
    expect(readdirSync(folder)).toEqual([]);
  });

  test.each([0o1777, 0o775, 0o755])('is accepted in a folder of mode %o', async (mode) => {
    const folder = join(temporaryFolder(), 'shared');
    mkdirSync(folder);
    chmodSync(folder, mode);
    for (let opens = 0; opens < 2; opens += 1) await (await openJournal(join(folder, 'j'))).close();
    (await openJournalToRead(join(folder, 'j'), userId))?.close();
  });
});

test('without a user id, as on Windows, owners and modes are not checked', async () => {
  const { path } = journalFolder();
  chmodSync(path, 0o666);
  await (await openJournalFile(path, { clock })).close();
});

test('a missing journal is not created to read it', async () => {
  const folder = temporaryFolder();
  expect(await openJournalToRead(join(folder, 'j'), userId)).toBeUndefined();
  writeFileSync(join(folder, 'file'), '');
  await expect(openJournalToRead(join(folder, 'file', 'j'), userId)).rejects.toMatchObject({
    reason: 'journal-unwritable',
  });
  expect(readdirSync(folder)).toEqual(['file']);
});
