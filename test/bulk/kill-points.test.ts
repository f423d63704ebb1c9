import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, test } from 'vitest';
import type { ImportJob, ImportReport, OnUnknown } from '../../src/bulk/job/import-job.js';
import { openImport } from '../../src/bulk/open-import.js';
import { createLedgerService, type LedgerService } from '../support/ledger-service.js';
import { Crash, type CrashPlan, createMemoryDisk, type MemoryDisk } from '../support/memory-journal.js';
import { IS_FULL } from '../support/random-runs.js';
import { temporaryFolder } from '../support/temporary-folder.js';
import { createVirtualClock } from '../support/virtual-clock.js';

// The machine stops at every write and every sync of the journal in turn. Nothing, half, nearly all or all of the current
// write is on disk. Then the import resumes. The ledger of the service shows whether the result is correct.

/** Every row adds places to stop at. With fewer rows, each kind of place remains. */
const ROWS = IS_FULL ? 24 : 12;
const FAULTS = { losesEvery: 7, rejectsEvery: 11 };
const KEPT = [0, 0.5, 0.97, 1];
/** A line of the journal has the rows that become ready together: at most one, some, and all. */
const CONCURRENCIES = [1, 3, ROWS];
/** How much of a write is kept, with how many rows at a time. */
const CASES = IS_FULL
  ? KEPT.flatMap((kept) => CONCURRENCIES.map((concurrency) => [kept, concurrency] as const))
  : ([
      [0, 3],
      [0.5, 1],
      [0.97, ROWS],
      [1, 3],
    ] as const);

let folder: string;
let input: string;
let runs = 0;
beforeEach(() => {
  const rows = Array.from({ length: ROWS }, (_, index) => `pet-${String(index + 1)},${String(index)}\n`);
  folder = temporaryFolder({ 'pets.csv': `name,categoryId\n${rows.join('')}` });
  input = join(folder, 'pets.csv');
});

/** The events of one run, and its report if it ended. */
interface RunOutput {
  created: string[];
  report: ImportReport | undefined;
}

/** Runs the import on a disk. Ignores the errors of a stopped machine. */
async function runOn(
  disk: MemoryDisk,
  service: LedgerService,
  onUnknown: OnUnknown,
  concurrency = 3,
): Promise<RunOutput> {
  const output: RunOutput = { created: [], report: undefined };
  runs += 1;
  let job: ImportJob;
  const clock = createVirtualClock();
  try {
    job = await openImport(
      { input: { kind: 'file', path: input }, journal: 'j', service: 's', resume: 'if-started', clock },
      disk.open,
    );
  } catch (error) {
    expect((error as Error).cause).toBeInstanceOf(Crash);
    return output;
  }
  output.report = await job.run(service.store, {
    concurrency,
    onUnknown,
    rejectedPath: join(folder, `rejected-of-run-${String(runs)}.csv`),
    onEvent(event) {
      if (event.type === 'waiting') setImmediate(() => void clock.advance(event.delayMs));
      if (event.type === 'created') output.created.push(event.pet.name);
    },
  });
  return output;
}

/** The names of all rows in rejected-rows files. */
function rejectedInFiles(): string[] {
  return Array.from({ length: runs }, (_, run) => join(folder, `rejected-of-run-${String(run + 1)}.csv`))
    .filter((path) => existsSync(path))
    .flatMap((path) => readFileSync(path, 'utf8').trimEnd().split('\r\n').slice(1))
    .map((line) => line.split(',')[0]!);
}

function expectCorrect(
  service: LedgerService,
  outputs: readonly RunOutput[],
  { isOnce }: { isOnce: boolean },
): void {
  const { ledger } = service;
  const last = outputs.at(-1)?.report;
  expect(last?.stopped).toBeUndefined();
  const { created, alreadyDone, rejected, unknown, left, inFlight } = last!.counts;
  expect(created + alreadyDone + rejected + unknown).toBe(ROWS);
  expect(left + inFlight).toBe(0);
  if (isOnce) expect(ledger).toEqual([...new Set(ledger)]);
  // Rows reported as created are in the journal, and were sent once.
  const acknowledged = outputs.flatMap((run) => run.created);
  expect(ledger).toEqual(expect.arrayContaining(acknowledged));
  expect(acknowledged).toEqual([...new Set(acknowledged)]);
  for (const name of acknowledged) expect(ledger.filter((each) => each === name)).toHaveLength(1);
  expect(created + alreadyDone).toBeGreaterThanOrEqual(acknowledged.length);
  // Everything else that the service created is reported as unknown.
  const unknownNames = last!.unknown?.rows.map(({ pet }) => pet.name) ?? [];
  expect(unknownNames).toHaveLength(unknown);
  const storedNames = new Set(ledger);
  expect(storedNames.size).toBeGreaterThanOrEqual(created + alreadyDone);
  expect([...storedNames].filter((name) => !unknownNames.includes(name))).toHaveLength(created + alreadyDone);
  // Each rejected row is in one file.
  const inFiles = rejectedInFiles();
  expect(inFiles).toHaveLength(rejected);
  expect(new Set(inFiles).size).toBe(rejected);
}

async function crashOnce(
  plan: CrashPlan,
  second: OnUnknown,
  isOnce: boolean,
  concurrency?: number,
): Promise<boolean> {
  runs = 0;
  folder = temporaryFolder();
  const service = createLedgerService(FAULTS);
  const broken = createMemoryDisk('', plan);
  const first = await runOn(broken, service, 'skip', concurrency);
  const again = await runOn(createMemoryDisk(broken.content()), service, second, concurrency);
  expectCorrect(service, [first, again], { isOnce });
  return broken.steps >= plan.at;
}

describe('an import that stops at one write or sync (all cases of 24 rows with PETSTORE_TEST_FULL=1)', () => {
  test.each(CASES)(
    'sends no row twice that has a response, and reports all unknown rows (%d of the write kept, %d at a time)',
    async (kept, concurrency) => {
      let points = 0;
      for (let at = 1; await crashOnce({ at, kept }, 'skip', true, concurrency); at += 1) points = at;
      // Two for the plan, for each of the two records about the rejected-rows file, and for rows before and after the
      // request.
      expect(points).toBeGreaterThanOrEqual(6 + (4 * ROWS) / concurrency / 2);
    },
    60_000,
  );

  test('creates no pet twice with retry, if all pets can be listed', async () => {
    for (let at = 1; await crashOnce({ at, kept: 0.5 }, 'retry', true); at += 1);
  }, 60_000);
});

test('an import that is stopped repeatedly still completes', async () => {
  for (let every = 5; every <= 40; every += 1) {
    runs = 0;
    folder = temporaryFolder();
    const service = createLedgerService(FAULTS);
    const outputs: RunOutput[] = [];
    let content = '';
    for (let isDone = false; !isDone;) {
      const disk = createMemoryDisk(content, { at: every, kept: (every % 3) / 2 });
      outputs.push(await runOn(disk, service, 'skip'));
      content = disk.content();
      isDone = disk.steps < every;
    }
    expectCorrect(service, outputs, { isOnce: true });
  }
}, 60_000);
