import { describe, expect, test } from 'vitest';
import { NEVER } from '../../../src/client/gate/budget/budget.js';
import { parseBudget } from '../../../src/client/gate/budget/budget-text.js';
import { resetBudget } from '../../../src/client/gate/registry.js';
import type { Gate } from '../../../src/client/gate/gate.js';
import { rejection } from '../../support/stores.js';
import { createTestStorage } from '../../support/test-storage.js';
import { createVirtualClock } from '../../support/virtual-clock.js';
import { acquire, LIMITED, openProcesses, type Processes, responseWith } from './shared-processes.js';

const HELD = { ...LIMITED, holdMs: 3_600_000, retryAfterMs: 3_600_000 };

/** Ways to reset the budget that `gate` uses. */
const RESETS: [string, (gate: Gate, processes: Processes) => Promise<boolean>][] = [
  ['by the process itself', async (gate) => gate.reset()],
  ['by another process', async (_, { process }) => process('other').reset()],
  [
    'by a command',
    (_, { storage, clock }) => {
      const store = { id: 'x', open: () => storage.open('command'), close: () => Promise.resolve() };
      return resetBudget(store, 'https://api.test', 'key', clock);
    },
  ],
];

describe.each(RESETS)('a reset %s', (_, reset) => {
  test('ends the wait of a process that has received it, also at its next update', async () => {
    const processes = openProcesses();
    const { clock, process, report, storage } = processes;
    const gate = process('one');
    await report(gate, HELD);
    expect(await reset(gate, processes)).toBe(true);
    expect(await gate.readBudget()).toEqual({ windows: [], heldForMs: 0, retryAfterMs: 0 });
    await report(gate, responseWith(7));
    await report(gate, responseWith(6));
    await clock.advance(0);
    expect(parseBudget(storage.text ?? '')).toMatchObject({ resetCount: 1, consecutive429Count: 0 });
    expect(await gate.readBudget()).toMatchObject({ windows: [{ remaining: 6 }], heldForMs: 0 });
  });

  test('keeps the requests in flight', async () => {
    const processes = openProcesses();
    const { clock, process, report } = processes;
    const gate = process('one');
    await report(gate, responseWith(50));
    const entry = acquire(gate);
    await clock.advance(0);
    await report(process('two'), HELD);
    await reset(gate, processes);
    entry.permit?.release(responseWith(9));
    await gate.flush();
    expect(await gate.readBudget()).toMatchObject({ windows: [{ remaining: 9 }], heldForMs: 0 });
  });
});

test('a reset during an outage counts when the storage works again', async () => {
  const { clock, storage, process, report } = openProcesses();
  const gate = process('one');
  await report(gate, HELD);
  storage.mode = 'fails';
  expect(await gate.reset()).toBe(true);
  storage.mode = 'works';
  await clock.advance(40_000);
  const entry = acquire(gate);
  await clock.advance(100);
  expect(entry.permit).toBeDefined();
  expect(parseBudget(storage.text ?? '')).toMatchObject({ resetCount: 1 });
});

describe('resetBudget', () => {
  const open = () => {
    const clock = createVirtualClock();
    const storage = createTestStorage(clock);
    const store = { id: 'x', open: () => storage.open('one'), close: () => Promise.resolve() };
    return { storage, reset: () => resetBudget(store, 'https://api.test', 'key', clock) };
  };

  test.each(['{"heldUntil":1e300}', 'garbage', ''])('replaces the stored text %j', async (text) => {
    const { storage, reset } = open();
    storage.text = text;
    expect(await reset()).toBe(true);
    expect(parseBudget(storage.text)).toMatchObject({ heldUntil: NEVER, limits: [] });
    expect(await reset()).toBe(false);
  });

  test('writes nothing if nothing is stored', async () => {
    const { storage, reset } = open();
    expect(await reset()).toBe(false);
    expect([storage.text, storage.swaps]).toEqual([undefined, 0]);
  });

  test('rejects if the store fails', async () => {
    const { storage, reset } = open();
    storage.mode = 'fails';
    expect(await rejection(reset())).toBeInstanceOf(Error);
  });
});
