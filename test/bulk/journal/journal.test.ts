import { expect, test } from 'vitest';
import { InputDigest } from '../../../src/bulk/input/input-digest.js';
import { Journal } from '../../../src/bulk/journal/journal.js';
import { createMemoryDisk, type MemoryDisk } from '../../support/memory-journal.js';

async function begin(disk: MemoryDisk, rows = 9): Promise<Journal> {
  const { journal, found } = await Journal.load(await disk.open(), 'j');
  expect(found).toBeUndefined();
  const digest = new InputDigest();
  for (let row = 1; row <= rows; row += 1) digest.add({ name: String(row), categoryId: 1n });
  await journal.begin('https://pets.test/v1', digest.end());
  return journal;
}

test('what comes while the disk is busy is written together, in order', async () => {
  const disk = createMemoryDisk();
  const journal = await begin(disk);
  const stepsBefore = disk.steps;
  const first = journal.write([{ kind: 'sent', row: 1 }]);
  await Promise.resolve();
  const rest = [2, 3, 4].map((row) => journal.write([{ kind: 'sent', row }]));
  const last = journal.write([{ kind: 'created', row: 1, id: 7n }]);
  await first;
  expect(disk.content()).toMatch(/\n>1 [0-9a-f]{8}\n$/);
  await Promise.all([...rest, last]);
  expect(disk.content()).toMatch(/\n>2 >3 >4 =1:7 [0-9a-f]{8}\n$/);
  // One write and one sync each.
  expect(disk.steps - stepsBefore).toBe(4);
});

test('a record is on the disk once its write resolves', async () => {
  const disk = createMemoryDisk();
  const journal = await begin(disk);
  for (let row = 1; row <= 9; row += 1) {
    await journal.write([{ kind: 'sent', row }]);
    expect(disk.content()).toContain(`>${String(row)} `);
  }
});

test.each([1, 2])('nothing is written after a failure (at step %d)', async (step) => {
  const disk = createMemoryDisk('', { at: 2 + step, kept: 0 });
  const journal = await begin(disk);
  const writes = [
    journal.write([{ kind: 'sent', row: 1 }]),
    Promise.resolve().then(() => journal.write([{ kind: 'sent', row: 2 }])),
  ];
  for (const write of writes) await expect(write).rejects.toMatchObject({ fault: 'journal-unwritable' });
  await expect(journal.write([{ kind: 'sent', row: 3 }])).rejects.toMatchObject({
    fault: 'journal-unwritable',
  });
  await journal.close();
});

test('a plan that can not be written is an error', async () => {
  await expect(begin(createMemoryDisk('', { at: 1, kept: 0 }))).rejects.toMatchObject({
    fault: 'journal-unwritable',
  });
});

test('knows which animals it has made', async () => {
  const disk = createMemoryDisk();
  const journal = await begin(disk);
  await journal.write([{ kind: 'created', row: 1, id: 9_223_372_036_854_775_807n }]);
  void journal.write([{ kind: 'created', row: 2, id: 8n }]);
  expect(await journal.createdAmong(new Set([9_223_372_036_854_775_807n, 8n, 7n]))).toEqual(
    new Set([9_223_372_036_854_775_807n, 8n]),
  );
});
