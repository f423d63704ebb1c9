import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { OpenImportOptions } from '../../src/bulk/job/import-job.js';
import { openImport, previewImport } from '../../src/bulk/open-import.js';
import { AuthenticationError, UnknownOutcomeError } from '../../src/errors.js';
import { createLedgerService, type LedgerOptions } from '../support/ledger-service.js';
import { pieces } from '../support/pieces.js';
import { temporaryFolder } from '../support/temporary-folder.js';
import { createVirtualClock } from '../support/virtual-clock.js';

const TABLE = 'name,categoryId\nRex,7\nMia,8\nZoe,9\n';
/** The second response is lost, so an import stops with one row in each state. */
const HALFWAY: LedgerOptions = { losesEvery: 2 };

function optionsIn(folder: string, more: Partial<OpenImportOptions> = {}): OpenImportOptions {
  const input = { kind: 'file', path: join(folder, 'pets.csv') } as const;
  return {
    input,
    journal: join(folder, 'j'),
    service: 'https://pets.test/v1',
    clock: createVirtualClock(),
    ...more,
  };
}

async function importOnce(options: OpenImportOptions, service: LedgerOptions = {}) {
  const job = await openImport(options);
  const report = await job.run(createLedgerService(service).store, { concurrency: 1 });
  await job.close();
  return { job, report };
}

describe('an import', () => {
  test('is checked and counted before sending', async () => {
    const folder = temporaryFolder({ 'pets.csv': TABLE });
    const job = await openImport(optionsIn(folder));
    expect(job.check).toEqual({
      format: 'csv',
      delimiter: ',',
      rows: 3,
      errors: [],
      errorCount: 0,
      notes: [],
    });
    expect(job.counts).toMatchObject({ rows: 3, left: 3, created: 0 });
    expect([job.resumed, job.inputPath]).toEqual([false, join(folder, 'pets.csv')]);
    expect(existsSync(join(folder, 'j'))).toBe(false);
    await job.close();
    expect(readdirSync(folder)).toEqual(['pets.csv']);
  });

  test('that sends no row leaves a journal, so that the next one can resume or start', async () => {
    const folder = temporaryFolder({ 'pets.csv': TABLE });
    const none = { onCreate: () => Promise.reject(new AuthenticationError('who?', { status: 401 })) };
    const { report } = await importOnce(optionsIn(folder), none);
    expect(report).toMatchObject({ counts: { left: 3 }, stopped: { reason: 'rejected' } });
    expect(readdirSync(folder).sort()).toEqual(['j', 'pets.csv']);
    expect(readFileSync(join(folder, 'j'), 'utf8')).toContain('"service":"https://pets.test/v1","rows":3');
    // The rows, the service and the key may have changed meanwhile: nothing was sent.
    writeFileSync(join(folder, 'pets.csv'), `${TABLE}Tom,1\n`);
    for (const resume of [true, false, 'if-started'] as const) {
      const job = await openImport({ ...optionsIn(folder), resume, service: 'https://other.test/v1' });
      expect([job.counts.left, job.resumed]).toEqual([4, false]);
      await job.close();
    }
    const { check, counts } = await previewImport(optionsIn(folder));
    expect([check.rows, counts.left]).toEqual([4, 4]);
    expect((await importOnce({ ...optionsIn(folder), resume: true })).report.counts.created).toBe(4);
  });

  test('runs once', async () => {
    const { job } = await importOnce(optionsIn(temporaryFolder({ 'pets.csv': TABLE })));
    await expect(job.run(createLedgerService().store)).rejects.toThrow('once');
  });

  test('locks its journal until it is closed', async () => {
    const options = optionsIn(temporaryFolder({ 'pets.csv': TABLE }));
    const job = await openImport(options);
    await expect(openImport({ ...options, resume: true })).rejects.toMatchObject({
      reason: 'journal-in-use',
    });
    await job.close();
    await (await openImport(options)).close();
  });

  test('with invalid rows leaves no journal', async () => {
    const folder = temporaryFolder({ 'pets.csv': `${TABLE}Tom\n` });
    await expect(openImport(optionsIn(folder))).rejects.toMatchObject({
      reason: 'rows',
      check: { rows: 4, errorCount: 1, errors: [{ row: 4, line: 5 }] },
    });
    expect(readdirSync(folder)).toEqual(['pets.csv']);
  });

  test('of a missing file leaves no journal', async () => {
    const folder = temporaryFolder();
    await expect(openImport(optionsIn(folder))).rejects.toMatchObject({ reason: 'unreadable' });
    expect(readdirSync(folder)).toEqual([]);
  });

  test('rejects with the reason of the signal during the check', async () => {
    const folder = temporaryFolder({ 'pets.csv': TABLE });
    const reason = new Error('enough');
    await expect(openImport(optionsIn(folder, { signal: AbortSignal.abort(reason) }))).rejects.toBe(reason);
    expect(readdirSync(folder)).toEqual(['pets.csv']);
  });
});

describe('an existing journal', () => {
  test('needs resume, unless all rows are done', async () => {
    const options = optionsIn(temporaryFolder({ 'pets.csv': TABLE }));
    await importOnce(options, HALFWAY);
    await expect(openImport(options)).rejects.toMatchObject({
      reason: 'journal-unfinished',
      message: expect.stringContaining('1 row left and 1 of unknown outcome'),
      counts: { alreadyDone: 1, unknown: 1, left: 1 },
    });
    const job = await openImport({ ...options, resume: true });
    expect([job.resumed, job.counts.left]).toEqual([true, 1]);
    await job.close();
    const done = optionsIn(temporaryFolder({ 'pets.csv': TABLE }));
    await importOnce(done);
    expect((await importOnce(done)).report).toMatchObject({ sent: 0, counts: { alreadyDone: 3 } });
  });

  test.each([
    ['changed', TABLE.replace('Mia,8', 'Mia,9'), 3],
    ['added', `${TABLE}Tom,1\n`, 5],
    ['taken away', TABLE.replace('Mia,8\n', ''), 3],
    ['moved', 'name,categoryId\nMia,8\nRex,7\nZoe,9\n', 2],
  ])('rejects an input with a row %s, and is not changed', async (_, table, line) => {
    const folder = temporaryFolder({ 'pets.csv': TABLE });
    const options = optionsIn(folder, { resume: 'if-started' });
    await importOnce(options, HALFWAY);
    const journal = readFileSync(options.journal);
    writeFileSync(join(folder, 'pets.csv'), table);
    await expect(openImport(options)).rejects.toMatchObject({ reason: 'input-changed', line });
    expect(readFileSync(options.journal)).toEqual(journal);
  });

  test('accepts the same rows in another format', async () => {
    const folder = temporaryFolder({ 'pets.csv': TABLE, 'pets.ndjson': '' });
    await importOnce(optionsIn(folder), HALFWAY);
    const path = join(folder, 'pets.ndjson');
    writeFileSync(
      path,
      ['Rex,7', 'Mia,8', 'Zoe,9'].map((row) => `{"name":"${row.replace(',', '","categoryId":')}}\n`).join(''),
    );
    const job = await openImport(optionsIn(folder, { input: { kind: 'file', path }, resume: true }));
    expect(job.counts).toMatchObject({ alreadyDone: 1, left: 1 });
    await job.close();
  });

  test('that is another kind of file is not changed', async () => {
    const folder = temporaryFolder({ 'pets.csv': TABLE });
    const options = optionsIn(folder, { journal: join(folder, 'pets.csv') });
    await expect(openImport(options)).rejects.toMatchObject({ reason: 'journal-damaged', line: 1 });
    expect(readFileSync(join(folder, 'pets.csv'), 'utf8')).toBe(TABLE);
  });
});

describe('a stream', () => {
  const stream = (text: string) => ({ kind: 'stream', bytes: pieces(text, 5) }) as const;

  test('is kept in a private file until all rows are done', async () => {
    const folder = temporaryFolder();
    const options = optionsIn(folder);
    const { job } = await importOnce({ ...options, input: stream(TABLE) }, HALFWAY);
    const copy = join(folder, 'j.input');
    expect(job.inputPath).toBe(copy);
    if (process.platform !== 'win32') expect(statSync(copy).mode & 0o777).toBe(0o600);
    expect(readFileSync(copy, 'utf8')).toBe(TABLE);

    // The same stream again, or the copy of it.
    const again = await openImport({ ...options, input: stream(TABLE), resume: true });
    expect(again.counts.left).toBe(1);
    await again.close();
    const fromCopy = await openImport({ ...options, input: { kind: 'file', path: copy }, resume: true });
    expect(fromCopy.counts.left).toBe(1);
    await fromCopy.close();
    expect(existsSync(copy)).toBe(true);

    const other = optionsIn(folder, { journal: join(folder, 'other') });
    await importOnce({ ...other, input: stream(TABLE) });
    expect(existsSync(join(folder, 'other.input'))).toBe(false);
  });

  test('with other rows does not replace the copy of the first', async () => {
    const folder = temporaryFolder();
    const options = optionsIn(folder, { resume: 'if-started' });
    await importOnce({ ...options, input: stream(TABLE) }, HALFWAY);
    await expect(
      openImport({ ...options, input: stream(TABLE.replace('Rex', 'Tex')) }),
    ).rejects.toMatchObject({
      reason: 'input-changed',
      line: 2,
      message: expect.stringMatching(/^Line 2 of the input has changed/),
    });
    expect(readFileSync(join(folder, 'j.input'), 'utf8')).toBe(TABLE);
    expect(readdirSync(folder)).toEqual(['j', 'j.input']);
  });

  test('with invalid rows leaves no file', async () => {
    const folder = temporaryFolder();
    await expect(openImport({ ...optionsIn(folder), input: stream('{"name":"Rex"}') })).rejects.toMatchObject(
      {
        reason: 'rows',
        check: { format: 'ndjson' },
      },
    );
    expect(readdirSync(folder)).toEqual([]);
  });
});

test('rows without a response are reported by every run', async () => {
  const options = optionsIn(temporaryFolder({ 'pets.csv': TABLE }), { resume: 'if-started' });
  const lost: LedgerOptions = {
    onCreate() {
      throw new UnknownOutcomeError('lost');
    },
  };
  const job = await openImport(options);
  const { counts } = await job.run(createLedgerService(lost).store, { concurrency: 1, onUnknown: 'skip' });
  await job.close();
  expect(counts).toMatchObject({ unknown: 3, left: 0 });
  expect((await importOnce(options)).report).toMatchObject({
    stopped: { reason: 'unknown-outcome' },
    counts: { unknown: 3 },
  });
});

test.each([
  ['https://pets.test', 'https://PETS.test:443/', true],
  ['https://pets.test/v1', 'https://pets.test/v1//', true],
  ['https://pets.test/v1', 'https://pets.test/V1', false],
  ['https://pets.test/v1', 'http://pets.test/v1', false],
  ['https://pets.test/v1', 'https://pets.test:8443/v1', false],
])('%s and %s are the same service: %s', async (first, second, isSame) => {
  const folder = temporaryFolder({ 'pets.csv': TABLE });
  await importOnce(optionsIn(folder, { service: first }));
  const outcome = importOnce(optionsIn(folder, { service: second })).then(
    () => true,
    () => false,
  );
  expect(await outcome).toBe(isSame);
});
