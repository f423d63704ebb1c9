import { getEventListeners } from 'node:events';
import { describe, expect, test } from 'vitest';
import type { Gate, GateRequest, GateWait, Permit } from '../../../src/client/gate/gate.js';
import { createMemoryGate } from '../../../src/client/gate/memory-gate.js';
import { rejection } from '../../support/stores.js';
import { createVirtualClock, type VirtualClock } from '../../support/virtual-clock.js';

describe('the queue', () => {
  const request = (change: Partial<GateRequest> = {}): GateRequest => ({
    pace: true,
    onWait: () => undefined,
    ...change,
  });
  const limited = { kind: 'rate-limited', holdMs: 1_000, retryAfterMs: 900 } as const;
  /** A gate that a 429 has just closed for a second. */
  const closedGate = async (): Promise<{ gate: Gate; clock: VirtualClock }> => {
    const clock = createVirtualClock();
    const gate = createMemoryGate(clock);
    (await gate.acquire(request())).release(limited);
    return { gate, clock };
  };
  /** Three come at once. Keeps the permits of those who were let in. */
  const threeEnter = (gate: Gate): Permit[] => {
    const entered: Permit[] = [];
    for (let count = 0; count < 3; count += 1) {
      void Promise.resolve(gate.acquire(request())).then((permit) => entered.push(permit));
    }
    return entered;
  };

  test('does not exist where nothing has to be waited for: the permit is there at once', () => {
    expect(createMemoryGate(createVirtualClock()).acquire(request())).not.toBeInstanceOf(Promise);
  });

  test('tells each wait once, with what of it was told', async () => {
    const { gate, clock } = await closedGate();
    const waits: GateWait[] = [];
    const entered = gate.acquire(request({ onWait: (wait) => waits.push(wait) }));
    const behind = gate.acquire(request());
    await clock.advance(500);
    void gate.acquire(request());
    expect(waits).toEqual([{ reason: 'rate-limited', delayMs: 1_000, retryAfterMs: 900 }]);
    await clock.advance(500);
    (await entered).release({ kind: 'response' });
    (await behind).release({ kind: 'response' });
  });

  test('is let in by a new window though the last request of the old one hangs', async () => {
    const clock = createVirtualClock();
    const gate = createMemoryGate(clock);
    const rateLimit = { limit: 60, remaining: 1, resetAt: 30_000 };
    (await gate.acquire(request())).release({ kind: 'response', rateLimit, untilResetMs: 30_000 });
    await gate.acquire(request());
    let entered = false;
    void Promise.resolve(gate.acquire(request())).then(() => (entered = true));
    await clock.advance(29_999);
    expect(entered).toBe(false);
    await clock.advance(1);
    expect(entered).toBe(true);
  });

  test('tells a newcomer alone of a wait that the others know', async () => {
    const { gate, clock } = await closedGate();
    const told: string[] = [];
    const waiter = (name: string): GateRequest => request({ onWait: () => told.push(name) });
    const entered = ['first', 'second', 'third'].map((name) => Promise.resolve(gate.acquire(waiter(name))));
    expect(told).toEqual(['first', 'second', 'third']);
    expect(clock.pending).toBe(1);
    await clock.advance(1_000);
    (await entered[0]!).release({ kind: 'response' });
    for (const next of entered.slice(1)) (await next).release({ kind: 'response' });
  });

  test('takes no place where the wait is refused', async () => {
    const { gate, clock } = await closedGate();
    const refusal = new Error('too long');
    const refuse = (): never => {
      throw refusal;
    };
    expect(await rejection(Promise.resolve(gate.acquire(request({ onWait: refuse }))))).toBe(refusal);
    expect(clock.pending).toBe(0);
  });

  test('takes no place where the signal is aborted already', async () => {
    const { gate, clock } = await closedGate();
    const entered = Promise.resolve(gate.acquire(request({ signal: AbortSignal.abort('over') })));
    expect(await rejection(entered)).toBe('over');
    expect(clock.pending).toBe(0);
  });

  test('is left by an abort without a trace', async () => {
    const { gate, clock } = await closedGate();
    const controller = new AbortController();
    const entered = rejection(Promise.resolve(gate.acquire(request({ signal: controller.signal }))));
    expect(clock.pending).toBe(1);
    controller.abort('over');
    expect(await entered).toBe('over');
    expect(clock.pending).toBe(0);
    expect(getEventListeners(controller.signal, 'abort')).toHaveLength(0);
  });

  test('keeps no listener on the signal of who was let in', async () => {
    const { gate, clock } = await closedGate();
    const { signal } = new AbortController();
    const entered = gate.acquire(request({ signal }));
    await clock.advance(1_000);
    await entered;
    expect(getEventListeners(signal, 'abort')).toHaveLength(0);
  });

  test('lets one probe go first, and the others after its answer', async () => {
    const { gate, clock } = await closedGate();
    const entered = threeEnter(gate);
    await clock.advance(1_000);
    expect(entered).toHaveLength(1);
    entered[0]?.release({ kind: 'response' });
    await clock.advance(0);
    expect(entered).toHaveLength(3);
  });

  test('is not overtaken by who comes in the very moment in which it opens', async () => {
    const clock = createVirtualClock();
    const gate = createMemoryGate(clock);
    const order: string[] = [];
    const enter = (name: string): void =>
      void Promise.resolve(gate.acquire(request())).then((permit) => {
        order.push(name);
        permit.release({ kind: 'response' });
      });
    clock.setTimeout(() => enter('late'), 1_000);
    (await gate.acquire(request())).release(limited);
    enter('early');
    await clock.advance(1_000);
    expect(order).toEqual(['early', 'late']);
  });

  test('sends another probe after one that got no answer', async () => {
    const { gate, clock } = await closedGate();
    const entered = threeEnter(gate);
    await clock.advance(1_000);
    entered[0]?.release({ kind: 'no-response', sent: true });
    await clock.advance(0);
    expect(entered).toHaveLength(2);
    expect(gate.consecutive429Count).toBe(1);
  });

  test('keeps one timer, also where being told of a wait brings another call', async () => {
    const { gate, clock } = await closedGate();
    let brought = false;
    const again = (): void => {
      if (brought) return;
      brought = true;
      void gate.acquire(request());
    };
    void gate.acquire(request({ onWait: again }));
    expect(clock.pending).toBe(1);
    await clock.advance(1_000);
    expect(clock.pending).toBe(0);
  });

  test('a permit that is given back twice counts once', async () => {
    const clock = createVirtualClock();
    const gate = createMemoryGate(clock);
    const permit = await gate.acquire(request());
    permit.release(limited);
    expect(permit.release(limited)).toBeUndefined();
    expect(gate.consecutive429Count).toBe(1);
  });
});
