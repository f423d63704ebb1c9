import type { Obstacle } from './budget/limit-room.js';
import type { GateRequest, GateWait, Permit } from './gate.js';

/** A call that waits at the gate. */
export interface Waiter {
  readonly request: GateRequest;
  readonly level: number;
  /** Position among all waiters that ever arrived. */
  readonly order: number;
  readonly resolve: (permit: Permit) => void;
  readonly reject: (reason: unknown) => void;
  /** Last reported wait. A wait is reported only if it has changed. */
  reportedWait: string;
  unsubscribe: () => void;
}

/** A waiter that may send, and the number of its request. */
export interface Admitted {
  waiter: Waiter;
  number: number;
}

/** The waiters of one priority level, in order of arrival. */
interface PriorityLevel {
  readonly level: number;
  readonly waiters: Waiter[];
  /** Last obstacle that was reported to all of them. */
  reportedObstacle: string;
}

/** A view of the budget at one time. The queue derives the waits from it. */
export interface BudgetView {
  readonly now: number;
  /** Returns the obstacle of the next waiter of a level. */
  findObstacle(level: number): Obstacle | undefined;
  /**
   * Returns the earliest time for a waiter with `ahead` others before it. `undefined` if that may be at the end of the
   * obstacle.
   */
  earliestTurn(level: number, ahead: number): Pick<Obstacle, 'until' | 'rateLimit'> | undefined;
}

/** The waiting calls of this process, in order of arrival. A call never waits for a call of a higher priority level. */
export class Queue {
  /** Those with waiters. Sorted by level, lowest first. */
  readonly #levels: PriorityLevel[] = [];
  readonly #onLeave: () => void;
  #arrivedCount = 0;

  /** @param onLeave called after a waiter has left because its signal aborted or it refused a wait. */
  constructor(onLeave: () => void) {
    this.#onLeave = onLeave;
  }

  get isEmpty(): boolean {
    return this.#levels.length === 0;
  }

  get length(): number {
    return this.#levels.reduce((sum, { waiters }) => sum + waiters.length, 0);
  }

  /** Number of waiters by level. Empty levels are left out. */
  get demand(): { level: number; waitingCount: number }[] {
    return this.#levels.map(({ level, waiters }) => ({ level, waitingCount: waiters.length }));
  }

  /** Checks whether a new call of this level has to queue behind others. */
  blocks(level: number): boolean {
    return this.#levels.some((other) => other.level <= level);
  }

  /** Adds a call. Rejects at once if its signal is aborted. */
  add(request: GateRequest, onAdded: () => void): Promise<Permit> {
    return new Promise<Permit>((resolve, reject: (reason: unknown) => void) => {
      const { signal, level } = request;
      if (signal?.aborted === true) {
        reject(signal.reason as Error);
        return;
      }
      const abort = (): void => {
        this.#leave(waiter, signal?.reason);
      };
      const unsubscribe = (): void => signal?.removeEventListener('abort', abort);
      const order = (this.#arrivedCount += 1);
      const waiter: Waiter = { request, level, order, resolve, reject, reportedWait: '', unsubscribe };
      signal?.addEventListener('abort', abort);
      this.#levelOf(level).waiters.push(waiter);
      onAdded();
    });
  }

  /** Removes a waiter. Returns whether it was still in the queue. */
  remove(waiter: Waiter): boolean {
    const priority = this.#levels.find(({ waiters }) => waiters.includes(waiter));
    if (priority === undefined) return false;
    priority.waiters.splice(priority.waiters.indexOf(waiter), 1);
    if (priority.waiters.length === 0) this.#levels.splice(this.#levels.indexOf(priority), 1);
    waiter.unsubscribe();
    return true;
  }

  /**
   * Returns the waiters that may send now, in order, with the numbers of their requests. They stay in the queue.
   *
   * @param admit called for each waiter in order. If it returns `undefined`, it is not called again for waiters of that
   *   level or a higher level.
   */
  select(admit: (waiter: Waiter) => number | undefined): Admitted[] {
    const selected: Admitted[] = [];
    const selectedCounts = this.#levels.map(() => 0);
    let blockedLevel = Number.POSITIVE_INFINITY;
    for (;;) {
      let first: Waiter | undefined;
      let firstIndex = 0;
      for (const [index, { level, waiters }] of this.#levels.entries()) {
        const head = level < blockedLevel ? waiters[selectedCounts[index] ?? 0] : undefined;
        if (head === undefined || (first !== undefined && first.order < head.order)) continue;
        first = head;
        firstIndex = index;
      }
      if (first === undefined) return selected;
      const number = admit(first);
      if (number === undefined) {
        blockedLevel = first.level;
      } else {
        selected.push({ waiter: first, number });
        selectedCounts[firstIndex] = (selectedCounts[firstIndex] ?? 0) + 1;
      }
    }
  }

  /** Rejects all waiters, after an internal error. */
  rejectAll(reason: unknown): void {
    for (const waiter of this.#levels.flatMap(({ waiters }) => waiters)) {
      this.remove(waiter);
      waiter.reject(reason);
    }
  }

  /** Reports new and changed waits to the waiters. Returns when to check again, infinite if it is not known. */
  reportWaits(budget: BudgetView): number {
    for (const priority of [...this.#levels]) {
      const obstacle = budget.findObstacle(priority.level) ?? { reason: 'paced' };
      const name = obstacleKey(obstacle);
      const from = priority.reportedObstacle === name ? firstUnreported(priority) : 0;
      priority.reportedObstacle = name;
      let ahead = from;
      for (const waiter of priority.waiters.slice(from)) {
        // A waiter that refuses its wait leaves its turn to the others.
        if (this.#report(waiter, obstacle, ahead, budget)) ahead += 1;
      }
    }
    // Also for the calls that a listener has just started.
    const checks = this.#levels.map(({ level }) => {
      const { until, recheckAt = Number.POSITIVE_INFINITY } = budget.findObstacle(level) ?? {};
      return until ?? recheckAt;
    });
    return Math.min(...checks);
  }

  #levelOf(level: number): PriorityLevel {
    const known = this.#levels.find((other) => other.level === level);
    if (known !== undefined) return known;
    const priority: PriorityLevel = { level, waiters: [], reportedObstacle: '' };
    this.#levels.push(priority);
    this.#levels.sort((one, other) => one.level - other.level);
    return priority;
  }

  #leave(waiter: Waiter, reason: unknown): void {
    if (!this.remove(waiter)) return;
    waiter.reject(reason);
    this.#onLeave();
  }

  /** Returns whether the waiter stays in the queue. */
  #report(waiter: Waiter, obstacle: Obstacle, ahead: number, budget: BudgetView): boolean {
    const wait = waitFor(obstacle, budget.earliestTurn(waiter.level, ahead), budget.now);
    const name = `${wait.reason} ${String(wait.delayMs === undefined ? '' : budget.now + wait.delayMs)}`;
    if (waiter.reportedWait === name) return true;
    waiter.reportedWait = name;
    try {
      waiter.request.onWait(wait);
      return true;
    } catch (refusal) {
      this.#leave(waiter, refusal);
      return false;
    }
  }
}

/** Waiters that arrived after the last report are at the end. */
function firstUnreported({ waiters }: PriorityLevel): number {
  let first = waiters.length;
  while (waiters[first - 1]?.reportedWait === '') first -= 1;
  return first;
}

function obstacleKey({ reason, until }: Obstacle): string {
  return `${reason} ${String(until)}`;
}

/** Returns the wait for the obstacle. Longer if the calls before this one use up the next windows. */
function waitFor(
  { reason, until, retryAfterUntil, isGuess = false, rateLimit }: Obstacle,
  turn: Pick<Obstacle, 'until' | 'rateLimit'> | undefined,
  now: number,
): GateWait {
  if (turn?.until !== undefined && (until === undefined || turn.until > until))
    return waitFor({ reason, ...turn, retryAfterUntil: turn.until }, undefined, now);
  const wait: GateWait = { reason };
  if (until !== undefined) wait.delayMs = until - now;
  // A wait that the client has chosen is not presented as the service's.
  if (retryAfterUntil !== undefined && !isGuess) wait.retryAfterMs = Math.max(0, retryAfterUntil - now);
  if (rateLimit !== undefined) wait.rateLimit = rateLimit;
  return wait;
}
