import type { GateReport } from '../../../src/client/gate/budget/budget-counting.js';
import type { Gate, GateRequest, Permit } from '../../../src/client/gate/gate.js';
import { createSharedGate } from '../../../src/client/gate/shared-gate.js';
import { createTestPlace, type TestPlace } from '../../support/test-ledger.js';
import { createVirtualClock, NOON, type VirtualClock } from '../../support/virtual-clock.js';

export const LIMITED: GateReport = { kind: 'rate-limited', holdMs: 1_000, retryAfterMs: 900 };

/** An answer that tells how many requests are left in a window of sixty. */
export function told(remaining: number, untilResetMs = 60_000): GateReport {
  return {
    kind: 'response',
    rateLimit: { limit: 60, remaining, resetAt: NOON + 60_000 },
    untilResetMs,
  };
}

/** Processes that share one place. */
export interface Processes {
  clock: VirtualClock;
  place: TestPlace;
  /** What went wrong with the place, in all of them. */
  failures: unknown[];
  /** Starts one more. */
  process(holder: string, random?: () => number): Gate;
  /** Has one request of a process come to this, and be told to the others. */
  report(gate: Gate, what: GateReport): Promise<void>;
}

/** Opens an empty place; nobody is there yet. */
export function openProcesses(): Processes {
  const clock = createVirtualClock(NOON);
  const place = createTestPlace(clock);
  const failures: unknown[] = [];
  return {
    clock,
    place,
    failures,
    process: (holder, random = () => 0.5) =>
      createSharedGate(place.open(holder), { clock, random, onFailure: (error) => failures.push(error) }),
    async report(gate, what) {
      const { promise } = entering(gate);
      await clock.advance(500);
      (await promise).release(what);
      await clock.advance(0);
      await gate.flush();
    },
  };
}

/** Enters, and keeps what became of it. */
export function entering(
  gate: Gate,
  change: Partial<GateRequest> = {},
): { permit: Permit | undefined; promise: Promise<Permit> } {
  const promise = Promise.resolve(gate.acquire({ pace: true, onWait: () => undefined, ...change }));
  const entry: { permit: Permit | undefined; promise: Promise<Permit> } = { permit: undefined, promise };
  promise.then(
    (permit) => (entry.permit = permit),
    () => undefined,
  );
  return entry;
}
