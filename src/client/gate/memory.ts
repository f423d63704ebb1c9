import type { Clock } from '../clock.js';
import type { RateLimit } from '../../schema/rate-limit.js';
import { createBudget, type Obstacle } from './budget.js';
import type { Gate, GateRequest, GateWait, Permit } from './gate.js';

/** Makes a gate that holds the calls of this process: first come, first served. */
export function createMemoryGate(clock: Clock): MemoryGate {
  return new QueueingGate(clock);
}

/** A gate of this process. */
export interface MemoryGate extends Gate {
  /** Whether it could be forgotten: nothing is under way, waits, or is held back. */
  readonly idle: boolean;
}

interface Waiter {
  readonly request: GateRequest;
  readonly resolve: (permit: Permit) => void;
  readonly reject: (reason: unknown) => void;
  /** What it was last told, so that it is told only of changes. */
  told: string;
  forget: () => void;
}

class QueueingGate implements MemoryGate {
  readonly #clock: Clock;
  readonly #budget = createBudget();
  readonly #waiting: Waiter[] = [];
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
    return this.#waiting.length === 0 && this.#budget.isIdle(this.#clock.monotonic());
  }

  enter(request: GateRequest): Permit | Promise<Permit> {
    const free = this.#waiting.length === 0;
    if (free && this.#budget.obstacle(this.#clock.monotonic(), request.pace) === undefined)
      return this.#grant();
    return this.#queue(request);
  }

  #grant(): Permit {
    const serial = this.#budget.spend();
    let left = false;
    return {
      leave: (report) => {
        if (left) return undefined;
        left = true;
        const seen = this.#budget.settle(serial, report, this.#clock.monotonic());
        if (this.#waiting.length > 0) this.#admit();
        return seen;
      },
    };
  }

  #queue(request: GateRequest): Promise<Permit> {
    return new Promise<Permit>((resolve, reject: (reason: unknown) => void) => {
      const { signal } = request;
      if (signal?.aborted === true) {
        reject(signal.reason as Error);
        return;
      }
      const abort = (): void => {
        this.#remove(waiter);
        reject(signal?.reason as Error);
      };
      const forget = (): void => signal?.removeEventListener('abort', abort);
      const waiter: Waiter = { request, resolve, reject, told: '', forget };
      signal?.addEventListener('abort', abort, { once: true });
      this.#waiting.push(waiter);
      if (!this.#tellOfPresentWait(waiter)) this.#admit();
    });
  }

  /** Spares a long queue from being told anew for every newcomer. Returns whether nothing has changed for the others. */
  #tellOfPresentWait(newcomer: Waiter): boolean {
    const [first] = this.#waiting;
    if (first === undefined || first === newcomer || first.told === '') return false;
    const now = this.#clock.monotonic();
    const obstacle = this.#budget.obstacle(now, first.request.pace);
    if (obstacle === undefined || nameOf(obstacle) !== first.told) return false;
    this.#tell(newcomer, waitOf(obstacle, now), first.told);
    return true;
  }

  #remove(waiter: Waiter): void {
    const place = this.#waiting.indexOf(waiter);
    if (place !== -1) this.#waiting.splice(place, 1);
    waiter.forget();
    if (this.#waiting.length === 0) this.#stopTimer();
  }

  /** Lets in who may go, in order; tells the others what they wait for. */
  #admit(): void {
    this.#stopTimer();
    const now = this.#clock.monotonic();
    for (let first = this.#waiting[0]; first !== undefined; first = this.#waiting[0]) {
      const obstacle = this.#budget.obstacle(now, first.request.pace);
      if (obstacle !== undefined) {
        this.#holdAll(obstacle, now);
        return;
      }
      this.#remove(first);
      first.resolve(this.#grant());
    }
  }

  #holdAll(obstacle: Obstacle, now: number): void {
    const wait = waitOf(obstacle, now);
    for (const waiter of [...this.#waiting]) this.#tell(waiter, wait, nameOf(obstacle));
    // Being told of the wait may have brought another call, and with it a timer.
    this.#stopTimer();
    const lookAgainAt = obstacle.until ?? obstacle.lapsesAt;
    if (this.#waiting.length === 0 || lookAgainAt === undefined) return;
    this.#cancelTimer = this.#clock.setTimeout(() => this.#admit(), lookAgainAt - now);
  }

  #tell(waiter: Waiter, wait: GateWait, what: string): void {
    if (waiter.told === what) return;
    waiter.told = what;
    try {
      waiter.request.onWait(wait);
    } catch (refusal) {
      this.#remove(waiter);
      waiter.reject(refusal);
    }
  }

  #stopTimer(): void {
    this.#cancelTimer?.();
    this.#cancelTimer = undefined;
  }
}

/** Tells one wait from another. */
function nameOf({ reason, until }: Obstacle): string {
  return `${reason} ${String(until)}`;
}

function waitOf({ reason, until, toldUntil, rateLimit }: Obstacle, now: number): GateWait {
  return {
    reason,
    ...(until === undefined ? {} : { delayMs: until - now }),
    ...(toldUntil === undefined ? {} : { toldMs: Math.max(0, toldUntil - now) }),
    ...(rateLimit === undefined ? {} : { rateLimit }),
  };
}
