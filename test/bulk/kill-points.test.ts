import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, test } from 'vitest';
import type { ImportJob, ImportReport, OnUnknown } from '../../src/bulk/import-job.js';
import { openImport } from '../../src/bulk/open-import.js';
import { createLedgerService, type LedgerService } from '../support/ledger-service.js';
import { Crash, type CrashPlan, createMemoryDisk, type MemoryDisk } from '../support/memory-journal.js';
import { temporaryFolder } from '../support/temporary-folder.js';
import { createVirtualClock } from '../support/virtual-clock.js';

// The machine stops at every write and every sync of the journal in turn, with nothing, half, nearly all or all of what
// was being written on the disk; then the import is resumed. The service's own book says whether it was right.

const ROWS = 24;
const FAULTS = { losesEvery: 7, refusesEvery: 11 };
const KEPT = [0, 0.5, 0.97, 1];

let folder: string;
let input: string;
let runs = 0;
beforeEach(() => {
  const rows = Array.from({ length: ROWS }, (_, index) => `pet-${String(index + 1)},${String(index)}\n`);
  folder = temporaryFolder({ 'pets.csv': `name,categoryId\n${rows.join('')}` });
  input = join(folder, 'pets.csv');
});

/** What one run has told: by events while it lasted, and by a report where it came to its end. */
interface Told {
  created: string[];
  report: ImportReport | undefined;
}

/** Runs the import on a disk; whatever a stopped machine makes of it ends here. */
async function runOn(disk: MemoryDisk, service: LedgerService, onUnknown: OnUnknown): Promise<Told> {
  const told: Told = { created: [], report: undefined };
  runs += 1;
  let job: ImportJob;
  try {
    const clock = createVirtualClock();
    job = await openImport(
      { input: { kind: 'file', path: input }, journal: 'j', service: 's', resume: true, clock },
      disk.open,
    );
  } catch (error) {
    expect((error as Error).cause).toBeInstanceOf(Crash);
    return told;
  }
  told.report = await job.run(service.store, {
    concurrency: 3,
    onUnknown,
    refusedPath: join(folder, `refused-of-run-${String(runs)}.csv`),
    onEvent(event) {
      if (event.type === 'created') told.created.push(event.pet.name);
    },
  });
  return told;
}

/** Every row in a file of refused rows that was written, by name. */
function refusedInFiles(): string[] {
  return Array.from({ length: runs }, (_, run) => join(folder, `refused-of-run-${String(run + 1)}.csv`))
    .filter((path) => existsSync(path))
    .flatMap((path) => readFileSync(path, 'utf8').trimEnd().split('\r\n').slice(1))
    .map((line) => line.split(',')[0]!);
}

function expectRight(service: LedgerService, told: readonly Told[], { isOnce }: { isOnce: boolean }): void {
  const { ledger } = service;
  const last = told.at(-1)?.report;
  expect(last?.stopped).toBeUndefined();
  const { created, alreadyDone, refused, unknown, left, underWay } = last!.counts;
  expect(created + alreadyDone + refused + unknown).toBe(ROWS);
  expect(left + underWay).toBe(0);
  if (isOnce) expect(ledger).toEqual([...new Set(ledger)]);
  // What was told to be created is so in the journal for good, and was sent once.
  const acknowledged = told.flatMap((run) => run.created);
  expect(ledger).toEqual(expect.arrayContaining(acknowledged));
  expect(acknowledged).toEqual([...new Set(acknowledged)]);
  for (const name of acknowledged) expect(ledger.filter((each) => each === name)).toHaveLength(1);
  expect(created + alreadyDone).toBeGreaterThanOrEqual(acknowledged.length);
  // What the service did beyond that is reported as unknown, row by row.
  const unknownNames = last!.unknown?.rows.map(({ pet }) => pet.name) ?? [];
  expect(unknownNames).toHaveLength(unknown);
  const made = new Set(ledger);
  expect(made.size).toBeGreaterThanOrEqual(created + alreadyDone);
  expect([...made].filter((name) => !unknownNames.includes(name))).toHaveLength(created + alreadyDone);
  // Refused rows stand in one file each.
  const inFiles = refusedInFiles();
  expect(inFiles).toHaveLength(refused);
  expect(new Set(inFiles).size).toBe(refused);
}

async function crashOnce(plan: CrashPlan, second: OnUnknown, isOnce: boolean): Promise<boolean> {
  runs = 0;
  folder = temporaryFolder();
  const service = createLedgerService(FAULTS);
  const broken = createMemoryDisk('', plan);
  const first = await runOn(broken, service, 'skip');
  const again = await runOn(createMemoryDisk(broken.content()), service, second);
  expectRight(service, [first, again], { isOnce });
  return broken.steps >= plan.at;
}

describe('an import that is stopped at one write or sync', () => {
  test.each(KEPT)(
    'sends nothing acknowledged again, and hides nothing unknown (%d of it kept)',
    async (kept) => {
      let points = 0;
      for (let at = 1; await crashOnce({ at, kept }, 'skip', true); at += 1) points = at;
      // Two for the plan, two at least for every few rows, and two for each of the two records about the refused file.
      expect(points).toBeGreaterThan(ROWS);
    },
    60_000,
  );

  test('sends nothing twice when it tries again, where all animals can be listed', async () => {
    for (let at = 1; await crashOnce({ at, kept: 0.5 }, 'retry', true); at += 1);
  }, 60_000);
});

test('an import that is stopped again and again comes to its end all the same', async () => {
  for (let every = 5; every <= 40; every += 1) {
    runs = 0;
    folder = temporaryFolder();
    const service = createLedgerService(FAULTS);
    const told: Told[] = [];
    let content = '';
    for (let isDone = false; !isDone;) {
      const disk = createMemoryDisk(content, { at: every, kept: (every % 3) / 2 });
      told.push(await runOn(disk, service, 'skip'));
      content = disk.content();
      isDone = disk.steps < every;
    }
    expectRight(service, told, { isOnce: true });
  }
}, 60_000);
