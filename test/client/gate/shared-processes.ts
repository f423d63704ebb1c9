import type { Gate, GateReport, GateRequest, Permit } from '../../../src/client/gate/budget/gate.js';
import { createSharedGate, type SharedGate } from '../../../src/client/gate/shared.js';
import { createTestPlace, type TestPlace } from '../../support/test-ledger.js';
import { createVirtualClock, NOON, type VirtualClock } from '../../support/virtual-clock.js';

export const LIMITED: GateReport = { kind: 'limited', holdMs: 1_000, toldMs: 900 };

/** An answer that tells how many requests are left in a window of sixty. */
export function told(remaining: number, untilResetMs = 60_000): GateReport {
  return {
    kind: 'answer',
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
  process(holder: string, random?: () => number): SharedGate;
  /** Has one request of a process come to this, and be told to the others. */
  report(gate: SharedGate, what: GateReport): Promise<void>;
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
      (await promise).leave(what);
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
  const promise = Promise.resolve(gate.enter({ pace: true, onWait: () => undefined, ...change }));
  const entry: { permit: Permit | undefined; promise: Promise<Permit> } = { permit: undefined, promise };
  promise.then(
    (permit) => (entry.permit = permit),
    () => undefined,
  );
  return entry;
}
