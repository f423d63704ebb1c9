import { expect, test } from 'vitest';
import { IS_FULL } from '../support/random-runs.js';
import { exploreGate, type GateBound } from './gate-model.js';
import { exploreImport } from './import-model.js';
import type { SourceChange } from './load-source.js';

// A model checker for the rate gate and the import journal. It explores every order of steps within a bound, nearest states
// first. It runs the source itself: `SharedGate` with `GuardedLedger`, `compareAndSwap`, `SpareLeases` and the rules in
// `gate/budget`; `openImport` with `Journal`, `loadJournal`, `ImportRun` and `RowSender`. Only stores, clock, disk and
// service are models. One fault is a crash, a lost response, a 429 response or a clock step at any point.
//
// The full bound has three processes with two calls each and no fault, or with one call and one fault. It does not include
// three processes with four calls each, which have too many states.
//
// A failure shows the shortest trace: one step a line, and then the broken property. Processes are A, B and C.

const GATE: GateBound = { calls: [[1], [1]], open: 2, faults: 1, limit: 3, knowsDead: true, hasReads: false };
const GATES: GateBound[] = [
  { ...GATE, calls: [[1, 1], [1]] },
  { ...GATE, calls: [[1], [1], [1]], faults: 0, limit: 2 },
  // Far from the limit, a process has spare leases.
  { ...GATE, calls: [[3, 1], [1]], faults: 0, limit: 200 },
];
const GATES_FULL: GateBound[] = [
  { ...GATE, calls: [[2], [2], [2]], faults: 0, limit: 5 },
  { ...GATE, calls: [[1], [1], [1]], limit: 2, knowsDead: false },
  {
    ...GATE,
    calls: [
      [1, 1],
      [1, 1],
    ],
    open: 1,
    hasReads: true,
  },
  { ...GATE, calls: [[3, 1], [1]], limit: 200 },
];

const TIMEOUT_MS = IS_FULL ? 3_600_000 : 300_000;

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
  const { states, trace } = await exploreImport({
    ...(IS_FULL ? { rows: 3, concurrency: 3 } : { rows: 2, concurrency: 2 }),
    runs: 3,
    faults: 2,
  });
  console.log(`${states} states of the import`);
  expect(trace).toBeUndefined();
});

/** A line of the source with an error. */
type Bug = [name: string, file: string, from: string, to: string, bound?: Partial<GateBound>];

const GATE_BUGS: Bug[] = [
  ['a rule ignores Retry-After', 'budget/budget.ts', 'if (now < state.heldUntil)', 'if (false)'],
  [
    'a rejected swap grants its permits',
    'compare-and-swap.ts',
    'if (swap.swapped)',
    'if (swap.swapped || conflicts === 0)',
  ],
  [
    'an update grants permits after a 429',
    'shared-gate.ts',
    "report.kind === 'rate-limited');",
    'false);',
    { calls: [[2, 1], [1]], limit: 9 },
  ],
  [
    'lost probes are forgotten',
    'budget/budget-counting.ts',
    'if (unknownSince !== undefined) state',
    'if (false) state',
    { calls: [[3, 1]], faults: 2 },
  ],
  [
    'a crash drops all leases',
    'budget/leases.ts',
    '|| isDead(holder)',
    '|| state.leases.some((lease) => isDead(lease.holder))',
    { calls: [[2], [1]], limit: 9 },
  ],
  [
    'a waiting process does not poll',
    'shared-gate.ts',
    'if (this.#queue.length === 0 || this.#isWorkLeft) return;',
    'return;',
    { calls: [[2], [1]] },
  ],
];
const IMPORT_BUGS: Bug[] = [
  [
    'a run sends unknown rows again',
    'send/import-run.ts',
    "journal.states.get(row) === 'left'",
    '/left|unknown/.test(journal.states.get(row))',
  ],
  [
    'a journal forgets rows in flight',
    'journal/load-journal.ts',
    "moveAll('in-flight', 'unknown')",
    "moveAll('in-flight', 'left')",
  ],
  [
    'a row is sent before the sync',
    'journal/journal.ts',
    'add(body));\n      await this.#file.sync();',
    'add(body));',
  ],
];

test('the checker finds each of these errors with a shortest trace', { timeout: TIMEOUT_MS }, async () => {
  const traces: string[] = [];
  const find = async (
    bugs: readonly Bug[],
    folder: string,
    run: (change: SourceChange, bound: Bug[4]) => Promise<{ trace: string[] | undefined }>,
  ) => {
    for (const [name, file, from, to, bound] of bugs) {
      const { trace = ['not found'] } = await run({ file: `${folder}/${file}`, from, to }, bound);
      traces.push([`${name}:`, ...trace].join('\n  '));
    }
  };
  await find(GATE_BUGS, 'client/gate', (change, bound) => exploreGate({ ...GATE, ...bound }, change));
  await find(IMPORT_BUGS, 'bulk', (change) =>
    exploreImport({ rows: 2, concurrency: 1, runs: 2, faults: 1 }, change),
  );
  await expect(`${traces.join('\n\n')}\n`).toMatchFileSnapshot('traces.txt');
});
