import { expect, test } from 'vitest';
import type { GateReport } from '../../../src/client/gate/budget/budget-counting.js';
import { parseBudget } from '../../../src/client/gate/budget/budget-text.js';
import type { Gate } from '../../../src/client/gate/gate.js';
import { type Ledger, needsNode } from '../../../src/client/gate/gate-store.js';
import { closeStore, resetBudget } from '../../../src/client/gate/registry.js';
import { SharedGate } from '../../../src/client/gate/shared-gate.js';
import { createTestStorage } from '../../support/test-storage.js';
import { createVirtualClock, NOON } from '../../support/virtual-clock.js';
import { acquire, responseWith } from './shared-processes.js';

const limited: GateReport = {
  ...{ kind: 'rate-limited', holdMs: 300_000, retryAfterMs: 300_000 },
  ...{ rateLimit: { limit: 60, remaining: 0, resetAt: NOON + 60_000 }, untilResetMs: 60_000 },
};

/** Processes with a network store and, as its fallback, files with another clock. */
function setUp() {
  const clock = createVirtualClock(NOON);
  const network = createTestStorage(clock);
  const files = createTestStorage(clock, 9_000_000);
  const failures: boolean[] = [];
  const open = (holder: string) => ({ ...network.open(holder), fallback: files.open(holder) });
  const start = (holder: string): Gate =>
    new SharedGate(open(holder), {
      clock,
      random: () => 0.5,
      onFailure: (_error, hasFallback) => void failures.push(hasFallback),
    });
  const report = async (gate: Gate, outcome: GateReport): Promise<void> => {
    const { promise } = acquire(gate);
    await clock.advance(500);
    (await promise).release(outcome);
    await clock.advance(0);
    await gate.flush();
  };
  return { clock, network, files, failures, open, start, report };
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
  const reset = (open: () => Ledger) =>
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

test('a gate that needs Node.js says what to use without it', () => {
  expect(needsNode('fileGate')).toMatchObject({
    message: 'fileGate needs Node.js, and this runtime has no modules of Node.js',
    option: 'gate',
    hint: expect.stringContaining('memoryGate()'),
  });
});
