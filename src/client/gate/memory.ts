import type { RateLimit } from '../../schema/rate-limit.js';
import type { Clock } from '../time/clock.js';
import { settle, spend } from './budget/budget-counting.js';
import { createBudget } from './budget/budget-state.js';
import { earliestAfter, isIdle, levelOf, obstacle } from './budget/budget.js';
import type { Gate, GateRequest, KnownBudget, Permit } from './budget/gate.js';
import { knownBudget } from './budget/known-budget.js';
import { type Outlook, WaitingLine } from './waiting-line.js';

/** Makes a gate that holds the calls of this process: first come, first served. */
export function createMemoryGate(clock: Clock): MemoryGate {
  return new QueueingGate(clock);
}

/** A gate of this process. */
export interface MemoryGate extends Gate {
  /** Whether it could be forgotten: nothing is under way, waits, or is held back. */
  readonly idle: boolean;
}

class QueueingGate implements MemoryGate {
  readonly #clock: Clock;
  readonly #budget = createBudget();
  readonly #line = new WaitingLine(() => {
    if (this.#line.length === 0) this.#stopTimer();
  });
  #cancelTimer: (() => void) | undefined;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  get strikes(): number {
    return this.#budget.strikes;
  }

  get rateLimit(): RateLimit | undefined {
    return this.#budget.rateLimit;
  }

  get idle(): boolean {
    return this.#line.length === 0 && isIdle(this.#budget, this.#clock.monotonic());
  }

  enter(request: GateRequest): Permit | Promise<Permit> {
    const level = levelOf(request);
    if (!this.#line.holdsUp(level)) {
      const now = this.#clock.monotonic();
      if (obstacle(this.#budget, now, level) === undefined) return this.#permit(spend(this.#budget, now));
    }
    return this.#line.add(request, level, (waiter) => {
      if (!this.#line.tellNewcomer(waiter, this.#outlook())) this.#admit();
    });
  }

  look(): KnownBudget {
    return knownBudget(this.#budget, this.#clock.monotonic());
  }

  #permit(serial: number): Permit {
    let left = false;
    return {
      leave: (report) => {
        if (left) return undefined;
        left = true;
        const seen = settle(this.#budget, serial, report, this.#clock.monotonic());
        if (this.#line.length > 0) this.#admit();
        return seen;
      },
    };
  }

  #outlook(now = this.#clock.monotonic()): Outlook {
    return {
      now,
      obstacle: (level) => obstacle(this.#budget, now, level),
      earliestAfter: (level, ahead) => earliestAfter(this.#budget, now, level, ahead),
    };
  }

  /** Lets in who may go, in order; tells the others what they wait for. */
  #admit(): void {
    const now = this.#clock.monotonic();
    const serials: number[] = [];
    const going = this.#line.select(({ level }) => {
      if (obstacle(this.#budget, now, level) !== undefined) return false;
      serials.push(spend(this.#budget, now));
      return true;
    });
    for (const [index, waiter] of going.entries()) {
      this.#line.remove(waiter);
      waiter.resolve(this.#permit(serials[index] ?? 0));
    }
    const lookAt = this.#line.tell(this.#outlook(now));
    // Being told of the wait may have brought another call, and with it a timer.
    this.#stopTimer();
    if (this.#line.length === 0 || lookAt === undefined) return;
    this.#cancelTimer = this.#clock.setTimeout(() => this.#admit(), lookAt - now);
  }

  #stopTimer(): void {
    this.#cancelTimer?.();
    this.#cancelTimer = undefined;
  }
}
