import type { GateReport } from '../../../src/client/gate/budget/budget-counting.js';
import type { Gate, GateRequest, Permit } from '../../../src/client/gate/gate.js';
import { createBudget } from '../../../src/client/gate/budget/budget.js';
import { formatBudget } from '../../../src/client/gate/budget/budget-text.js';
import { SharedGate } from '../../../src/client/gate/shared-gate.js';
import { MANY_PASSED } from './test-budget.js';
import { createTestStorage, type TestStorage } from '../../support/test-storage.js';
import { createVirtualClock, NOON, type VirtualClock } from '../../support/virtual-clock.js';

export const LIMITED: GateReport = { kind: 'rate-limited', holdMs: 1_000, retryAfterMs: 900 };

/** A response with so many of 60 requests remaining. */
export function responseWith(remaining: number, untilResetMs = 60_000): GateReport {
  return {
    kind: 'response',
    rateLimit: { limit: 60, remaining, resetAt: NOON + 60_000 },
    untilResetMs,
  };
}

/** Processes that share one storage. */
export interface Processes {
  clock: VirtualClock;
  storage: TestStorage;
  /** Failures of the storage that any process has reported. */
  failures: unknown[];
  /** Starts a process. */
  process(holder: string, random?: () => number): Gate;
  /** Sends one request of a process, reports its outcome and stores it. */
  report(gate: Gate, outcome: GateReport): Promise<void>;
}

/** Creates an empty storage without processes. */
export function openProcesses(): Processes {
  const clock = createVirtualClock(NOON);
  const storage = createTestStorage(clock);
  storage.text = formatBudget({ ...createBudget(), passedCount: MANY_PASSED });
  const failures: unknown[] = [];
  return {
    clock,
    storage,
    failures,
    process: (holder, random = () => 0.5) =>
      new SharedGate(storage.open(holder), {
        clock,
        random,
        onFailure: (error) => void failures.push(error),
      }),
    async report(gate, outcome) {
      const { promise } = acquire(gate);
      await clock.advance(500);
      (await promise).release(outcome);
      await clock.advance(0);
      await gate.flush();
    },
  };
}

/** Requests a permit. `permit` is set once it is granted. */
export function acquire(
  gate: Gate,
  change: Partial<GateRequest> = {},
): { permit: Permit | undefined; promise: Promise<Permit> } {
  const promise = Promise.resolve(gate.acquire({ level: 0, onWait: () => undefined, ...change }));
  const entry: { permit: Permit | undefined; promise: Promise<Permit> } = { permit: undefined, promise };
  promise.then(
    (permit) => (entry.permit = permit),
    () => undefined,
  );
  return entry;
}
