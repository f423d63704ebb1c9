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

test('an import sends no row twice in any order of steps', { timeout: TIMEOUT_MS }, async () => {
  const { states, trace } = await exploreImport(IS_FULL ? { ...IMPORT, runs: 3, faults: 2 } : IMPORT);
  console.log(`${states} states of the import`);
  expect(trace).toBeUndefined();
  // Rows are sent: otherwise there is little to explore.
  expect(states).toBeGreaterThan(500);
});

const IMPORT_ERRORS: [name: string, errors: Partial<ImportBound>][] = [
  ['a row is sent before the sync', { syncsEarly: true }],
  ['the disk forgets a line', { damage: (text) => text.slice(0, text.trimEnd().lastIndexOf('\n') + 1) }],
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
