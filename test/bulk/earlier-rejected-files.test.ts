import { join } from 'node:path';
import { expect, test } from 'vitest';
import { openImport } from '../../src/bulk/open-import.js';
import { RateLimitError } from '../../src/errors.js';
import { createLedgerService, type LedgerService } from '../support/ledger-service.js';
import { temporaryFolder } from '../support/temporary-folder.js';
import { createVirtualClock } from '../support/virtual-clock.js';

async function importIn(folder: string, service: LedgerService) {
  const path = join(folder, 'pets.csv');
  const job = await openImport({
    input: { kind: 'file', path },
    journal: `${path}.journal`,
    service: 's',
    resume: 'if-started',
    clock: createVirtualClock(),
  });
  const report = await job.run(service.store, { concurrency: 1 });
  await job.close();
  return report;
}

test('a resumed run reports the rejected-rows files of earlier runs', async () => {
  const rows = Array.from({ length: 20 }, (_, index) => `pet ${String(index + 1)},7\n`).join('');
  const folder = temporaryFolder({ 'pets.csv': `name,categoryId\n${rows}` });
  const service = createLedgerService({
    rejectsEvery: 6,
    onCreate(_, request) {
      if (request === 8) throw new RateLimitError('wait', { retryAt: new Date(9), retryAfterMs: 9 });
    },
  });
  const first = { path: join(folder, 'pets.rejected.csv'), rows: 1 };
  const second = { path: join(folder, 'pets.rejected-2.csv'), rows: 2 };
  const reports = [];
  for (let run = 0; run < 3; run += 1) reports.push(await importIn(folder, service));
  expect(
    reports.map(({ rejectedFile, earlierRejectedFiles }) => [rejectedFile, earlierRejectedFiles]),
  ).toEqual([
    [first, undefined],
    [second, [first]],
    [undefined, [first, second]],
  ]);
});
