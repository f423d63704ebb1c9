import { describe, expect, test } from 'vitest';
import type { Ledger, Reading, Swap } from '../../../src/client/gate/gate-store.js';
import { createSimulatedService } from '../../support/simulated-service.js';
import { openStore } from '../../support/stores.js';
import { createTestPlace } from '../../support/test-ledger.js';
import { createVirtualClock, NOON } from '../../support/virtual-clock.js';
import { entering, openProcesses, told } from './shared-processes.js';

describe('a ledger', () => {
  test('that fails is done without, with one warning, and a 429 is carried over when it is back', async () => {
    const { clock, place, failures, process, report } = openProcesses();
    const [one, other] = [process('one'), process('other')];
    await report(one, { kind: 'response' });
    place.mode = 'fails';
    await report(one, { kind: 'rate-limited', holdMs: 20_000, retryAfterMs: 20_000 });
    expect(failures).toHaveLength(1);
    place.mode = 'works';
    const waiting = entering(one);
    await clock.advance(3_000);
    await one.readBudget();
    const entry = entering(other);
    await clock.advance(10_000);
    expect([waiting.permit, entry.permit]).toEqual([undefined, undefined]);
    await clock.advance(10_000);
    expect([waiting.permit, entry.permit].filter(Boolean)).toHaveLength(1);
  });

  test('that hangs holds a call for ten seconds, and the next ones not at all', async () => {
    const { clock, place, process } = openProcesses();
    place.latencyMs = () => 1;
    place.mode = 'hangs';
    const gate = process('one');
    const first = entering(gate);
    await clock.advance(10_001);
    expect(first.permit).toBeDefined();
    first.permit?.release({ kind: 'response' });
    const second = entering(gate);
    await clock.advance(0);
    expect(second.permit).toBeDefined();
  });

  test('whose text is no budget, or lost, begins with what is known here, with a warning', async () => {
    const { clock, place, failures, process, report } = openProcesses();
    const gate = process('one');
    await report(gate, { kind: 'response' });
    entering(process('other'));
    await clock.advance(0);
    await report(gate, { kind: 'rate-limited', holdMs: 20_000, retryAfterMs: 20_000 });
    expect(place.text).toContain('"holder":"other"');
    for (const text of ['nonsense', undefined]) {
      place.text = text;
      const entry = entering(gate);
      await clock.advance(5_000);
      expect(entry.permit).toBeUndefined();
    }
    expect(failures).toHaveLength(1);
    expect(place.text).toContain('"strikes":1');
    expect(place.text).not.toContain('"holder":"other"');
  });

  test('is told before a flush ends', async () => {
    const { clock, place, process } = openProcesses();
    place.latencyMs = () => 5;
    const gate = process('one');
    const entry = entering(gate);
    await clock.advance(100);
    entry.permit?.release(told(7));
    const flushed = gate.flush();
    await clock.advance(100);
    await flushed;
    expect(place.text).toContain('"remaining":7');
    expect(gate.rateLimit?.remaining).toBe(7);
    expect(gate.isIdle).toBe(true);
  });
});

describe('a store that misbehaves makes no call fail or hang, and gives one warning', () => {
  const BROKEN = new Error('no such directory');
  const fail = (): never => {
    throw BROKEN;
  };
  const working: Ledger = createTestPlace(createVirtualClock()).open('one');
  test.each<[string, () => Ledger]>([
    ['opening fails', fail],
    ['the holder is invalid', () => ({ ...working, holder: '' })],
    ['reading throws', () => ({ ...working, read: fail })],
    ['reading rejects', () => ({ ...working, read: () => Promise.reject(BROKEN) })],
    ['reading hangs', () => ({ ...working, read: () => new Promise<Reading>(() => undefined) })],
    ['reading returns nothing', () => ({ ...working, read: () => undefined as unknown as Reading })],
    [
      'the time is not a number',
      () => ({ ...working, read: () => ({ text: undefined, version: '', now: NaN }) }),
    ],
    ['writing throws', () => ({ ...working, swap: fail })],
    ['writing never succeeds', () => ({ ...working, swap: (seen) => ({ swapped: false, reading: seen }) })],
    ['writing returns nothing', () => ({ ...working, swap: () => undefined as unknown as Swap })],
  ])('%s', async (_, open) => {
    const clock = createVirtualClock(NOON);
    const { store, warnings } = openStore('https://api.test/v1', {
      clock,
      transport: createSimulatedService(clock, { perMinute: 60, perDay: 1e6, latencyMs: () => 10 }),
      gate: { id: 'test', open, close: () => Promise.resolve() },
    });
    const calls = [store.pets.list(), store.pets.list()];
    const budget = store.budget();
    await clock.advance(15_000);
    expect(await Promise.all(calls)).toEqual([[], []]);
    expect((await budget).heldForMs).toBe(0);
    expect(warnings).toMatchObject([{ code: 'gate-degraded' }]);
  });
});
