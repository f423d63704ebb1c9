import { join } from 'node:path';
import { expect, test } from 'vitest';
import { BulkError } from '../../src/bulk/job/bulk-error.js';
import type { ImportJob } from '../../src/bulk/job/import-job.js';
import { openImport } from '../../src/bulk/open-import.js';
import { createLedgerService, type LedgerService } from '../support/ledger-service.js';
import { createMemoryDisk } from '../support/memory-journal.js';
import { below, fuzz, mutate, type Random } from '../support/random-runs.js';
import { temporaryFolder } from '../support/temporary-folder.js';
import { createVirtualClock } from '../support/virtual-clock.js';

let runs = 0;

/** Opens the import of a folder with a journal in memory. */
function open(folder: string, content: string): { job: Promise<ImportJob>; written: () => string } {
  const disk = createMemoryDisk(content);
  const options = {
    input: { kind: 'file', path: join(folder, 'pets.csv') },
    journal: 'j',
    service: 's',
  } as const;
  return {
    job: openImport({ ...options, resume: 'if-started', clock: createVirtualClock() }, disk.open),
    written: disk.content,
  };
}

function run(job: ImportJob, service: LedgerService, folder: string) {
  runs += 1;
  const rejectedPath = join(folder, `rejected-${String(runs)}.csv`);
  return job.run(service.store, { concurrency: 3, onUnknown: 'skip', rejectedPath });
}

/** Imports random rows into a service that loses and rejects some. */
async function importRows(random: Random) {
  const rows = 1 + below(random, 40);
  const text = Array.from({ length: rows }, (_, row) => `pet ${String(row + 1)},7\n`).join('');
  const folder = temporaryFolder({ 'pets.csv': `name,categoryId\n${text}` });
  const faults = { losesEvery: 2 + below(random, 9), rejectsEvery: 2 + below(random, 9) };
  const service = createLedgerService(faults);
  const { job, written } = open(folder, '');
  await run(await job, service, folder);
  return { rows, folder, service, journal: written() };
}

test('a journal that is cut after its plan is resumed: only rows without a record are sent', async () => {
  await fuzz(40, async (random) => {
    const { rows, folder, service, journal } = await importRows(random);
    const zeros = '\0'.repeat(random() < 0.3 ? below(random, 60) : 0);
    const cut = below(random, journal.length + 1);
    const { job } = open(folder, journal.slice(0, cut) + zeros);
    // No import leaves a journal without its whole plan, so rows of it may have been sent.
    const isWithoutPlan = cut < journal.indexOf('\n', journal.indexOf('ready'));
    if (isWithoutPlan && cut + zeros.length > 0) {
      await expect(job).rejects.toMatchObject({ reason: 'journal-empty' });
      expect(service.requests).toBeGreaterThan(0);
      return;
    }
    const opened = await job;
    const { left, alreadyDone, unknown } = opened.counts;
    const [requests, names] = [service.requests, [...service.ledger]];
    const { counts, stopped } = await run(opened, service, folder);
    expect(stopped).toBeUndefined();
    expect(service.requests - requests).toBe(left);
    expect(counts.created + counts.alreadyDone + counts.rejected + counts.unknown).toBe(rows);
    expect(counts).toMatchObject({ alreadyDone, left: 0, inFlight: 0 });
    expect(counts.unknown).toBeGreaterThanOrEqual(unknown);
    // Rows with a record of their response are not in the service twice.
    const again = service.ledger.slice(names.length);
    expect(new Set(again).size).toBe(again.length);
    expect(again.length).toBeLessThanOrEqual(left);
  });
}, 600_000);

test('a changed journal is rejected, or resumed with fewer responses', async () => {
  await fuzz(60, async (random) => {
    const { rows, folder, journal } = await importRows(random);
    const original = await open(folder, journal).job;
    const changed = mutate(random, Buffer.from(journal, 'latin1'), ['\n', '\0', ' =1:7', '0']).toString(
      'latin1',
    );
    try {
      const { counts } = await open(folder, changed).job;
      const done = counts.alreadyDone + counts.rejected;
      expect(done + counts.unknown + counts.left).toBe(rows);
      expect(counts.alreadyDone).toBeLessThanOrEqual(original.counts.alreadyDone);
      expect(counts.rejected).toBeLessThanOrEqual(original.counts.rejected);
    } catch (error) {
      if (!(error instanceof BulkError)) throw error;
      expect(error.reason).toMatch(/^journal-/);
    }
  });
}, 600_000);
