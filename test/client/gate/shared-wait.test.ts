import { getEventListeners } from 'node:events';
import { describe, expect, test } from 'vitest';
import type { GateReport } from '../../../src/client/gate/budget/budget-counting.js';
import { parseBudget } from '../../../src/client/gate/budget/budget-text.js';
import type { GateWait } from '../../../src/client/gate/gate.js';
import { createSharedGate } from '../../../src/client/gate/shared-gate.js';
import { rejection } from '../../support/stores.js';
import type { TestPlace } from '../../support/test-ledger.js';
import { entering, LIMITED, openProcesses, told } from './shared-processes.js';

describe('who waits', () => {
  test('is told for how long, where that is known', async () => {
    const { clock, process, report } = openProcesses();
    const gate = process('one');
    await report(gate, LIMITED);
    const waits: GateWait[] = [];
    entering(gate, { onWait: (wait) => waits.push(wait) });
    await clock.advance(100);
    expect(waits).toEqual([{ reason: 'rate-limited', delayMs: 1_000, retryAfterMs: 900 }]);
  });

  test('is told of it too where others wait for the same already, and may refuse it', async () => {
    const { clock, process, report } = openProcesses();
    const gate = process('one');
    await report(gate, told(0));
    const waits: GateWait[] = [];
    entering(gate, { onWait: (wait) => waits.push(wait) });
    await clock.advance(1_000);
    const refused = rejection(
      entering(gate, {
        onWait: (wait) => {
          waits.push(wait);
          throw new Error('too long');
        },
      }).promise,
    );
    await clock.advance(0);
    expect(waits.map(({ delayMs }) => delayMs)).toEqual([60_000, 59_000]);
    expect(await refused).toEqual(new Error('too long'));
  });

  test('is told of the window after the next where so many are before', async () => {
    const { clock, process, report } = openProcesses();
    const gate = process('one');
    await report(gate, told(0));
    const delays: (number | undefined)[] = [];
    for (let count = 0; count < 61; count += 1)
      entering(gate, { onWait: ({ delayMs }) => delays.push(delayMs) });
    await clock.advance(0);
    expect(delays.slice(0, 60).every((delayMs) => delayMs === 60_000)).toBe(true);
    expect(delays[60]).toBe(120_000);
  });

  test('may refuse it, or be aborted, and leaves no place, no timer and no listener', async () => {
    const { clock, place, process, report } = openProcesses();
    const gate = process('one');
    await report(gate, LIMITED);
    const refusal = new Error('too long');
    const refused = rejection(
      entering(gate, {
        onWait: () => {
          throw refusal;
        },
      }).promise,
    );
    const controller = new AbortController();
    const aborted = rejection(entering(gate, { signal: controller.signal }).promise);
    await clock.advance(10);
    expect(await refused).toBe(refusal);
    expect(place.text).toContain('"wants"');
    controller.abort('over');
    expect(await aborted).toBe('over');
    await clock.advance(0);
    expect(place.text).not.toContain('"wants"');
    expect(clock.pending).toBe(0);
    expect(getEventListeners(controller.signal, 'abort')).toHaveLength(0);
    expect(gate.isIdle).toBe(false);
  });

  test('and is aborted while its permit is on the way gives it back', async () => {
    const { clock, place, process } = openProcesses();
    place.latencyMs = () => 5;
    const gate = process('one');
    const controller = new AbortController();
    const aborted = rejection(entering(gate, { signal: controller.signal }).promise);
    await clock.advance(12);
    controller.abort('over');
    expect(await aborted).toBe('over');
    await clock.advance(100);
    expect(place.text).not.toContain('"holder":"one"');
  });

  test('is not held up by who leaves more to others', async () => {
    const { clock, process, report } = openProcesses();
    const [bulk, counter] = [process('bulk'), process('counter')];
    await report(bulk, told(12));
    const entries = Array.from({ length: 5 }, () => entering(bulk, { reservePercent: 20 }));
    await clock.advance(100);
    expect(entries.filter(({ permit }) => permit)).toHaveLength(0);
    const [person, local] = [entering(counter), entering(bulk)];
    await clock.advance(100);
    expect([person.permit, local.permit]).not.toContain(undefined);
  });
});

describe('a told wait is kept whole', () => {
  const heldUntil = ({ text }: TestPlace): number => parseBudget(text ?? '')?.heldUntil ?? Number.NaN;
  const limited = (holdMs: number): GateReport => ({ kind: 'rate-limited', holdMs, retryAfterMs: holdMs });

  test('where the 429 comes while the ledger is being read', async () => {
    const { clock, place, process } = openProcesses();
    place.latencyMs = () => 200;
    const gate = process('one');
    const [one, other] = [entering(gate, { pace: false }), entering(gate, { pace: false })];
    await clock.advance(2_000);
    one.permit?.release({ kind: 'response' });
    await clock.advance(350);
    other.permit?.release(limited(1_000));
    const until = 5_000_000 + clock.monotonic() + 1_000;
    await clock.advance(5_000);
    expect(heldUntil(place)).toBeGreaterThanOrEqual(until);
  });

  test('where the ledger was slow, failed, and is back', async () => {
    const { clock, place, process } = openProcesses();
    place.latencyMs = () => 400;
    const gate = process('one');
    const entry = entering(gate);
    await clock.advance(2_000);
    place.latencyMs = () => 0;
    place.mode = 'fails';
    entry.permit?.release(limited(2_000));
    const until = 5_000_000 + clock.monotonic() + 2_000;
    await gate.flush();
    place.mode = 'works';
    await clock.advance(1_050);
    entering(gate);
    await clock.advance(0);
    expect(heldUntil(place)).toBeGreaterThanOrEqual(until);
    expect(heldUntil(place)).toBeLessThan(until + 1_000);
  });

  test.each([
    ['before the request', 'request'],
    ['before the 429', '429'],
  ])('where the ledger comes back with a text from %s', async (_, before) => {
    const { clock, place, process, report } = openProcesses();
    const gate = process('one');
    await report(gate, { kind: 'response' });
    let older = place.text;
    const entry = entering(gate);
    await clock.advance(0);
    if (before === '429') older = place.text;
    entry.permit?.release(limited(2_000));
    await gate.flush();
    place.text = older;
    const next = [entering(gate), entering(gate)];
    await clock.advance(1_999);
    expect(next.filter(({ permit }) => permit)).toHaveLength(0);
    await clock.advance(100);
    expect(next.filter(({ permit }) => permit)).toHaveLength(1);
  });

  test('but not twice, where the process slept through it', async () => {
    const { clock, place, failures, report } = openProcesses();
    let sleptMs = 0;
    const ledger = place.open('one');
    const awake = async <T extends { now: number }>(reading: T): Promise<T> =>
      Promise.resolve({ ...reading, now: reading.now + sleptMs });
    const gate = createSharedGate(
      {
        ...ledger,
        read: async () => awake(await ledger.read()),
        swap: async (seen, text, expiresInMs) => {
          const swap = await ledger.swap(seen, text, expiresInMs);
          return { ...swap, reading: await awake(swap.reading) };
        },
      },
      { clock, random: () => 0.5, onFailure: (error) => failures.push(error) },
    );
    await report(gate, limited(60_000));
    sleptMs = 100_000;
    const entry = entering(gate);
    await clock.advance(0);
    expect(entry.permit).toBeDefined();
  });
});
