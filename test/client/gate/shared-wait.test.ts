import { UNPACED } from '../../../src/client/gate/budget/budget.js';
import { getEventListeners } from 'node:events';
import { describe, expect, test } from 'vitest';
import type { GateReport } from '../../../src/client/gate/budget/budget-counting.js';
import { parseBudget } from '../../../src/client/gate/budget/budget-text.js';
import type { GateWait } from '../../../src/client/gate/gate.js';
import { SharedGate } from '../../../src/client/gate/shared-gate.js';
import { rejection } from '../../support/stores.js';
import type { TestStorage } from '../../support/test-storage.js';
import { acquire, LIMITED, openProcesses, responseWith } from './shared-processes.js';

describe('a waiting call', () => {
  test('gets its delay and may refuse the wait, even if others wait for the same time', async () => {
    const { clock, process, report } = openProcesses();
    const gate = process('one');
    await report(gate, responseWith(0));
    const waits: GateWait[] = [];
    acquire(gate, { onWait: (wait) => waits.push(wait) });
    await clock.advance(1_000);
    const refused = rejection(
      acquire(gate, {
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

  test('gets no permit from an update during which a 429 response arrives', async () => {
    const { clock, storage, process, report } = openProcesses();
    const gate = process('one');
    await report(gate, responseWith(50));
    const first = acquire(gate);
    await clock.advance(0);
    storage.latencyMs = () => 10;
    const waits: GateWait[] = [];
    const next = acquire(gate, { onWait: (wait) => waits.push(wait) });
    await clock.advance(30);
    first.permit!.release(LIMITED);
    await clock.advance(1_000);
    expect(next.permit).toBeUndefined();
    expect(waits.map(({ reason }) => reason)).toEqual(['rate-limited']);
    await clock.advance(200);
    expect(next.permit).toBeDefined();
    next.permit!.release(responseWith(49));
    await clock.advance(100);
    expect(parseBudget(storage.text!)!.leases).toEqual([]);
  });

  test('gets a later window if the calls before it use up the next one', async () => {
    const { clock, process, report } = openProcesses();
    const gate = process('one');
    const rateLimit = { limit: 60, remaining: 0, resetAt: 60_000, window: 'minute', plan: 'free' } as const;
    await report(gate, { kind: 'response', rateLimit, untilResetMs: 60_000 });
    const delays: (number | undefined)[] = [];
    for (let count = 0; count < 61; count += 1)
      acquire(gate, { onWait: ({ delayMs }) => delays.push(delayMs) });
    await clock.advance(0);
    expect(delays.slice(0, 60).every((delayMs) => delayMs === 60_000)).toBe(true);
    expect(delays[60]).toBe(120_000);
  });

  test('that refuses or is aborted leaves no ticket, timer or listener', async () => {
    const { clock, storage, process, report } = openProcesses();
    const gate = process('one');
    await report(gate, LIMITED);
    const refusal = new Error('too long');
    const refused = rejection(
      acquire(gate, {
        onWait: () => {
          throw refusal;
        },
      }).promise,
    );
    const controller = new AbortController();
    const aborted = rejection(acquire(gate, { signal: controller.signal }).promise);
    await clock.advance(10);
    expect(await refused).toBe(refusal);
    expect(storage.text).toContain('"waitingCount"');
    controller.abort('over');
    expect(await aborted).toBe('over');
    await clock.advance(0);
    expect(storage.text).not.toContain('"waitingCount"');
    expect(clock.pending).toBe(0);
    expect(getEventListeners(controller.signal, 'abort')).toHaveLength(0);
    expect(gate.isIdle).toBe(false);
  });

  test('that is aborted during the update releases its lease', async () => {
    const { clock, storage, process } = openProcesses();
    storage.latencyMs = () => 5;
    const gate = process('one');
    const controller = new AbortController();
    const aborted = rejection(acquire(gate, { signal: controller.signal }).promise);
    await clock.advance(12);
    controller.abort('over');
    expect(await aborted).toBe('over');
    await clock.advance(100);
    expect(storage.text).not.toContain('"holder":"one"');
  });

  test('does not wait for calls with a larger reserve', async () => {
    const { clock, process, report } = openProcesses();
    const [bulk, counter] = [process('bulk'), process('counter')];
    await report(bulk, responseWith(12));
    const entries = Array.from({ length: 5 }, () => acquire(bulk, { level: 20 }));
    await clock.advance(100);
    expect(entries.filter(({ permit }) => permit)).toHaveLength(0);
    const [person, local] = [acquire(counter), acquire(bulk)];
    await clock.advance(100);
    expect([person.permit, local.permit]).not.toContain(undefined);
  });
});

describe('a received Retry-After is obeyed', () => {
  const heldUntil = ({ text }: TestStorage): number => parseBudget(text ?? '')?.heldUntil ?? Number.NaN;
  const limited = (holdMs: number): GateReport => ({ kind: 'rate-limited', holdMs, retryAfterMs: holdMs });

  test('if the 429 arrives while the store is being read', async () => {
    const { clock, storage, process } = openProcesses();
    storage.latencyMs = () => 200;
    const gate = process('one');
    const [one, other] = [acquire(gate, { level: UNPACED }), acquire(gate, { level: UNPACED })];
    await clock.advance(2_000);
    one.permit?.release({ kind: 'response' });
    await clock.advance(350);
    other.permit?.release(limited(1_000));
    const until = 5_000_000 + clock.monotonic() + 1_000;
    await clock.advance(5_000);
    expect(heldUntil(storage)).toBeGreaterThanOrEqual(until);
  });

  test('if the store was slow, failed, and works again', async () => {
    const { clock, storage, process } = openProcesses();
    storage.latencyMs = () => 400;
    const gate = process('one');
    const entry = acquire(gate);
    await clock.advance(2_000);
    storage.latencyMs = () => 0;
    storage.mode = 'fails';
    entry.permit?.release(limited(2_000));
    const until = 5_000_000 + clock.monotonic() + 2_000;
    await gate.flush();
    storage.mode = 'works';
    await clock.advance(1_050);
    acquire(gate);
    await clock.advance(0);
    expect(heldUntil(storage)).toBeGreaterThanOrEqual(until);
    expect(heldUntil(storage)).toBeLessThan(until + 1_000);
  });

  test.each([
    ['before the request', 'request'],
    ['before the 429', '429'],
  ])('if the store returns to a text from %s', async (_, before) => {
    const { clock, storage, process, report } = openProcesses();
    const gate = process('one');
    await report(gate, { kind: 'response' });
    let older = storage.text;
    const entry = acquire(gate);
    await clock.advance(0);
    if (before === '429') older = storage.text;
    entry.permit?.release(limited(2_000));
    await gate.flush();
    storage.text = older;
    const next = [acquire(gate), acquire(gate)];
    await clock.advance(1_999);
    expect(next.filter(({ permit }) => permit)).toHaveLength(0);
    await clock.advance(100);
    expect(next.filter(({ permit }) => permit)).toHaveLength(1);
  });

  test('but not again after the machine was asleep', async () => {
    const { clock, storage, failures, report } = openProcesses();
    let sleptMs = 0;
    const store = storage.open('one');
    const awake = async <T extends { now: number }>(reading: T): Promise<T> =>
      Promise.resolve({ ...reading, now: reading.now + sleptMs });
    const gate = new SharedGate(
      {
        ...store,
        read: async () => awake(await store.read()),
        swap: async (seen, text, expiresInMs) => {
          const swap = await store.swap(seen, text, expiresInMs);
          return { ...swap, reading: await awake(swap.reading) };
        },
      },
      { clock, random: () => 0.5, onFailure: (error) => void failures.push(error) },
    );
    await report(gate, limited(60_000));
    sleptMs = 100_000;
    const entry = acquire(gate);
    await clock.advance(0);
    expect(entry.permit).toBeDefined();
  });
});
