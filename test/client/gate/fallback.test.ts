import { describe, expect, test } from 'vitest';
import { countReport, countSent, type GateReport } from '../../../src/client/gate/budget/budget-counting.js';
import { type Budget, createBudget, resetState } from '../../../src/client/gate/budget/budget.js';
import { formatBudget, parseBudget } from '../../../src/client/gate/budget/budget-text.js';
import { addLease } from '../../../src/client/gate/budget/leases.js';
import { copyBudget, isUnusedCopy } from '../../../src/client/gate/budget/merge-budgets.js';
import type { Gate } from '../../../src/client/gate/gate.js';
import { type BudgetStore, needsNode } from '../../../src/client/gate/gate-store.js';
import { StoreWithFallback } from '../../../src/client/gate/store-with-fallback.js';
import { closeStore, resetBudget } from '../../../src/client/gate/registry.js';
import { SharedGate } from '../../../src/client/gate/shared-gate.js';
import { createTestStorage, type TestStorage } from '../../support/test-storage.js';
import { createVirtualClock, NOON } from '../../support/virtual-clock.js';
import { acquire, responseWith } from './shared-processes.js';
import { limited as held } from './test-budget.js';

const limited: GateReport = {
  kind: 'rate-limited',
  holdMs: 300_000,
  retryAfterMs: 300_000,
  rateLimit: { limit: 60, remaining: 0, resetAt: NOON + 60_000 },
  untilResetMs: 60_000,
};

/** Processes with a network store and, as its fallback, files with another clock. */
function setUp() {
  const clock = createVirtualClock(NOON);
  const network = createTestStorage(clock);
  const files = createTestStorage(clock, 9_000_000);
  const failures: boolean[] = [];
  const open = (holder: string) => ({ ...network.open(holder), fallback: files.open(holder) });
  const options = {
    clock,
    random: () => 0.5,
    onFailure: (_error: unknown, hasFallback: boolean) => void failures.push(hasFallback),
  };
  const start = (holder: string): Gate => new SharedGate(open(holder), options);
  const openStore = (holder: string) => new StoreWithFallback(open(holder), options, () => undefined);
  const report = async (gate: Gate, outcome: GateReport): Promise<void> => {
    const { promise } = acquire(gate);
    await clock.advance(500);
    (await promise).release(outcome);
    await clock.advance(0);
    await gate.flush();
  };
  return { clock, network, files, failures, open, start, report, openStore };
}

test('a Retry-After received with the files is obeyed by a process that starts when the network store works again', async () => {
  const { clock, network, failures, start, report } = setUp();
  network.mode = 'fails';
  await report(start('first'), limited);
  expect(failures).toEqual([true]);
  // The window of the response ends before the wait.
  const controller = new AbortController();
  const waiting = acquire(start('second'), { signal: controller.signal });
  await clock.advance(70_000);
  controller.abort('over');
  await expect(waiting.promise).rejects.toBe('over');
  await clock.advance(0);
  network.mode = 'works';
  const next = acquire(start('third'));
  await clock.advance(229_000);
  expect(next.permit).toBeUndefined();
  await clock.advance(2_000);
  expect(next.permit).toBeDefined();
});

test('a process that ends leaves its budget in the files, and one that starts while the store fails uses it', async () => {
  const { clock, network, files, start, report } = setUp();
  const first = start('first');
  await report(first, responseWith(0));
  expect(files.text).toContain('"remaining":0');
  const { swaps } = files;
  await first.flush();
  expect(files.swaps).toBe(swaps);
  network.mode = 'fails';
  const next = acquire(start('second'));
  await clock.advance(50_000);
  expect(next.permit).toBeUndefined();
  await clock.advance(11_000);
  expect(next.permit).toBeDefined();
});

test('both fail: two failures are reported, and the budget stays in memory', async () => {
  const { clock, network, files, failures, start } = setUp();
  network.mode = 'fails';
  files.mode = 'fails';
  const entry = acquire(start('first'));
  await clock.advance(0);
  expect(entry.permit).toBeDefined();
  expect(failures).toEqual([true, false]);
});

test('a reset clears the store and its fallback', async () => {
  const { clock, network, files, open, start, report } = setUp();
  const gate = start('first');
  await report(gate, limited);
  await gate.reset();
  for (const { text } of [network, files]) expect(parseBudget(text ?? '')?.consecutive429Count).toBe(0);

  await report(start('second'), limited);
  const store = { id: 'both', open: () => open('reset'), close: () => Promise.resolve() };
  const fallbacks: boolean[] = [];
  const reset = (open: () => BudgetStore) =>
    resetBudget({ ...store, open }, 'https://api.test', 'key', clock, (wasStored) =>
      fallbacks.push(wasStored),
    );
  expect(await reset(store.open)).toBe(true);
  expect(await reset(store.open)).toBe(false);
  expect(await reset(() => network.open('reset'))).toBe(false);
  expect(fallbacks).toEqual([true, false]);
  const next = acquire(start('third'));
  await clock.advance(0);
  expect(next.permit).toBeDefined();
});

test('a store is closed, also if it fails or hangs', async () => {
  const { clock, open } = setUp();
  const closed: string[] = [];
  const outcomes = { works: Promise.resolve(), hangs: new Promise<void>(() => undefined) };
  for (const [name, outcome] of Object.entries(outcomes)) {
    const close = (): Promise<void> => (closed.push(name), outcome);
    const done = closeStore({ id: name, open: () => open(name), close }, clock);
    await clock.advance(3_000);
    await done;
  }
  const close = (): never => {
    throw new Error('failed');
  };
  await closeStore({ id: 'fails', open: () => open('fails'), close }, clock);
  expect(closed).toEqual(['works', 'hangs']);
});

describe('a budgetStore with a fallback', () => {
  const budgetIn = ({ text }: TestStorage): Budget => parseBudget(text ?? '') ?? createBudget();
  const send = (outcome: GateReport) => (state: Budget, now: number) => {
    countReport(state, countSent(state, now), outcome, now);
    return { state };
  };
  const put = async (storage: TestStorage, outcome: GateReport, isCopy = false): Promise<void> => {
    const { now } = await storage.open('writer').read();
    const { state } = send(outcome)(createBudget(), now);
    storage.text = formatBudget(isCopy ? copyBudget(state, createBudget(), now) : state);
  };

  test.each<[string, GateReport | undefined, GateReport, boolean, string | undefined]>([
    ['a copy with a longer wait', responseWith(7), held(30_000), true, '"heldUntil":5030000'],
    ['no copy with a wait in the tolerance', held(30_000), held(31_000), true, undefined],
    ['no copy with a wait that is over', responseWith(7), held(-500), true, undefined],
    ['no copy with fewer requests', responseWith(7), responseWith(3), true, undefined],
    ['a copy of a lost text', undefined, responseWith(3), true, '"remaining":3'],
    ['fewer requests', responseWith(7), responseWith(3), false, '"remaining":3'],
    ['not more requests', responseWith(3), responseWith(7), false, undefined],
  ])('merges %s at the start', async (_, stored, below, isCopy, merged) => {
    const { network, files, openStore } = setUp();
    if (stored !== undefined) await put(network, stored);
    await put(files, below, isCopy);
    const { text } = network;
    await openStore('me').read();
    expect(network.text).toContain(merged ?? text);
    expect(isUnusedCopy(budgetIn(files))).toBe(true);
  });

  test('merges a wait that another process has received during the outage', async () => {
    const { clock, network, files, openStore } = setUp();
    const budgetStore = openStore('me');
    const areDead = () => ['dead', 'me'].map((holder) => budgetStore.isDead(holder));
    network.mode = 'fails';
    files.deadHolders.add('dead').add('me');
    expect(areDead()).toEqual([false, false]);
    await budgetStore.update(send(responseWith(7)));
    expect([areDead(), budgetStore.untilRetryMs]).toEqual([[true, false], 875]);
    network.mode = 'works';
    await clock.advance(1_000);
    await budgetStore.read();
    await put(files, held(30_000));
    await clock.advance(0);
    await budgetStore.read();
    expect(network.text).toContain('"heldUntil":5031000');
  });

  test('copies only what is stricter, without leases, and keeps what it does not know', async () => {
    const { clock, files, openStore } = setUp();
    const budgetStore = openStore('me');
    const copyAfter = async (draft: (state: Budget, now: number) => { state: Budget }) => {
      await budgetStore.update(draft);
      await budgetStore.copyToFallback();
      return budgetIn(files);
    };
    const copy = await copyAfter((state, now) => {
      addLease(state, now, { holder: 'me', number: 1, leaseMs: 1_000 });
      return send(responseWith(3))(state, now);
    });
    expect(copy).toMatchObject({ leases: [], limits: [{ open: { remaining: 3, unconfirmed: [2] } }] });
    await clock.advance(61_000);
    expect(await copyAfter(send({ kind: 'response' }))).toEqual(copy);
    await put(files, responseWith(50));
    const { text } = files;
    await copyAfter(send(held(30_000)));
    expect(files.text).toBe(text);
    for (const isReset of [false, true, true])
      expect((await copyAfter((state) => ({ state: isReset ? state : resetState(state) }))).resetCount).toBe(
        1,
      );
  });
});

test('a gate that needs Node.js says what to use without it', () => {
  expect(needsNode('fileGate')).toMatchObject({
    message: 'fileGate needs Node.js, and this runtime has no modules of Node.js',
    option: 'gate',
    hint: expect.stringContaining('memoryGate()'),
  });
});
