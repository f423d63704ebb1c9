import { expect, test } from 'vitest';
import type { Budget } from '../../src/client/gate/budget/budget.js';
import { openWindows } from '../../src/client/gate/budget/passes.js';
import { IS_FULL } from '../support/random-runs.js';
import { expectTraces } from './expect-traces.js';
import { exploreGate, type GateBound, type GateErrors } from './gate-model.js';

// The rules of `gate/budget`, as `SharedGate` applies them, with a store in memory that compares and swaps texts. No
// request is sent beyond a known window, and none waits for ever. Windows of 15 s, and of 30 s for `longLimit`, in steps
// of 7.5 s. Two windows that are shown have 2,228 states (6,955 with PETSTORE_TEST_FULL=1), and a window that is learned
// has 7,056 (52,972 for three calls of each process, with PETSTORE_TEST_FULL=1).

const GATE: GateBound = { processes: 2, calls: 2, open: 2, faults: 1, limit: 5, knowsDead: true };
const GATES: GateBound[] = [
  { ...GATE, open: 1 },
  { ...GATE, knowsDead: false, limit: 3 },
  { ...GATE, processes: 3, calls: 3, open: 1, limit: 4, faults: 0 },
  { ...GATE, open: 1, limit: 2, longLimit: 3 },
  { ...GATE, limit: 2, isHidden: true, open: 1 },
];
const GATES_FULL: GateBound[] = [
  GATE,
  { ...GATE, knowsDead: false, limit: 3 },
  { ...GATE, processes: 3, calls: 4, open: 1, faults: 0 },
  { ...GATE, calls: 3, open: 1, limit: 3, longLimit: 4 },
  { ...GATE, limit: 2, isHidden: true, open: 1 },
  { ...GATE, processes: 3, open: 1 },
  // Nine requests of four reach a third window: 207,759 states.
  { ...GATE, processes: 3, calls: 3, open: 1, limit: 4 },
  { ...GATE, calls: 3, limit: 2, isHidden: true, open: 1 },
];
const TIMEOUT_MS = 600_000;

test.each(IS_FULL ? GATES_FULL : GATES)(
  'a shared budget is obeyed in every order of steps (larger bounds with PETSTORE_TEST_FULL=1): %o',
  { timeout: TIMEOUT_MS },
  async (bound) => {
    const { states, trace } = await exploreGate(bound);
    console.log(`${states} states of the gate: ${JSON.stringify(bound)}`);
    expect(trace).toBeUndefined();
  },
);

const damaged = (damage: (state: Budget, holder: string) => void): GateErrors => ({ damage });
const GATE_ERRORS: [name: string, errors: GateErrors, bound?: Partial<GateBound>][] = [
  [
    'an update forgets Retry-After',
    damaged((state) => Object.assign(state, { heldUntil: 0, consecutive429Count: 0 })),
  ],
  [
    'lost requests are forgotten',
    damaged((state) => openWindows(state).forEach((window) => (window.unconfirmed = []))),
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
    damaged((state) => openWindows(state).forEach(({ unconfirmed }) => unconfirmed.push(state.sentCount))),
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
test('the checker finds each of these errors with a shortest trace', { timeout: TIMEOUT_MS }, async () => {
  await expectTraces(
    'gate-traces.txt',
    GATE_ERRORS.map(([name, errors, bound]) => [name, () => exploreGate({ ...GATE, ...bound }, errors)]),
  );
});
