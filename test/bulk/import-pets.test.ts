import { readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { importPets, type ImportPetsOptions, type ImportProgress } from '../../src/bulk/index.js';
import { createPetStore } from '../../src/client/internal.js';
import { csv, petNames, writes } from '../support/import-folder.js';
import { rejection } from '../support/stores.js';
import { until } from '../support/virtual-clock.js';
import { NOTHING, nth, setUp, TABLE } from './import-in-memory.js';

describe('an invalid row', () => {
  test('is in the result with line and column, and nothing is sent', async () => {
    const { mock, folder, run } = setUp({}, 'name,categoryId\nRex,7\nMia,x\n');
    const result = await run();
    expect(result).toMatchObject({ ...NOTHING, rows: 2, left: 2, invalid: 1, complete: false });
    expect(result.errors).toEqual([
      {
        line: 3,
        column: 5,
        row: 2,
        field: 'categoryId',
        message: expect.stringContaining('category "x" is not'),
      },
    ]);
    expect([mock.journal, readdirSync(folder)]).toEqual([[], ['pets.csv']]);
  });

  test('keeps the counts of a journal', async () => {
    const { path, run } = setUp({ faults: [nth(2, 'lost-write')] });
    await run();
    writeFileSync(path, `${TABLE}Tom,x\n`);
    expect(await run()).toMatchObject({ ...NOTHING, alreadyDone: 1, unknown: 1, left: 1, invalid: 1 });
  });
});

test('a rejected row is in the result, and in a file', async () => {
  const { run, folder } = setUp({ faults: [nth(2, { status: 400 })] });
  const result = await run();
  expect(result).toMatchObject({ ...NOTHING, created: 2, rejected: 1, complete: true });
  expect(result.errors).toEqual([{ line: 3, row: 2, message: expect.stringContaining('HTTP 400') }]);
  expect(result.rejectedFiles).toEqual([{ path: join(folder, 'pets.rejected.csv'), rows: 1 }]);
  expect(await run()).toMatchObject({ alreadyDone: 2, rejected: 1, errors: [], complete: true });
});

test('a row whose response has a pet of another category is unknown', async () => {
  const body = { id: 900, name: 'Mia', categoryId: 9 };
  const { run } = setUp({ faults: [nth(2, { status: 201, body })] });
  const result = await run({ onUnknown: 'skip' });
  expect(result).toMatchObject({ ...NOTHING, created: 2, unknown: 1 });
  const reason = 'the pet has category 9 instead of 8; the pet may or may not have been created';
  expect(result.unknownRows).toMatchObject([{ row: 2, reason: `Invalid response: ${reason}` }]);
});

describe('a row without a response', () => {
  test.each<[ImportPetsOptions['onUnknown'], object]>([
    [undefined, { created: 1, unknown: 1, left: 1, stopped: { reason: 'unknown-outcome' } }],
    ['stop', { created: 1, unknown: 1, left: 1, stopped: { reason: 'unknown-outcome' } }],
    ['skip', { created: 2, unknown: 1, left: 0 }],
    ['retry', { created: 2, unknown: 1, left: 0 }],
    ['accept-listed', { created: 3, unknown: 0, left: 0 }],
  ])('with onUnknown %s', async (onUnknown, expected) => {
    const { mock, clock, run } = setUp({ faults: [nth(2, 'lost-write')] });
    const running = run({ onUnknown });
    if (onUnknown === 'retry') {
      await until(() => clock.pendingDelays.includes(30_000));
      await clock.advance(30_000);
    }
    const result = await running;
    expect(result).toMatchObject(expected);
    expect(result.complete).toBe(result.unknown === 0);
    // The pet is listed, so no option sends the row again.
    if (result.unknown > 0)
      expect(result.unknownRows).toEqual([
        expect.objectContaining({
          row: 2,
          line: 3,
          listed: [expect.any(BigInt)],
          reason: expect.stringContaining('No response from'),
        }),
      ]);
    expect(petNames(mock)).toHaveLength(3 - (result.left || 0));
  });

  test('is sent again after 30 s if no pet resembles it', async () => {
    const { mock, clock, run } = setUp({ faults: [nth(2, 'reset')] });
    const running = run({ onUnknown: 'retry' });
    await until(() => clock.pendingDelays.includes(30_000));
    await clock.advance(29_999);
    expect(writes(mock.journal)).toHaveLength(3);
    await clock.advance(1);
    expect(await running).toMatchObject({ created: 3, unknown: 0, complete: true });
    expect(petNames(mock).sort()).toEqual(['Mia', 'Rex', 'Zoe']);
  });

  test.each(['retry', 'accept-listed'] as const)('is not compared with other pets: %s', async (onUnknown) => {
    const { mock, path, run, openStore } = setUp({
      keys: ['key-1', 'key-2'],
      faults: [nth(2, 'lost-write')],
    });
    await run();
    const sent = mock.journal.length;
    const other = openStore({ apiKey: 'key-2' });
    expect(await rejection(importPets(other, path, { onUnknown }))).toMatchObject({
      type: 'configuration',
      option: 'apiKey',
      hint: expect.stringContaining('--yes'),
    });
    expect(mock.journal).toHaveLength(sent);
    expect(await importPets(other, path)).toMatchObject({ alreadyDone: 1, unknown: 1 });
  });
});

describe('a signal', () => {
  test('that is aborted before the first row', async () => {
    const { mock, folder, run } = setUp();
    const reason = new Error('enough');
    const error = await rejection(run({ signal: AbortSignal.abort(reason) }));
    expect(error).toMatchObject({ type: 'aborted', outcome: 'not-sent', cause: reason });
    expect([mock.journal, readdirSync(folder)]).toEqual([[], ['pets.csv']]);
  });

  test('stops between two rows, and the next call continues', async () => {
    const controller = new AbortController();
    const { mock, run } = setUp({
      onRequest: () => {
        if (mock.journal.length >= 1) controller.abort(new Error('enough'));
      },
    });
    const result = await run({ signal: controller.signal });
    expect(result).toMatchObject({ stopped: { reason: 'aborted' }, complete: false });
    expect(result.created + result.left).toBe(3);
    expect(result.left).toBeGreaterThan(0);
    expect(await run()).toMatchObject({ alreadyDone: result.created, created: result.left, complete: true });
    expect(petNames(mock)).toEqual(['Rex', 'Mia', 'Zoe']);
  });
});

test('the client can be one of another copy of the package', async () => {
  const { mock, path } = setUp({ faults: [nth(2, { status: 400 })] });
  vi.resetModules();
  const copy = await import('../../src/client/internal.js');
  expect(copy.createPetStore).not.toBe(createPetStore);
  const options = { apiKey: mock.keys[0]!, baseUrl: 'https://pets.test/v1', fetch: mock.fetch };
  const store = copy.createPetStore(options);
  expect(await importPets(store, path)).toMatchObject({ created: 2, rejected: 1, complete: true });
});

test('an import that the service refuses is in the result, and can resume', async () => {
  const { folder, path, openStore } = setUp();
  expect(await importPets(openStore({ apiKey: 'wrong' }), path)).toMatchObject({
    ...NOTHING,
    left: 3,
    complete: false,
    stopped: { reason: 'rejected', error: { status: 401 } },
  });
  expect(readdirSync(folder).sort()).toEqual(['pets.csv', 'pets.csv.journal']);
  expect(await importPets(openStore(), path)).toMatchObject({ created: 3, complete: true });
});

describe('progress', () => {
  test('has rows, rate and remaining time', async () => {
    const { run } = setUp({}, csv(40));
    const seen: ImportProgress[] = [];
    await run({ onProgress: (progress) => seen.push(progress) });
    expect(seen[0]).toEqual({ done: 0, total: 40, rowsPerSecond: 0 });
    expect(seen.at(-1)).toMatchObject({ done: 40, total: 40 });
  });

  test('includes waits for the rate limit', async () => {
    const { clock, run, mock } = setUp({ plan: 'free' }, csv(150));
    const seen: ImportProgress[] = [];
    const controller = new AbortController();
    const running = run({ signal: controller.signal, onProgress: (progress) => seen.push(progress) });
    await until(() => mock.journal.length >= 10);
    await clock.advance(1_000);
    await until(() => seen.some(({ rowsPerSecond }) => rowsPerSecond > 0));
    controller.abort();
    await running;
    // By the first rows alone, it would be a few seconds.
    expect(seen.find(({ remainingMs }) => remainingMs !== undefined)?.remainingMs).toBe(119_000);
  });

  test.each<[string, () => unknown]>([
    [
      'throws',
      () => {
        throw new Error('no screen');
      },
    ],
    ['rejects', () => Promise.reject(new Error('no screen'))],
  ])('a callback that %s does not stop the import', async (_, onProgress) => {
    const { run } = setUp();
    const emitted = vi.spyOn(process, 'emitWarning').mockReturnValue();
    onTestFinished(() => void vi.restoreAllMocks());
    expect(await run({ onProgress })).toMatchObject({ created: 3 });
    expect(emitted.mock.calls.map(([message]) => message)).toEqual([
      'The option onProgress failed (no screen). The import continues. Its later errors are not reported.',
    ]);
  });
});

describe('a journal', () => {
  test('of another service, or in use, is no journal of this import', async () => {
    const { path, store, openStore, run } = setUp();
    // Either of them may be the first to lock the journal.
    const both = await Promise.allSettled([run(), importPets(store, path)]);
    const reasons = both.flatMap((each) => (each.status === 'rejected' ? [each.reason as Error] : []));
    expect(reasons).toMatchObject([{ type: 'configuration', option: 'journal', retryable: true }]);
    const other = openStore({ baseUrl: 'https://staging.pets.test/v1' });
    expect(await rejection(importPets(other, path))).toMatchObject({
      type: 'configuration',
      retryable: false,
      hint: expect.stringContaining('base URL'),
    });
  });

  test('with rows left does not continue with other rows', async () => {
    const { path, run } = setUp({ faults: [nth(2, 'lost-write')] });
    await run();
    writeFileSync(path, TABLE.replace('Zoe', 'Tom'));
    expect(await rejection(run())).toMatchObject({
      type: 'invalid-input',
      field: 'input',
      message: expect.stringContaining('Line 4 of '),
    });
  });

  test('of a finished import sends only the rows that it does not have', async () => {
    const { mock, path, run } = setUp();
    await run();
    writeFileSync(path, `${TABLE}Tom,7\n`);
    expect(await run()).toMatchObject({ created: 1, alreadyDone: 3, complete: true });
    expect(petNames(mock)).toEqual(['Rex', 'Mia', 'Zoe', 'Tom']);
  });
});
