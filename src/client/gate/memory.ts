import type { Clock } from '../clock.js';
import { createBudget, type Obstacle } from './budget.js';
import type { Gate, GateRequest, GateWait, Permit } from './gate.js';

interface Waiter {
  readonly request: GateRequest;
  readonly resolve: (permit: Permit) => void;
  readonly reject: (reason: unknown) => void;
  /** What it was last told, so that it is told only of changes. */
  told: string;
  forget: () => void;
}

/** A gate of this process. */
export interface MemoryGate extends Gate {
  /** Whether it could be forgotten: nothing is under way, waits, or is held back. */
  readonly idle: boolean;
}

/** A gate that holds the calls of this process: first come, first served. */
export function createMemoryGate(clock: Clock): MemoryGate {
  const budget = createBudget();
  const waiting: Waiter[] = [];
  let cancelTimer: (() => void) | undefined;

  return {
    get strikes() {
      return budget.strikes;
    },
    get rateLimit() {
      return budget.rateLimit;
    },
    get idle() {
      return waiting.length === 0 && budget.isIdle(clock.monotonic());
    },
    enter(request) {
      if (waiting.length === 0 && budget.obstacle(clock.monotonic(), request.pace) === undefined)
        return grant();
      return queue(request);
    },
  };

  function grant(): Permit {
    const serial = budget.spend();
    let left = false;
    return {
      leave(report) {
        if (left) return undefined;
        left = true;
        const seen = budget.settle(serial, report, clock.monotonic());
        if (waiting.length > 0) admit();
        return seen;
      },
    };
  }

  function queue(request: GateRequest): Promise<Permit> {
    return new Promise<Permit>((resolve, reject) => {
      const { signal } = request;
      if (signal?.aborted === true) {
        reject(signal.reason as Error);
        return;
      }
      const abort = (): void => {
        leaveQueue(waiter);
        reject(signal?.reason);
      };
      const waiter: Waiter = {
        request,
        resolve,
        reject,
        told: '',
        forget: () => {
          signal?.removeEventListener('abort', abort);
        },
      };
      signal?.addEventListener('abort', abort, { once: true });
      waiting.push(waiter);
      admit();
    });
  }

  function leaveQueue(waiter: Waiter): void {
    const place = waiting.indexOf(waiter);
    if (place !== -1) waiting.splice(place, 1);
    waiter.forget();
    if (waiting.length === 0) stopTimer();
  }

  /** Lets in who may go, in order; tells the others what they wait for. */
  function admit(): void {
    stopTimer();
    const now = clock.monotonic();
    for (let first = waiting[0]; first !== undefined; first = waiting[0]) {
      const obstacle = budget.obstacle(now, first.request.pace);
      if (obstacle !== undefined) {
        tellAll(obstacle, now);
        break;
      }
      leaveQueue(first);
      first.resolve(grant());
    }
  }

  function tellAll(obstacle: Obstacle, now: number): void {
    const { until, toldUntil, ...rest } = obstacle;
    const wait: GateWait = {
      ...rest,
      ...(until === undefined ? {} : { delayMs: until - now }),
      ...(toldUntil === undefined ? {} : { toldMs: Math.max(0, toldUntil - now) }),
    };
    const what = `${wait.reason} ${String(until)}`;
    for (const waiter of [...waiting]) {
      if (waiter.told === what) continue;
      waiter.told = what;
      try {
        waiter.request.onWait(wait);
      } catch (refusal) {
        leaveQueue(waiter);
        waiter.reject(refusal);
      }
    }
    // Being told of the wait may have brought another call, and with it a timer.
    stopTimer();
    if (waiting.length > 0 && until !== undefined) cancelTimer = clock.setTimeout(admit, until - now);
  }

  function stopTimer(): void {
    cancelTimer?.();
    cancelTimer = undefined;
  }
}
