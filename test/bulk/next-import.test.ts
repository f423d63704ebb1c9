import { readdirSync, readFileSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { OpenImportOptions } from '../../src/bulk/job/import-job.js';
import { openImport, previewImport } from '../../src/bulk/open-import.js';
import { ConnectionError } from '../../src/errors.js';
import { createLedgerService, type LedgerOptions } from '../support/ledger-service.js';
import { Crash, createMemoryDisk } from '../support/memory-journal.js';
import { temporaryFolder } from '../support/temporary-folder.js';
import { createVirtualClock } from '../support/virtual-clock.js';

const FIRST = 'name,categoryId\nRex,7\nMia,8\nBo,9\nRex,7\n';
const OTHER = 'name,categoryId\nTom,1\nZoe,2\n';
const THIRD = 'name,categoryId\nKim,5\n';
/** Two of three rows are equal; one row of three equal ones is new. */
const CORRECTED = 'name,categoryId\nRex,7\nMimi,8\nRex,7\nRex,7\n';

function setUp(files: Record<string, string> = { 'pets.csv': FIRST }) {
  const folder = temporaryFolder(files);
  const options = (more: Partial<OpenImportOptions> = {}): OpenImportOptions => ({
    input: { kind: 'file', path: join(folder, 'pets.csv') },
    journal: join(folder, 'j'),
    service: 'http://127.0.0.1:33859/v1',
    clock: createVirtualClock(),
    ...more,
  });
  const run = async (more: Partial<OpenImportOptions> = {}, service: LedgerOptions = {}) => {
    const job = await openImport(options(more));
    const ledger = createLedgerService(service);
    const { counts } = await job.run(ledger.store, { concurrency: 1, onUnknown: 'skip' });
    await job.close();
    return { job, counts, sent: ledger.ledger };
  };
  const replace = (text: string): void => writeFileSync(join(folder, 'pets.csv'), text);
  return { folder, options, run, replace, read: (name: string) => readFileSync(join(folder, name), 'utf8') };
}

const later = (id: bigint) => ({ pets: Array.from({ length: Number(id) }, (_, at) => pet(BigInt(at))) });
const pet = (id: bigint) => ({ id, name: `old ${String(id)}`, categoryId: 1n });

test.each([5, 100, 600])('--resume finds each of %d created rows in a longer file', async (count) => {
  // Equal pairs, too.
  const rows = Array.from({ length: count }, (_, row) => `Pet ${String(row >> 1)},7\n`).join('');
  const { run, replace } = setUp({ 'pets.csv': `name,categoryId\n${rows}` });
  await run();
  replace(`name,categoryId\n${rows}New,7\n`);
  const { counts, sent } = await run({ resume: true, doneRows: 'skip' }, later(BigInt(count + 1)));
  expect(counts).toMatchObject({ created: 1, alreadyDone: count });
  expect(sent).toEqual(['New']);
});

describe('a finished journal of other rows', () => {
  test('is kept under a name with its date, and the import starts', async () => {
    const { folder, run, replace, read } = setUp();
    await run();
    const finished = read('j');
    utimesSync(join(folder, 'j'), new Date(2026, 10, 6), new Date(2026, 10, 6));
    replace(OTHER);
    const { job, counts, sent } = await run();
    expect(job).toMatchObject({ resumed: false, keptJournal: join(folder, 'j.2026-11-06') });
    expect(counts).toMatchObject({ rows: 2, created: 2, alreadyDone: 0 });
    expect(sent).toEqual(['Tom', 'Zoe']);
    expect(read('j.2026-11-06')).toBe(finished);
    if (process.platform !== 'win32') expect(statSync(join(folder, 'j.2026-11-06')).mode & 0o777).toBe(0o600);

    utimesSync(join(folder, 'j'), new Date(2026, 10, 6), new Date(2026, 10, 6));
    replace(THIRD);
    expect((await run()).job.keptJournal).toBe(join(folder, 'j.2026-11-06-2'));
  });

  test('is still compared with the rows of each later file', async () => {
    const { folder, options, run, replace } = setUp();
    for (const [text, day] of [FIRST, OTHER, THIRD].map((text, at) => [text, at + 6] as const)) {
      replace(text);
      await run();
      utimesSync(join(folder, 'j'), new Date(2026, 10, day), new Date(2026, 10, day));
    }
    replace(`${FIRST}Tom,1\nAda,3\n`);
    await expect(openImport(options())).rejects.toMatchObject({
      reason: 'rows-done',
      message: expect.stringMatching(
        /^5 of 6 rows .* import of 2026-11-07 00:00 and 2026-11-06 00:00 created \(journal .*j\.2026-11-07, .*-06\)$/,
      ),
    });
    const preview = await previewImport({ ...options(), doneRows: 'skip' });
    expect(preview.counts).toMatchObject({ alreadyDone: 5, left: 1 });
    expect((await run({ doneRows: 'skip' }, later(100n))).sent).toEqual(['Ada']);
    // A pet that two journals have counts once.
    replace(`${FIRST}Tom,1\nTom,1\n`);
    expect((await run({ doneRows: 'skip' }, later(200n))).sent).toEqual(['Tom']);
  });

  test('is compared only if it is for the same service, and must be readable', async () => {
    const { folder, options, run, replace } = setUp();
    await run({ service: 'http://127.0.0.1:1/v1', journal: join(folder, 'j.2026-11-05') });
    replace(OTHER);
    await run();
    replace(FIRST);
    expect((await run()).sent).toEqual(['Rex', 'Mia', 'Bo', 'Rex']);
    replace(THIRD);
    writeFileSync(join(folder, 'j.2026-11-05'), 'x');
    await expect(openImport(options())).rejects.toMatchObject({ reason: 'journal-damaged' });
  });

  test('is restored if the next import sends nothing', async () => {
    const { folder, options, run, replace, read } = setUp();
    await run();
    const finished = read('j');
    replace(OTHER);
    await (await openImport(options())).close();
    expect(readdirSync(folder).sort()).toEqual(['j', 'pets.csv']);
    expect(read('j')).toBe(finished);
  });

  test.each([
    ['left', { losesEvery: 3 }, 'stop'],
    ['unknown', { losesEvery: 4 }, 'skip'],
  ] as const)('is not replaced if it has rows that are %s', async (_, service, onUnknown) => {
    const { options, replace, read } = setUp();
    const job = await openImport(options());
    await job.run(createLedgerService(service).store, { concurrency: 1, onUnknown });
    await job.close();
    const journal = read('j');
    replace(OTHER);
    await expect(openImport(options())).rejects.toMatchObject({ reason: 'journal-unfinished' });
    await expect(openImport(options({ resume: true }))).rejects.toMatchObject({ reason: 'input-changed' });
    expect(read('j')).toBe(journal);
  });
});

describe('a file with some rows that the finished journal created', () => {
  test('is not sent, and the error has the number of rows and the date', async () => {
    const { folder, options, run, replace, read } = setUp();
    await run();
    const journal = read('j');
    utimesSync(join(folder, 'j'), new Date(2026, 10, 6, 9, 5), new Date(2026, 10, 6, 9, 5));
    replace(CORRECTED);
    await expect(openImport(options())).rejects.toMatchObject({
      reason: 'rows-done',
      message: expect.stringMatching(
        /^2 of 4 rows in .*pets\.csv equal rows that the import of 2026-11-06 09:05 created/,
      ),
    });
    expect([readdirSync(folder).sort(), read('j')]).toEqual([['j', 'pets.csv'], journal]);
  });

  test('counts no row that was rejected', async () => {
    const { run, replace } = setUp();
    await run({}, { rejectsEvery: 2 });
    replace('name,categoryId\nMia,8\n');
    expect((await run()).sent).toEqual(['Mia']);
  });

  test('sends only the other rows with skip, and none twice later', async () => {
    const { options, run, replace } = setUp();
    await run();
    replace(CORRECTED);
    const preview = await previewImport({ ...options(), doneRows: 'skip' });
    expect(preview.counts).toMatchObject({ rows: 4, alreadyDone: 2, left: 2 });
    const { job, counts, sent } = await run({ doneRows: 'skip' }, later(100n));
    expect(job).toMatchObject({ resumed: true, keptJournal: undefined });
    expect(counts).toMatchObject({ rows: 4, created: 2, alreadyDone: 2, left: 0 });
    expect(sent).toEqual(['Mimi', 'Rex']);
    expect((await run()).counts).toMatchObject({ alreadyDone: 4, created: 0 });
    replace(OTHER);
    expect((await run()).sent).toEqual(['Tom', 'Zoe']);
  });

  test('knows the rows of all imports of the journal, each once', async () => {
    const { options, run, replace } = setUp();
    await run();
    replace('name,categoryId\nRex,7\nZoe,2\n');
    expect((await run({ doneRows: 'skip' }, later(100n))).sent).toEqual(['Zoe']);
    replace(`${FIRST}Rex,7\nZoe,2\nZoe,2\n`);
    const { counts } = await previewImport({ ...options(), doneRows: 'skip' });
    expect(counts).toMatchObject({ rows: 7, alreadyDone: 5, left: 2 });
    expect((await run({ doneRows: 'skip' }, later(200n))).sent).toEqual(['Rex', 'Zoe']);
  });

  test('sends all rows with send', async () => {
    const { run, replace } = setUp();
    await run();
    replace(CORRECTED);
    expect((await run({ doneRows: 'send' })).sent).toEqual(['Rex', 'Mimi', 'Rex', 'Rex']);
  });

  test('loses no row if the machine stops at any write', async () => {
    const { options, run, replace, read } = setUp();
    await run();
    const finished = read('j');
    replace(CORRECTED);
    for (const kept of [0, 0.3, 0.6, 0.9, 1]) {
      for (let at = 1; at <= 8; at += 1) {
        const disk = createMemoryDisk(finished, { at, kept });
        const service = createLedgerService(later(100n));
        const open = (memory: typeof disk) =>
          openImport(options({ resume: true, doneRows: 'skip' }), memory.open);
        try {
          await (await open(disk)).run(service.store, { concurrency: 1, onUnknown: 'skip' });
        } catch (error) {
          expect((error as Error).cause).toBeInstanceOf(Crash);
        }
        const job = await open(createMemoryDisk(disk.content()));
        const { counts } = await job.run(service.store, { concurrency: 1, onUnknown: 'skip' });
        expect(counts.created + counts.alreadyDone + counts.unknown).toBe(4);
        for (const name of ['Mimi', 'Rex'])
          expect(service.ledger.filter((each) => each === name).length).toBeLessThanOrEqual(1);
      }
    }
  });
});

describe('the next import that sends no row', () => {
  const refused = { onCreate: () => Promise.reject(new ConnectionError('refused')) };

  test.each([
    ['is closed before its run', undefined],
    ['has no connection', refused],
  ])('leaves the finished journal as it was, if it %s', async (_, service) => {
    const { folder, options, run, replace, read } = setUp();
    await run();
    const state = (): unknown => [read('j'), statSync(join(folder, 'j')).mtime.toISOString()];
    const finished = state();
    replace(OTHER);
    if (service === undefined) await (await openImport(options())).close();
    else expect((await run({}, service)).counts).toMatchObject({ left: 2, unknown: 0 });
    expect(state()).toEqual(finished);
    expect(readdirSync(folder).sort()).toEqual(['j', 'pets.csv']);
    // --resume is then a first run, and so is none.
    expect((await run({ resume: true, doneRows: 'skip' }, later(100n))).sent).toEqual(['Tom', 'Zoe']);
  });

  test.each([
    ['missing', () => undefined],
    ['without a sent row', (text: string) => text.slice(0, text.indexOf('ready') + 15)],
  ])('a journal that is %s does not hide what kept journals created', async (_, change) => {
    const { folder, run, replace, read } = setUp();
    await run();
    replace(OTHER);
    const { job } = await run();
    const journal = change(read('j'));
    rmSync(join(folder, 'j'));
    if (journal !== undefined) writeFileSync(join(folder, 'j'), journal);
    replace(CORRECTED);
    await expect(run()).rejects.toMatchObject({
      reason: 'rows-done',
      message: expect.stringContaining(`(journal ${job.keptJournal!})`),
    });
    expect((await run({ doneRows: 'skip' }, later(200n))).sent).toEqual(['Mimi', 'Rex']);
  });

  test.each([
    ['empty', () => ''],
    ['of zeros', (text: string) => '\0'.repeat(text.length)],
    ['cut in its plan', (text: string) => text.slice(0, 60)],
    ['cut in the plan of its second import', (text: string) => text + text.slice(0, 60)],
  ])(
    'a journal that is %s stops each import, and stays as it is: rows may have been sent',
    async (_, change) => {
      const { folder, run, replace, read } = setUp();
      await run();
      const content = change(read('j'));
      writeFileSync(join(folder, 'j'), content);
      for (const rows of [CORRECTED, OTHER])
        for (const resume of [false, true, 'if-started'] as const) {
          replace(rows);
          await expect(run({ resume })).rejects.toMatchObject({ reason: 'journal-empty' });
        }
      expect(read('j')).toBe(content);
      rmSync(join(folder, 'j'));
      expect((await run({}, later(300n))).sent).toEqual(['Tom', 'Zoe']);
    },
  );
});

test('a finished journal is complete, for any spelling of the address', async () => {
  const { run } = setUp();
  await run();
  for (const service of ['http://127.0.0.1:33859/v1', 'HTTP://127.0.0.1:33859/v1/'])
    expect((await run({ service, keyFingerprint: 'k' })).counts).toMatchObject({ created: 0, left: 0 });
  await expect(run({ service: 'http://127.0.0.1:33859/v2' })).rejects.toMatchObject({
    reason: 'journal-of-other-service',
  });
});

test('a finished journal of another service is kept beside other rows, and says nothing about them', async () => {
  const { folder, run, replace } = setUp();
  const other = { service: 'http://127.0.0.1:33859/v2' };
  await run();
  replace(CORRECTED);
  await expect(run({ ...other, resume: true })).rejects.toMatchObject({ reason: 'journal-of-other-service' });
  const { job, sent } = await run(other);
  expect(job).toMatchObject({
    resumed: false,
    hasOtherKey: false,
    keptJournal: expect.stringContaining(folder),
  });
  expect(sent).toEqual(['Rex', 'Mimi', 'Rex', 'Rex']);
  replace(OTHER);
  expect((await run(other, later(100n))).sent).toEqual(['Tom', 'Zoe']);
  replace(FIRST);
  await expect(run(other)).rejects.toMatchObject({ reason: 'rows-done' });
  replace(THIRD);
  await run();
  // As the hint proposes: the journal is of the first service now, and a kept one of this service.
  replace(OTHER + 'Lea,3\n');
  const resumed = { ...other, resume: true, doneRows: 'skip' } as const;
  expect((await run(resumed, later(200n))).sent).toEqual(['Lea']);
});

test('resume without a journal is an error, and creates none', async () => {
  const { folder, options } = setUp();
  await expect(openImport(options({ resume: true }))).rejects.toMatchObject({ reason: 'journal-missing' });
  await expect(previewImport(options())).rejects.toMatchObject({ reason: 'journal-missing' });
  expect(readdirSync(folder)).toEqual(['pets.csv']);
});

test('resume without a file names the file, not its journal', async () => {
  const { folder, options } = setUp();
  rmSync(join(folder, 'pets.csv'));
  await expect(openImport(options({ resume: true }))).rejects.toMatchObject({ reason: 'unreadable' });
  await expect(previewImport(options())).rejects.toMatchObject({ reason: 'unreadable' });
  expect(readdirSync(folder)).toEqual([]);
});

test('another API key is noticed, but not without the key of the journal', async () => {
  const { options, run } = setUp();
  await run({ keyFingerprint: 'one' });
  for (const [keyFingerprint, hasOtherKey] of [
    ['one', false],
    ['two', true],
    [undefined, false],
  ] as const) {
    const job = await openImport(options({ keyFingerprint }));
    expect(job.hasOtherKey).toBe(hasOtherKey);
    await job.close();
  }
});

test('another API key is noticed each time if rows of the journal are done, but not for other rows', async () => {
  const { options, run, replace } = setUp();
  await run({ keyFingerprint: 'one' });
  replace(CORRECTED);
  await expect(openImport(options({ keyFingerprint: 'two' }))).rejects.toThrow(
    'created with another API key',
  );
  for (let time = 1; time <= 2; time += 1) {
    const job = await openImport(options({ keyFingerprint: 'two', resume: true, doneRows: 'skip' }));
    expect(job.hasOtherKey).toBe(true);
    await job.close();
  }
  await run({ keyFingerprint: 'two', resume: true, doneRows: 'skip' }, later(100n));
  replace(OTHER);
  expect((await run({ keyFingerprint: 'two' })).job.hasOtherKey).toBe(false);
});
