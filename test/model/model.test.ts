import { expect, test, vi } from 'vitest';
import type { Budget } from '../../src/client/gate/budget/budget.js';
import { IS_FULL } from '../support/random-runs.js';
import type { Exploration } from './explore.js';
import { exploreFiles, type FilesBound, type FilesErrors } from './files-model.js';
import { exploreGate, type GateBound, type GateErrors } from './gate-model.js';
import { exploreImport, type ImportBound } from './import-model.js';

// A model checker for the rate gate and the import journal. It explores every order of steps within a bound, nearest states
// first. One fault is a crash, a lost response, a 429 response or a clock step at any point.
//
// - Gate: the rules of `gate/budget`, as `SharedGate` applies them, with a store in memory that compares and swaps texts. No
//   request is sent beyond a known window, and none waits for ever. Windows of 15 s, and of 30 s for `longLimit`, in steps
//   of 7.5 s. Two windows that are shown have 7,697 states, and a window that is learned has 7,488 (58,943 for three
//   calls of each process, with PETSTORE_TEST_FULL=1).
// - Files: two processes that import two inputs with one journal. A step is a change of a file with its check.
// - Import: `openImport` with `Journal`, `loadJournal`, `ImportRun` and `RowSender`. Disk, clock and service are models.
//
// A failure shows the shortest trace: one step a line, and then the broken property. Processes are A, B and C.

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

const GATE: GateBound = { processes: 2, calls: 2, open: 2, faults: 1, limit: 5, knowsDead: true };
const GATES: GateBound[] = [
  GATE,
  { ...GATE, knowsDead: false, limit: 3 },
  { ...GATE, processes: 3, calls: 4, open: 1, faults: 0 },
  { ...GATE, calls: 3, open: 1, limit: 3, longLimit: 4 },
  { ...GATE, limit: 2, isHidden: true, open: 1 },
];
const GATES_FULL: GateBound[] = [
  { ...GATE, processes: 3, open: 1 },
  { ...GATE, processes: 3, calls: 4, open: 1 },
  { ...GATE, calls: 3, limit: 2, isHidden: true, open: 1 },
];
const IMPORT: ImportBound = { rows: 2, concurrency: 2, runs: 2, faults: 1 };
const TIMEOUT_MS = 600_000;

test.each(IS_FULL ? [...GATES, ...GATES_FULL] : GATES)(
  'a shared budget is obeyed in every order of steps: %o',
  { timeout: TIMEOUT_MS },
  async (bound) => {
    const { states, trace } = await exploreGate(bound);
    console.log(`${states} states of the gate: ${JSON.stringify(bound)}`);
    expect(trace).toBeUndefined();
  },
);

test('an import sends no row twice in any order of steps', { timeout: TIMEOUT_MS }, async () => {
  const { states, trace } = await exploreImport(IS_FULL ? { ...IMPORT, runs: 3, faults: 2 } : IMPORT);
  console.log(`${states} states of the import`);
  expect(trace).toBeUndefined();
  // Rows are sent: otherwise there is little to explore.
  expect(states).toBeGreaterThan(500);
});

// Five runs: two of each input, and one more.
const FILES: FilesBound = { rows: 1, runs: 3, faults: 2 };

test('the files of an import survive kills, failures and lost locks', { timeout: TIMEOUT_MS }, async () => {
  const bound = IS_FULL ? { ...FILES, runs: 4 } : FILES;
  const { states, trace } = await exploreFiles(bound);
  console.log(`${states} states of the files: ${JSON.stringify(bound)}`);
  expect(trace).toBeUndefined();
});

const damaged = (damage: (state: Budget, holder: string) => void): GateErrors => ({ damage });
const GATE_ERRORS: [name: string, errors: GateErrors, bound?: Partial<GateBound>][] = [
  [
    'an update forgets Retry-After',
    damaged((state) => Object.assign(state, { heldUntil: 0, consecutive429Count: 0 })),
  ],
  [
    'lost requests are forgotten',
    damaged(({ windows }) => windows.forEach((window) => (window.unconfirmed = []))),
    { processes: 1, calls: 3, limit: 2 },
  ],
  [
    'leases of other processes are forgotten',
    damaged((state, holder) => {
      state.leases = state.leases.filter((lease) => lease.holder === holder);
      state.inFlight = state.leases.length;
    }),
    { calls: 3, limit: 3 },
  ],
  [
    'requests count twice',
    damaged(({ windows, sentCount }) => windows.forEach(({ unconfirmed }) => unconfirmed.push(sentCount))),
  ],
  ['a swap replaces a text that it has not read', { storesStale: true }],
  ['an update grants permits after a 429', { grantsHeld: true }, { calls: 3 }],
  ['only one window of a response counts', { readsOne: true }, { calls: 3, open: 1, limit: 3, longLimit: 4 }],
  [
    'passes of a hidden limit are forgotten',
    damaged((state) => {
      if (state.limits.some(({ isHidden }) => isHidden)) state.passes = [];
    }),
    { calls: 3, open: 1, limit: 2, isHidden: true },
  ],
  ['a waiting process does not poll', { neverPolls: true }, { processes: 1, calls: 4, limit: 1 }],
];
const FILES_ERRORS: [name: string, errors: FilesErrors][] = [
  ['a process that lost its lock removes the journal', { removesUnguarded: true }],
  ['a journal is emptied before the next plan is on the disk', { emptiesFirst: true }],
];
const IMPORT_ERRORS: [name: string, errors: Partial<ImportBound>][] = [
  ['a row is sent before the sync', { syncsEarly: true }],
  ['the disk forgets a line', { damage: (text) => text.slice(0, text.trimEnd().lastIndexOf('\n') + 1) }],
];

test('the checker finds each of these errors with a shortest trace', { timeout: TIMEOUT_MS }, async () => {
  const traces: string[] = [];
  const add = (name: string, { trace = ['not found'] }: Exploration): unknown =>
    traces.push([`${name}:`, ...trace].join('\n  '));
  for (const [name, errors, bound] of GATE_ERRORS)
    add(name, await exploreGate({ ...GATE, ...bound }, errors));
  for (const [name, errors] of IMPORT_ERRORS)
    add(name, await exploreImport({ ...IMPORT, concurrency: 1, ...errors }));
  for (const [name, errors] of FILES_ERRORS) add(name, await exploreFiles(FILES, errors));
  await expect(`${traces.join('\n\n')}\n`).toMatchFileSnapshot('traces.txt');
});
