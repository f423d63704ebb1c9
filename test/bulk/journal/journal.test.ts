import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { InputDigest } from '../../../src/bulk/input/input-digest.js';
import { openJournalFile } from '../../../src/bulk/journal/journal-file.js';
import { Journal } from '../../../src/bulk/journal/journal.js';
import { systemClock } from '../../../src/time/clock.js';
import { createMemoryDisk, type MemoryDisk } from '../../support/memory-journal.js';
import { temporaryFolder } from '../../support/temporary-folder.js';
import { settle } from '../../support/virtual-clock.js';

async function startJournal(disk: MemoryDisk, rows = 9): Promise<Journal> {
  const { journal, found } = await Journal.load(await disk.open(), 'j');
  expect(found).toBeUndefined();
  await journal.start('https://pets.test/v1', digestOf(rows));
  return journal;
}

function digestOf(rows: number): InputDigest {
  const digest = new InputDigest();
  for (let row = 1; row <= rows; row += 1) digest.add({ name: String(row), categoryId: 1n });
  return digest.end();
}

test('sends no row if the lock was lost while its record was written', async () => {
  const path = join(temporaryFolder(), 'j');
  const file = await openJournalFile(path, { clock: systemClock, userId: process.geteuid?.() });
  const { journal } = await Journal.load(file, path);
  await journal.start('https://pets.test/v1', digestOf(9));
  const sync = file.sync.bind(file);
  // As after a suspension of 15 s at this point: another process has broken the lock.
  file.sync = async () => {
    await sync();
    rmSync(`${path}.lock`, { recursive: true });
  };
  await expect(journal.write([{ kind: 'sent', row: 1 }])).rejects.toMatchObject({ reason: 'lock-lost' });
  await journal.close();
});

test('writes the records of a turn together, and those that arrive during a write, in order', async () => {
  const disk = createMemoryDisk();
  const journal = await startJournal(disk);
  const stepsBefore = disk.steps;
  const first = journal.write([{ kind: 'sent', row: 1 }]);
  // In the same turn, but later.
  for (let turns = 0; turns < 8; turns += 1) await Promise.resolve();
  const second = journal.write([{ kind: 'sent', row: 2 }]);
  expect(disk.steps).toBe(stepsBefore);
  await settle();
  const rest = [3, 4].map((row) => journal.write([{ kind: 'sent', row }]));
  const last = journal.write([{ kind: 'created', row: 1, id: 7n }]);
  await Promise.all([first, second]);
  expect(disk.content()).toMatch(/\n>1 >2 [0-9a-f]{8}\n$/);
  await Promise.all([...rest, last]);
  expect(disk.content()).toMatch(/\n>3 >4 =1:7 [0-9a-f]{8}\n$/);
  // The draft gets its name, then one write and one sync each.
  expect(disk.steps - stepsBefore).toBe(5);
});

test.each([1, 2, 3])('writes nothing after a failure (at step %d)', async (step) => {
  const disk = createMemoryDisk('', { at: 2 + step, kept: 0 });
  const journal = await startJournal(disk);
  const writes = [
    journal.write([{ kind: 'sent', row: 1 }]),
    Promise.resolve().then(() => journal.write([{ kind: 'sent', row: 2 }])),
  ];
  for (const write of writes) await expect(write).rejects.toMatchObject({ reason: 'journal-unwritable' });
  await expect(journal.write([{ kind: 'sent', row: 3 }])).rejects.toMatchObject({
    reason: 'journal-unwritable',
  });
  await journal.close();
});

test("rejects if the plan can't be written", async () => {
  await expect(startJournal(createMemoryDisk('', { at: 1, kept: 0 }))).rejects.toMatchObject({
    reason: 'journal-unwritable',
  });
});

test('has the ids of the pets that its rows created', async () => {
  const disk = createMemoryDisk();
  const journal = await startJournal(disk);
  await journal.write([{ kind: 'created', row: 1, id: 9_223_372_036_854_775_807n }]);
  await journal.write([{ kind: 'created', row: 2, id: -8n }]);
  const { createdIds } = (await Journal.load(await createMemoryDisk(disk.content()).open(), 'j')).journal;
  expect([9_223_372_036_854_775_807n, -8n, 8n].map((id) => createdIds.get(id))).toEqual([1, 2, 0]);
});

test('reserves space for the outcomes of all rows in flight before a row is sent', async () => {
  const reserved: number[] = [];
  const file = await createMemoryDisk().open();
  const { journal } = await Journal.load({ ...file, reserve: (bytes) => void reserved.push(bytes) }, 'j');
  await journal.start('https://pets.test/v1', digestOf(3));
  journal.states.set(1, 'in-flight');
  const words = journal.write([{ kind: 'created', row: 2, id: 7n }]);
  await Promise.all([words, journal.write([1, 3].map((row) => ({ kind: 'sent', row })))]);
  expect(reserved).toEqual(['=2:7 >1 >3'.length + 2 * 512]);
});

test('is closed after the current write', async () => {
  const disk = createMemoryDisk();
  const journal = await startJournal(disk);
  void journal.write([{ kind: 'sent', row: 1 }]);
  await journal.close();
  expect(disk.content()).toMatch(/\n>1 [0-9a-f]{8}\n$/);
});

test('starts the next import with the rows that are created', async () => {
  const disk = createMemoryDisk();
  const journal = await startJournal(disk, 1);
  await journal.write([
    { kind: 'created', row: 1, id: 5n },
    { kind: 'saving', path: 'a' },
    { kind: 'saved' },
  ]);
  journal.createdIds.set(5n, 1);
  const created = new Map(Array.from({ length: 600 }, (_, index) => [index + 1, BigInt(1_000 + index)]));
  await journal.start('https://pets.test/v1', digestOf(600), {
    keyFingerprint: 'abc',
    created,
    isNext: true,
  });
  expect(disk.content()).not.toContain('\ni ');
  await journal.publish();
  expect([journal.createdIds.has(5n), journal.createdIds.get(1_599n)]).toEqual([true, 600]);
  const lines = disk.content().match(/^i .*$/gm) ?? [];
  expect(lines.map((line) => line.split('=').length - 1)).toEqual([256, 256, 88]);
  const { found } = await Journal.load(await createMemoryDisk(disk.content()).open(), 'j');
  expect(found).toMatchObject({ keyFingerprint: 'abc', rejectedFiles: [], earlier: { rejectedFiles: [{}] } });
  expect(found?.states.count('already-done')).toBe(600);
  expect(found?.createdIds.has(5n)).toBe(true);
});
