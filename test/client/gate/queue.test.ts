import { getEventListeners } from 'node:events';
import { describe, expect, test } from 'vitest';
import type { Gate, GateRequest, GateWait, Permit } from '../../../src/client/gate/gate.js';
import { ProcessGate } from '../../../src/client/gate/process-gate.js';
import { rejection } from '../../support/stores.js';
import { createVirtualClock, type VirtualClock } from '../../support/virtual-clock.js';

describe('the queue', () => {
  const request = (change: Partial<GateRequest> = {}): GateRequest => ({
    level: 0,
    onWait: () => undefined,
    ...change,
  });
  const limited = { kind: 'rate-limited', holdMs: 1_000, retryAfterMs: 900 } as const;
  /** A gate just after a 429 response with a hold of one second. */
  const closedGate = async (): Promise<{ gate: Gate; clock: VirtualClock }> => {
    const clock = createVirtualClock();
    await clock.advance(5_000);
    const gate = new ProcessGate(clock);
    (await gate.acquire(request())).release(limited);
    return { gate, clock };
  };
  /** Starts three calls. Returns the permits of those admitted so far. */
  const acquireThree = (gate: Gate): Permit[] => {
    const acquired: Permit[] = [];
    for (let count = 0; count < 3; count += 1) {
      void Promise.resolve(gate.acquire(request())).then((permit) => acquired.push(permit));
    }
    return acquired;
  };

  test('reports each wait once, with the part that the service requires', async () => {
    const { gate, clock } = await closedGate();
    const waits: GateWait[] = [];
    const acquired = gate.acquire(request({ onWait: (wait) => waits.push(wait) }));
    const behind = gate.acquire(request());
    await clock.advance(500);
    void gate.acquire(request());
    expect(waits).toStrictEqual([{ reason: 'rate-limited', delayMs: 1_000, retryAfterMs: 900 }]);
    await clock.advance(500);
    (await acquired).release({ kind: 'response' });
    (await behind).release({ kind: 'response' });
  });

  test('reports a known wait to a new waiter only', async () => {
    const { gate, clock } = await closedGate();
    const reported: string[] = [];
    const waiter = (name: string): GateRequest => request({ onWait: () => reported.push(name) });
    const acquired = ['first', 'second', 'third'].map((name) => Promise.resolve(gate.acquire(waiter(name))));
    expect(reported).toEqual(['first', 'second', 'third']);
    expect(clock.pending).toBe(1);
    await clock.advance(1_000);
    (await acquired[0]!).release({ kind: 'response' });
    for (const next of acquired.slice(1)) (await next).release({ kind: 'response' });
  });

  test.each<[string, Partial<GateRequest>]>([
    [
      'that refuses the wait',
      {
        onWait: () => {
          throw new Error('over');
        },
      },
    ],
    ['whose signal is aborted', { signal: AbortSignal.abort(new Error('over')) }],
  ])('does not add a call %s', async (_, change) => {
    const { gate, clock } = await closedGate();
    expect(await rejection(Promise.resolve(gate.acquire(request(change))))).toEqual(new Error('over'));
    expect(clock.pending).toBe(0);
  });

  test('leaves no timer and no listener after an abort', async () => {
    const { gate, clock } = await closedGate();
    const controller = new AbortController();
    const acquired = rejection(Promise.resolve(gate.acquire(request({ signal: controller.signal }))));
    expect(clock.pending).toBe(1);
    controller.abort('over');
    expect(await acquired).toBe('over');
    expect(clock.pending).toBe(0);
    expect(getEventListeners(controller.signal, 'abort')).toHaveLength(0);
  });

  test('leaves no listener after admission', async () => {
    const { gate, clock } = await closedGate();
    const { signal } = new AbortController();
    const acquired = gate.acquire(request({ signal }));
    await clock.advance(1_000);
    await acquired;
    expect(getEventListeners(signal, 'abort')).toHaveLength(0);
  });

  test('keeps the order for a call that arrives when the gate opens', async () => {
    const clock = createVirtualClock();
    const gate = new ProcessGate(clock);
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

  test('admits the calls of all priority levels in order of arrival', async () => {
    const { gate, clock } = await closedGate();
    const order: string[] = [];
    for (const name of ['50 first', '0 second', '25 third', '50 fourth', '0 fifth'])
      void Promise.resolve(gate.acquire(request({ level: Number.parseInt(name, 10) }))).then((permit) => {
        order.push(name);
        permit.release({ kind: 'response' });
      });
    await clock.advance(1_000);
    expect(order).toEqual(['50 first', '0 second', '25 third', '50 fourth', '0 fifth']);
  });

  test('lets no call wait for one of a higher priority level', async () => {
    const gate = new ProcessGate(createVirtualClock());
    const rateLimit = { limit: 60, remaining: 15, resetAt: 60_000 };
    (await gate.acquire(request())).release({ kind: 'response', rateLimit, untilResetMs: 60_000 });
    expect(gate.acquire(request({ level: 50 }))).toBeInstanceOf(Promise);
    expect(gate.acquire(request())).not.toBeInstanceOf(Promise);
    expect(gate.acquire(request({ level: 75 }))).toBeInstanceOf(Promise);
  });

  test('admits its calls after a reset', async () => {
    const { gate } = await closedGate();
    const acquired = gate.acquire(request());
    expect([gate.isIdle, gate.reset()]).toEqual([false, true]);
    (await acquired).release({ kind: 'response' });
    expect([gate.isIdle, gate.reset()]).toEqual([true, false]);
    const rateLimit = { limit: 60, remaining: 5, resetAt: 60_000 };
    (await gate.acquire(request())).release({ kind: 'response', rateLimit, untilResetMs: 60_000 });
    expect(gate.reset()).toBe(true);
  });

  test('admits another probe after one without a response', async () => {
    const { gate, clock } = await closedGate();
    const acquired = acquireThree(gate);
    await clock.advance(1_000);
    acquired[0]?.release({ kind: 'no-response', sent: true });
    await clock.advance(0);
    expect(acquired).toHaveLength(2);
    expect(gate.consecutive429Count).toBe(1);
  });

  test('keeps one timer, even if a listener starts another call', async () => {
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

  test('counts a permit that is released twice once', async () => {
    const clock = createVirtualClock();
    const gate = new ProcessGate(clock);
    const permit = await gate.acquire(request());
    const rateLimit = { limit: 60, remaining: 5, resetAt: 60_000 };
    const report = { ...limited, rateLimit, untilResetMs: 60_000 };
    expect(permit.release(report)).toEqual(rateLimit);
    expect(permit.release(report)).toBeUndefined();
    expect(gate.consecutive429Count).toBe(1);
  });
});
