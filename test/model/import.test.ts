import { expect, test, vi } from 'vitest';
import { IS_FULL } from '../support/random-runs.js';
import { expectTraces } from './expect-traces.js';
import { exploreImport, type ImportBound } from './import-model.js';

// `openImport` with `Journal`, `loadJournal`, `ImportRun` and `RowSender`. Disk, clock and service are models.

// The path of the input is its text: files take real time.
vi.mock('../../src/bulk/input/input-file.js', async (load) => ({
  ...(await load<object>()),
  readBytes: async function* (path: string) {
    yield Buffer.from(path);
  },
  readFileSize: async (path: string) => path.length,
}));
// No journal was kept.
vi.mock('node:fs/promises', async (load) => ({ ...(await load<object>()), readdir: async () => [] }));

const IMPORT: ImportBound = { rows: 2, concurrency: 2, runs: 2, faults: 1 };
const TIMEOUT_MS = 600_000;

const IMPORTS: ImportBound[] = [
  { ...IMPORT, concurrency: 1 },
  { ...IMPORT, runs: 1 },
];
const IMPORTS_FULL: ImportBound[] = [{ ...IMPORT, runs: 3, faults: 2 }];

test.each(IS_FULL ? IMPORTS_FULL : IMPORTS)(
  'an import sends no row twice in any order of steps (a larger bound with PETSTORE_TEST_FULL=1): %o',
  { timeout: TIMEOUT_MS },
  async (bound) => {
    const { states, trace } = await exploreImport(bound);
    console.log(`${states} states of the import`);
    expect(trace).toBeUndefined();
    // Rows are sent: otherwise there is little to explore.
    expect(states).toBeGreaterThan(200);
  },
);

const IMPORT_ERRORS: [name: string, errors: Partial<ImportBound>][] = [
  ['a row is sent before the sync', { syncsEarly: true }],
  // Not one of the plan: then no run starts.
  ['the disk forgets a line', { damage: (text) => text.replace(/(\nready .*\n[^]*?)[^\n]*\n$/, '$1') }],
];

test('the checker finds each of these errors with a shortest trace', { timeout: TIMEOUT_MS }, async () => {
  await expectTraces(
    'import-traces.txt',
    IMPORT_ERRORS.map(([name, errors]) => [
      name,
      () => exploreImport({ ...IMPORT, concurrency: 1, ...errors }),
    ]),
  );
});
