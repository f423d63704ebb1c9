import { describe, expect, test } from 'vitest';
import { degradingGate } from '../../../src/client/gate/degrading.js';
import type { Gate, GateReport, GateRequest, Permit } from '../../../src/client/gate/budget/gate.js';
import { createMemoryGate } from '../../../src/client/gate/memory.js';
import { createPetStore, type Warning } from '../../../src/client/index.js';
import { rejection } from '../../support/stores.js';
import { createVirtualClock, type VirtualClock } from '../../support/virtual-clock.js';

const REQUEST: GateRequest = { pace: true, onWait: () => undefined };
const BROKEN = new Error('no such directory');

function gateOf(enter: Gate['enter']): Gate {
  return { strikes: 0, rateLimit: undefined, enter };
}

function setUp(own: Gate): { gate: Gate; inMemory: Gate; failures: unknown[]; clock: VirtualClock } {
  const failures: unknown[] = [];
  const clock = createVirtualClock();
  const inMemory = createMemoryGate(clock);
  return { gate: degradingGate(own, inMemory, (error) => failures.push(error)), inMemory, failures, clock };
}

describe('a gate that fails', () => {
  test.each<[string, Gate['enter']]>([
    [
      'at once',
      () => {
        throw BROKEN;
      },
    ],
    ['after a while', () => Promise.reject(BROKEN)],
  ])('%s is stood in for by the one in memory', async (_, enter) => {
    const { gate, inMemory, failures } = setUp(gateOf(enter));
    const rateLimit = { limit: 60, remaining: 7, resetAt: 30_000 };
    (await gate.enter(REQUEST)).leave({ kind: 'answer', rateLimit, untilResetMs: 30_000 });
    expect(failures).toEqual([BROKEN]);
    expect(inMemory.rateLimit?.remaining).toBe(7);
    expect(gate.rateLimit?.remaining).toBe(7);
  });

  test('while it is told of an answer is not heard of by the call', async () => {
    const permit: Permit = {
      leave() {
        throw BROKEN;
      },
    };
    const { gate, failures } = setUp(gateOf(() => permit));
    expect((await gate.enter(REQUEST)).leave({ kind: 'answer' })).toBeUndefined();
    expect(failures).toEqual([BROKEN]);
  });

  test('is tried again with the next call', async () => {
    let works = false;
    const permit: Permit = { leave: () => undefined };
    const { gate, failures } = setUp(gateOf(() => (works ? permit : Promise.reject(BROKEN))));
    (await gate.enter(REQUEST)).leave({ kind: 'answer' });
    works = true;
    (await gate.enter(REQUEST)).leave({ kind: 'answer' });
    expect(failures).toHaveLength(1);
  });

  test('and comes back keeps to what was told meanwhile', async () => {
    let works = false;
    const left: GateReport[] = [];
    const permit: Permit = { leave: (report) => void left.push(report) };
    const { gate, clock } = setUp(gateOf(() => (works ? permit : Promise.reject(BROKEN))));
    (await gate.enter(REQUEST)).leave({ kind: 'limited', holdMs: 9_000, toldMs: 9_000 });
    works = true;
    const aborted = new AbortController();
    const gone = rejection(Promise.resolve(gate.enter({ ...REQUEST, signal: aborted.signal })));
    let entered = false;
    void Promise.resolve(gate.enter(REQUEST)).then(() => (entered = true));
    await clock.advance(8_999);
    expect(entered).toBe(false);
    aborted.abort('over');
    expect(await gone).toBe('over');
    expect(left).toEqual([{ kind: 'none', sent: false }]);
    await clock.advance(1);
    expect(entered).toBe(true);
  });

  test('is stood in for by one that knows what it was told', async () => {
    let works = true;
    const permit: Permit = { leave: () => undefined };
    const { gate, clock } = setUp(gateOf(() => (works ? permit : Promise.reject(BROKEN))));
    (await gate.enter(REQUEST)).leave({ kind: 'limited', holdMs: 9_000, toldMs: 9_000 });
    works = false;
    let entered = false;
    void Promise.resolve(gate.enter(REQUEST)).then(() => (entered = true));
    await clock.advance(8_999);
    expect(entered).toBe(false);
    await clock.advance(1);
    expect(entered).toBe(true);
  });

  test('is not what a refused wait or an abort is', async () => {
    const refusal = new Error('too long');
    const refusing: GateRequest = {
      ...REQUEST,
      onWait: () => {
        throw refusal;
      },
    };
    const waiting = gateOf(async (request) => {
      await Promise.resolve();
      request.onWait({ reason: 'paced', delayMs: 5 });
      return { leave: () => undefined };
    });
    const { gate, failures } = setUp(waiting);
    expect(await rejection(Promise.resolve(gate.enter(refusing)))).toBe(refusal);
    const over = new Error('over');
    const { gate: other } = setUp(gateOf(() => Promise.reject(over)));
    expect(
      await rejection(Promise.resolve(other.enter({ ...REQUEST, signal: AbortSignal.abort(over) }))),
    ).toBe(over);
    expect(failures).toEqual([]);
  });
});

test('a call over a broken gate succeeds, with one warning', async () => {
  const warnings: Warning[] = [];
  const store = createPetStore({
    apiKey: 'key',
    baseUrl: 'http://127.0.0.1/v1',
    fetch: () => Promise.resolve(new Response('[]')),
    gate: gateOf(() => Promise.reject(BROKEN)),
    onWarning: (warning) => warnings.push(warning),
  });
  expect([await store.pets.list(), await store.pets.list()]).toEqual([[], []]);
  expect(warnings).toEqual([
    {
      code: 'gate-degraded',
      message: `the gate fails (${BROKEN.message}), so the rate limit is kept within this process only`,
    },
  ]);
});
