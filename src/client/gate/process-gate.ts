import type { RateLimitValues } from '../../schema/rate-limit.js';
import type { Clock } from '../../time/clock.js';
import { countReport, countSent } from './budget/budget-counting.js';
import { createBudget, hasLimits, resetState } from './budget/budget.js';
import { earliestTurn, findObstacle, isIdle } from './budget/obstacle.js';
import { type KnownBudget, knownBudget } from './budget/known-budget.js';
import type { Gate, GateRequest, Permit } from './gate.js';
import { Queue } from './queue.js';

/** A gate for the calls of this process only. */
export class ProcessGate implements Gate {
  readonly #clock: Clock;
  #budget = createBudget();
  readonly #queue = new Queue(() => {
    if (this.#queue.isEmpty) this.#stopTimer();
  });
  #cancelTimer: (() => void) | undefined;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  get consecutive429Count(): number {
    return this.#budget.consecutive429Count;
  }

  get rateLimit(): RateLimitValues | undefined {
    return this.#budget.rateLimit;
  }

  get isIdle(): boolean {
    return this.#queue.isEmpty && isIdle(this.#budget, this.#clock.monotonic());
  }

  acquire(request: GateRequest): Permit | Promise<Permit> {
    const { level } = request;
    if (!this.#queue.blocks(level)) {
      const now = this.#clock.monotonic();
      if (findObstacle(this.#budget, now, level) === undefined)
        return this.#permit(countSent(this.#budget, now));
    }
    return this.#queue.add(request, () => this.#admit());
  }

  readBudget(): KnownBudget {
    return knownBudget(this.#budget, this.#clock.monotonic());
  }

  reset(): boolean {
    const wasKnown = hasLimits(this.#budget);
    this.#budget = resetState(this.#budget);
    this.#admit();
    return wasKnown;
  }

  flush(): Promise<void> {
    return Promise.resolve();
  }

  #permit(serial: number): Permit {
    let isReleased = false;
    return {
      release: (report) => {
        if (isReleased) return undefined;
        isReleased = true;
        const seen = countReport(this.#budget, serial, report, this.#clock.monotonic());
        this.#admit();
        return seen;
      },
    };
  }

  /** Admits the waiters that may send now, in order. Reports the waits of the others to them. */
  #admit(): void {
    // Usually none waits. Then no timer runs either.
    if (this.#queue.isEmpty) return;
    const now = this.#clock.monotonic();
    const admitted = this.#queue.select(({ level }) =>
      findObstacle(this.#budget, now, level) === undefined ? countSent(this.#budget, now) : undefined,
    );
    for (const { waiter, number } of admitted) {
      this.#queue.remove(waiter);
      waiter.resolve(this.#permit(number));
    }
    const recheckAt = this.#queue.reportWaits({
      now,
      findObstacle: (level) => findObstacle(this.#budget, now, level),
      earliestTurn: (level, ahead) => earliestTurn(this.#budget, now, level, ahead),
    });
    // A listener may have started another call, and with it a timer.
    this.#stopTimer();
    if (recheckAt === Number.POSITIVE_INFINITY) return;
    this.#cancelTimer = this.#clock.setTimeout(() => this.#admit(), recheckAt - now);
  }

  #stopTimer(): void {
    this.#cancelTimer?.();
    this.#cancelTimer = undefined;
  }
}
