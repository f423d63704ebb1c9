import { describe, expect, test } from 'vitest';
import type { GateReport } from '../../../src/client/gate/budget/budget-counting.js';
import type { Gate, GateRequest, Permit } from '../../../src/client/gate/gate.js';
import { NOON } from '../../support/virtual-clock.js';
import { EMPTY_LOT, SpareLeases, type SpareLot } from '../../../src/client/gate/spare-leases.js';
import { acquire, LIMITED, openProcesses, type Processes } from './shared-processes.js';
import { createTestBudget } from './test-budget.js';

const LIMIT = 10_000;

function responseOf(remaining: number, untilResetMs = 60_000): GateReport {
  const rateLimit = { limit: LIMIT, remaining, resetAt: NOON + 60_000 };
  return { kind: 'response', rateLimit, untilResetMs };
}

/** Starts a process with several requests in flight, which has spare leases if the limit is far away. */
async function startBusy({ clock, process, report }: Processes, name: string, first: GateReport) {
  const gate = process(name);
  await report(gate, first);
  const entries = Array.from({ length: 8 }, () => acquire(gate));
  await clock.advance(0);
  return { gate, permits: entries.flatMap(({ permit }) => permit ?? []) };
}

/** Returns the permit if the gate has one at once. */
function takeSpare(gate: Gate): Permit | undefined {
  const acquired = gate.acquire({ level: 0, onWait: () => undefined });
  return acquired instanceof Promise ? undefined : acquired;
}

describe('spare leases', () => {
  const onWait = (): void => undefined;
  const take = (spares: SpareLeases, change: Partial<GateRequest> = {}): number | undefined =>
    spares.take(
      createTestBudget(responseOf(9_000)).budget,
      { level: 0, leaseMs: 30_000, onWait, ...change },
      { now: 0, isCurrent: () => true },
    );

  test.each<[string, Partial<GateRequest>, number | undefined]>([
    ['like those before', {}, 7],
    ['of a higher priority level', { level: 5 }, undefined],
    ['that may last longer', { leaseMs: 30_001 }, undefined],
    ['without a time limit', { leaseMs: undefined }, undefined],
  ])('serve a request %s', (_, change, expected) => {
    const spares = new SpareLeases();
    spares.replace({ numbers: [7], level: 0, leaseMs: 30_000, until: 1_000 }, 1);
    expect(take(spares, change)).toBe(expected);
    expect(spares.isEmpty).toBe(expected !== undefined);
  });

  test('use the simultaneous requests that are left while a shorter window may be hidden', () => {
    const { budget, start } = createTestBudget(responseOf(9_000, 86_400_000));
    budget.passedCount = 640;
    start();
    const requests = Array.from({ length: 30 }, () => ({ level: 0, onWait }));
    const { numbers } = new SpareLeases().lease(budget, 0, { holder: 'me', requests, lease: () => 1 });
    // Of eleven, one is in flight.
    expect(numbers).toHaveLength(10);
  });

  test('are twice as many as were used since the last update that admitted a request', () => {
    const spares = new SpareLeases();
    const { budget } = createTestBudget(responseOf(9_000));
    const lease = (count: number, level = 0): SpareLot => {
      const requests = Array.from({ length: count }, (_, index) => ({ level: index * level, onWait }));
      return spares.lease(budget, 0, { holder: 'me', requests, lease: () => 1 });
    };
    expect([lease(0), lease(1)]).toEqual([EMPTY_LOT, EMPTY_LOT]);
    expect(lease(3, 25)).toEqual({ numbers: [1, 1], level: 50, leaseMs: undefined, until: 1_000 });
    spares.replace(lease(3), 0);
    expect(take(spares)).toBe(1);
    spares.replace(EMPTY_LOT, 0);
    expect(lease(3).numbers).toHaveLength(4);
    spares.replace(EMPTY_LOT, 1);
    expect(lease(3).numbers).toHaveLength(2);
  });

  test('admit the next requests of a busy process without an update', async () => {
    const processes = openProcesses();
    const { gate, permits } = await startBusy(processes, 'one', responseOf(9_000));
    const { swaps } = processes.storage;
    for (const permit of permits.slice(2)) {
      permit.release(responseOf(8_900));
      expect(takeSpare(gate)).toBeDefined();
    }
    expect(processes.storage.swaps).toBe(swaps);
    await processes.clock.advance(50);
    expect(processes.storage.swaps).toBe(swaps + 1);
  });

  test.each<[string, GateReport]>([
    ['the limit is near', responseOf(100)],
    ['the limit is unknown', { kind: 'response' }],
  ])('are not taken if %s', async (_, first) => {
    const { gate } = await startBusy(openProcesses(), 'one', first);
    expect(takeSpare(gate)).toBeUndefined();
  });

  test.each<[string, (processes: Processes, permits: Permit[]) => unknown]>([
    ['a 429 response to another process', ({ process, report }) => report(process('other'), LIMITED)],
    ['a 429 response to this process', (_, [permit]) => void permit?.release(LIMITED)],
    ['the end of the window', ({ clock }) => clock.advance(59_999)],
    ['a second', ({ clock }) => clock.advance(1_000)],
    ['a failure of the storage', ({ storage }) => void (storage.mode = 'fails')],
  ])('are not used after %s', async (_, happen) => {
    const processes = openProcesses();
    const { gate, permits } = await startBusy(processes, 'one', responseOf(9_000));
    expect(takeSpare(gate)).toBeDefined();
    const happened = happen(processes, permits);
    if (happened instanceof Promise) await happened;
    // The storage is read once for all requests of a turn.
    await new Promise((resolve) => setImmediate(resolve));
    expect(takeSpare(gate)).toBeUndefined();
  });

  test('are not used during an update, which returns them', async () => {
    const { gate } = await startBusy(openProcesses(), 'one', responseOf(9_000));
    void gate.flush();
    expect(takeSpare(gate)).toBeUndefined();
  });

  test('read the storage once in a turn', async () => {
    const processes = openProcesses();
    const { gate } = await startBusy(processes, 'one', responseOf(9_000));
    expect(takeSpare(gate)).toBeDefined();
    processes.storage.mode = 'fails';
    expect(takeSpare(gate)).toBeDefined();
  });

  test('are used after a user has set the clock', async () => {
    const processes = openProcesses();
    const { gate } = await startBusy(processes, 'one', responseOf(9_000));
    processes.clock.setWall(NOON + 86_400_000);
    expect(takeSpare(gate)).toBeDefined();
  });

  test('let one probe go first in the next window', async () => {
    const processes = openProcesses();
    const { gate } = await startBusy(processes, 'one', responseOf(9_000, 800));
    await processes.clock.advance(800);
    const entries = Array.from({ length: 4 }, () => acquire(gate));
    await processes.clock.advance(0);
    expect(entries.filter(({ permit }) => permit)).toHaveLength(1);
  });

  test('of a dead process count as sent until a later response', async () => {
    const processes = openProcesses();
    await startBusy(processes, 'dead', responseOf(9_000));
    processes.storage.deadHolders.add('dead');
    const other = processes.process('other');
    // Eight requests and seven spare leases.
    expect(await other.readBudget()).toMatchObject({ windows: [{ remaining: 9_000 - 15 }] });
    await processes.report(other, responseOf(9_000 - 9));
    expect(await other.readBudget()).toMatchObject({ windows: [{ remaining: 9_000 - 9 }] });
  });

  test('are returned when the process has no more requests', async () => {
    const processes = openProcesses();
    const { permits } = await startBusy(processes, 'one', responseOf(9_000));
    for (const permit of permits) permit.release(responseOf(8_900));
    await processes.clock.advance(0);
    expect(processes.storage.text).toContain('"leases":[]');
  });

  test('of two processes never send more than the limit', async () => {
    const processes = openProcesses();
    const { clock } = processes;
    let left = 1_000;
    const run = async (gate: Gate): Promise<void> => {
      for (let calls = 0; calls < 400; calls += 1) {
        const permit = await gate.acquire({ level: 0, onWait: () => undefined });
        if (clock.monotonic() > 55_000) return;
        left -= 1;
        expect(left).toBeGreaterThanOrEqual(0);
        const seen = left;
        await new Promise<void>((resolve) => void clock.setTimeout(resolve, 10 + (calls % 7)));
        permit.release(responseOf(seen, 60_000 - clock.monotonic()));
      }
    };
    const gates = ['one', 'other'].map((name) => processes.process(name));
    void Promise.all(gates.flatMap((gate) => Array.from({ length: 8 }, () => run(gate))));
    await clock.advance(50_000);
    expect(left).toBe(0);
  });
});
