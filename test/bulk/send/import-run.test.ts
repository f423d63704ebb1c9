import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { type ImportEvent, NO_ROWS, type RunOptions } from '../../../src/bulk/job/import-job.js';
import { openImport } from '../../../src/bulk/open-import.js';
import { RateLimitError } from '../../../src/errors.js';
import type { Pet } from '../../../src/schema/pet-reader.js';
import { createLedgerService, type LedgerOptions, type LedgerService } from '../../support/ledger-service.js';
import { temporaryFolder } from '../../support/temporary-folder.js';
import { createVirtualClock } from '../../support/virtual-clock.js';

const ROWS = 20;

function folderWithPets(): string {
  const lines = Array.from({ length: ROWS }, (_, index) => `pet ${String(index + 1)};7;sold\n`);
  return temporaryFolder({ 'pets.csv': `name;categoryId;status\n${lines.join('')}` });
}

/** Runs the import in this folder, one row at a time. */
async function importIn(folder: string, service: LedgerService, options: RunOptions = {}) {
  const path = join(folder, 'pets.csv');
  const events: ImportEvent[] = [];
  const clock = createVirtualClock();
  const job = await openImport({
    input: { kind: 'file', path },
    journal: `${path}.journal`,
    service: 's',
    resume: 'if-started',
    clock,
  });
  const report = await job.run(service.store, {
    concurrency: 1,
    ...options,
    onEvent(event) {
      events.push(event);
      if (event.type === 'waiting' && options.signal === undefined)
        setImmediate(() => void clock.advance(event.delayMs));
      options.onEvent?.(event);
    },
  });
  await job.close();
  return { report, events, types: events.map(({ type }) => type) };
}

const NONE = { ...NO_ROWS, rows: ROWS };

test('sends every row, and nothing in a second run', async () => {
  const folder = folderWithPets();
  const service = createLedgerService();
  const { report, types } = await importIn(folder, service);
  expect(report).toEqual({ counts: { ...NONE, created: ROWS }, sent: ROWS, rejectedRows: [] });
  expect([types[0], types.at(-1)]).toEqual(['progress', 'progress']);
  const again = await importIn(folder, service);
  expect(again.report).toEqual({ counts: { ...NONE, alreadyDone: ROWS }, sent: 0, rejectedRows: [] });
  expect([service.requests, service.lists]).toEqual([ROWS, 0]);
});

describe('rows of unknown outcome', () => {
  const LOSING: LedgerOptions = { losesEvery: 7 };
  const BREAKING: LedgerOptions = {
    onCreate(pet) {
      if (pet.name === 'pet 3') throw new Error('the connection broke');
    },
  };

  test('stop this run and later ones by default', async () => {
    const folder = folderWithPets();
    const service = createLedgerService(LOSING);
    const { report } = await importIn(folder, service);
    expect(report.stopped).toMatchObject({ reason: 'unknown-outcome' });
    expect(report.counts).toEqual({ ...NONE, created: 6, unknown: 1, left: 13 });
    expect(report.unknown).toMatchObject({ coverage: 'all', rows: [{ row: 7, line: 8, listed: [1_006n] }] });
    const again = await importIn(folder, service);
    expect(again.report).toMatchObject({ sent: 0, stopped: { reason: 'unknown-outcome' } });
    expect(again.report.counts).toEqual({ ...NONE, alreadyDone: 6, unknown: 1, left: 13 });
    expect(again.report.unknown).toEqual(report.unknown);
  });

  test('are skipped with onUnknown skip, but reported', async () => {
    const { report, types } = await importIn(folderWithPets(), createLedgerService(LOSING), {
      onUnknown: 'skip',
    });
    expect(report.counts).toEqual({ ...NONE, created: 18, unknown: 2 });
    expect(report.stopped).toBeUndefined();
    expect(report.unknown?.rows.map(({ row }) => row)).toEqual([7, 14]);
    expect(types.filter((type) => type === 'matching' || type === 'unknown')).toEqual([
      'unknown',
      'unknown',
      'matching',
    ]);
  });

  test('are sent again with onUnknown retry, unless they match a listed pet', async () => {
    // Rows 8 and 16 were created, row 14 was not.
    const service = createLedgerService({
      losesEvery: 8,
      onCreate(_, request) {
        if (request === 14) throw new Error('the connection broke');
      },
    });
    const { report, events } = await importIn(folderWithPets(), service, { onUnknown: 'retry' });
    expect(events).toContainEqual({ type: 'retrying', rows: 1 });
    expect(report.counts).toEqual({ ...NONE, created: 18, unknown: 2 });
    expect(report.unknown?.rows.map(({ row, listed }) => [row, listed.length])).toEqual([
      [8, 1],
      [16, 1],
    ]);
    expect(service.ledger).toHaveLength(ROWS);
    expect(new Set(service.ledger).size).toBe(ROWS);
  });

  test('are sent again once in a run, after 30 s', async () => {
    const service = createLedgerService(BREAKING);
    const folder = folderWithPets();
    const { report, events } = await importIn(folder, service, { onUnknown: 'retry' });
    expect(report.counts).toEqual({ ...NONE, created: 19, unknown: 1 });
    expect(service.requests).toBe(ROWS + 1);
    expect(events).toContainEqual({ type: 'waiting', rows: 1, delayMs: 30_000 });
    // Another run waits too, because it does not know the time of the last attempt.
    const again = await importIn(folder, service, { onUnknown: 'retry' });
    expect(again.report.sent).toBe(1);
    expect(again.types.indexOf('waiting')).toBeLessThan(again.types.indexOf('retrying'));
  });

  test('are not sent again while a listed pet resembles them, also if another row is equal', async () => {
    const pets = [{ id: 5n, name: ' PET 3', categoryId: 7n, status: 'available' }];
    const service = createLedgerService({ pets, ...BREAKING });
    const { report } = await importIn(folderWithPets(), service, { onUnknown: 'retry' });
    expect(report).toMatchObject({ sent: ROWS, counts: { created: 19, unknown: 1 } });
    expect(report.unknown?.rows).toMatchObject([{ row: 3, listed: [], similar: [5n] }]);
  });

  test.each<[string, RunOptions['confirmIncomplete'], number]>([
    ['nobody is asked', undefined, 0],
    ['the answer is no', () => Promise.resolve(false), 0],
    ['the prompt fails', () => Promise.reject(new Error('^C')), 0],
    ['the answer is yes', (rows) => Promise.resolve(rows === 1), 1],
  ])('are not sent again while pets can be unlisted, if %s', async (_, confirmIncomplete, again) => {
    const service = createLedgerService(BREAKING);
    const { listAll } = service.store.pets;
    const incomplete = async () => ({ ...(await listAll()), complete: false });
    Object.assign(service.store.pets, { listAll: incomplete });
    const { report } = await importIn(folderWithPets(), service, { onUnknown: 'retry', confirmIncomplete });
    expect(report).toMatchObject({ sent: ROWS + again, counts: { created: 19, unknown: 1 } });
    expect(report.unknown).toMatchObject({ coverage: 'part', rows: [{ row: 3, listed: [] }] });
  });

  test('^C during the wait sends none again', async () => {
    const controller = new AbortController();
    const service = createLedgerService(BREAKING);
    const { report } = await importIn(folderWithPets(), service, {
      onUnknown: 'retry',
      signal: controller.signal,
      onEvent({ type }) {
        if (type === 'waiting') setImmediate(() => controller.abort());
      },
    });
    expect(report).toMatchObject({ sent: ROWS, stopped: { reason: 'aborted' }, counts: { unknown: 1 } });
  });

  test('are those whose response has the pet of another row', async () => {
    const service = createLedgerService();
    const { pets } = service.store;
    const { create } = pets;
    pets.create = (pet, options) => {
      const schema = options?.schema as { parse(created: unknown): Pet };
      // The second response on a connection is late, so row 3 gets it.
      const parse = (created: unknown): Pet =>
        schema.parse(pet.name === 'pet 3' ? { ...(created as Pet), id: 1_001n } : created);
      return create(pet, { ...options, schema: { parse } });
    };
    const { report } = await importIn(folderWithPets(), service, { onUnknown: 'skip' });
    expect(report.counts).toEqual({ ...NONE, created: 19, unknown: 1 });
    expect(report.unknown?.rows.map(({ row }) => row)).toEqual([3]);
  });

  test('are accepted if exactly their pets are listed, and nothing is sent again', async () => {
    const folder = folderWithPets();
    const service = createLedgerService({
      ...LOSING,
      onCreate(_, request) {
        if (request === 9) throw new Error('the connection broke before the request');
      },
    });
    const { report, events } = await importIn(folder, service, { onUnknown: 'accept-listed' });
    expect(service.requests).toBe(ROWS);
    expect(events).toContainEqual({ type: 'accepted', rows: 2 });
    expect(report.counts).toEqual({ ...NONE, created: 19, unknown: 1 });
    expect(report.unknown).toMatchObject({ coverage: 'all', rows: [{ row: 9, listed: [] }] });
    const again = await importIn(folder, service, { onUnknown: 'accept-listed' });
    expect(again.report.counts).toEqual({ ...NONE, alreadyDone: 19, unknown: 1 });
    expect(service.requests).toBe(ROWS);
  });

  test('are reported if listing fails, which stops a retry', async () => {
    const error = new RateLimitError('wait', { retryAt: new Date(9), retryAfterMs: 9 });
    const service = createLedgerService(LOSING);
    Object.assign(service.store.pets, { listAll: () => Promise.reject(error) });
    const { report } = await importIn(folderWithPets(), service, { onUnknown: 'retry' });
    expect(report.unknown).toMatchObject({
      coverage: 'failed',
      rows: [
        { row: 7, listed: [] },
        { row: 14, listed: [] },
      ],
    });
    expect(report.stopped).toEqual({ reason: 'rate-limited', error, retryAt: new Date(9) });
    expect(service.requests).toBe(ROWS);
  });

  test('are not matched after an abort', async () => {
    const controller = new AbortController();
    const service = createLedgerService({
      ...LOSING,
      onCreate(_, request) {
        if (request === 7) controller.abort();
      },
    });
    const { report } = await importIn(folderWithPets(), service, {
      onUnknown: 'skip',
      signal: controller.signal,
    });
    expect(report.stopped?.reason).toBe('aborted');
    expect(report.unknown?.coverage).toBe('failed');
    expect(service.lists).toBe(0);
  });
});

describe('rejected rows', () => {
  test('go to one file per run in the format of the input, which can be imported', async () => {
    const folder = folderWithPets();
    const service = createLedgerService({
      rejectsEvery: 6,
      onCreate(_, request) {
        if (request === 8) throw new RateLimitError('wait', { retryAt: new Date(9), retryAfterMs: 9 });
      },
    });
    const first = await importIn(folder, service);
    const path = join(folder, 'pets.rejected.csv');
    expect(first.report.rejectedFile).toEqual({ path, rows: 1 });
    expect(readFileSync(path, 'utf8')).toBe(
      'name;categoryId;status;error\r\npet 6;7;sold;not this one (no, HTTP 400)\r\n',
    );
    // A user fixes the file; the next run does not change it.
    writeFileSync(path, 'fixed');
    const second = await importIn(folder, service);
    const two = { path: join(folder, 'pets.rejected-2.csv'), rows: 2 };
    expect(second.report).toMatchObject({ rejectedFile: two, earlierRejectedFiles: [{ path, rows: 1 }] });
    expect(readFileSync(path, 'utf8')).toBe('fixed');
    expect(second.report.counts).toEqual({ ...NONE, created: 11, alreadyDone: 6, rejected: 3 });
    const third = await importIn(folder, service);
    expect(third.report.rejectedFile).toBeUndefined();
    expect(third.report.earlierRejectedFiles).toEqual([{ path, rows: 1 }, two]);
    expect(third.report.counts.rejected).toBe(3);

    const fixed = readFileSync(join(folder, 'pets.rejected-2.csv'), 'utf8').replaceAll('pet', 'new');
    writeFileSync(join(folder, 'again.csv'), fixed);
    const job = await openImport({
      input: { kind: 'file', path: join(folder, 'again.csv') },
      journal: join(folder, 'again.journal'),
      service: 's',
      clock: createVirtualClock(),
    });
    const { counts } = await job.run(createLedgerService().store);
    await job.close();
    expect(counts).toMatchObject({ rows: 2, created: 2 });
  });

  test("stop the import if they can't be written, and are written by the next run", async () => {
    const folder = folderWithPets();
    const service = createLedgerService({ rejectsEvery: 6 });
    const rejectedPath = join(folder, 'missing', 'no.csv');
    const { report } = await importIn(folder, service, { rejectedPath });
    expect(report.stopped?.reason).toBe('rejected-file');
    expect(report.counts.rejected).toBe(3);
    const again = await importIn(folder, service);
    expect(again.report).toMatchObject({ sent: 0, rejectedFile: { rows: 3 } });
    expect(existsSync(join(folder, 'pets.rejected.csv'))).toBe(true);
  });
});

test('an input that changes stops the import before a changed row is sent', async () => {
  const folder = folderWithPets();
  const path = join(folder, 'pets.csv');
  const service = createLedgerService();
  const job = await openImport({
    input: { kind: 'file', path },
    journal: `${path}.journal`,
    service: 's',
    clock: createVirtualClock(),
  });
  writeFileSync(path, readFileSync(path, 'utf8').replace('pet 9', 'pet x'));
  const { stopped, counts } = await job.run(service.store);
  await job.close();
  expect(stopped).toMatchObject({ reason: 'input', error: { reason: 'input-changed', line: 10 } });
  expect(counts).toEqual({ ...NONE, left: ROWS });
  expect(service.requests).toBe(0);
});
