import type { Obstacle } from './budget/budget.js';
import type { GateRequest, GateWait, Permit } from './budget/gate.js';

/** A call that waits at the gate. */
export interface Waiter {
  readonly request: GateRequest;
  readonly level: number;
  /** Its place among all that ever came. */
  readonly order: number;
  readonly resolve: (permit: Permit) => void;
  readonly reject: (reason: unknown) => void;
  /** What it was last told, so that it is told only of changes. */
  told: string;
  forget: () => void;
}

/** The callers of one level, in order of arrival. What holds one lane holds those above it. */
interface Lane {
  readonly level: number;
  readonly waiters: Waiter[];
  /** What all of them were last told. */
  told: string;
}

/** What the line asks about who waits in it. */
export interface Outlook {
  readonly now: number;
  /** What stands in the way of the next caller of a level. */
  obstacle(level: number): Obstacle | undefined;
  /** The earliest moment for one that so many of its level are before, where that is later than the obstacle's end. */
  earliestAfter(level: number, ahead: number): Pick<Obstacle, 'until' | 'rateLimit'> | undefined;
}

/** The calls of this process that wait, first come, first served; but nobody waits for one that leaves more to others. */
export class WaitingLine {
  /** By level, the lowest first. */
  readonly #lanes: Lane[] = [];
  readonly #onGone: () => void;
  #arrived = 0;
  #length = 0;

  /** @param onGone told after a waiter has left by itself: by its signal, or because it refused a wait. */
  constructor(onGone: () => void) {
    this.#onGone = onGone;
  }

  get length(): number {
    return this.#length;
  }

  /** How many wait, by level; levels at which nobody waits are left out. */
  get demand(): { level: number; wants: number }[] {
    return this.#lanes
      .filter(({ waiters }) => waiters.length > 0)
      .map(({ level, waiters }) => ({ level, wants: waiters.length }));
  }

  /** Whether somebody of this level or a lower one waits, so that a newcomer has to stand behind. */
  holdsUp(level: number): boolean {
    return this.#length > 0 && this.#lanes.some((lane) => lane.level <= level && lane.waiters.length > 0);
  }

  /** Takes a place. Rejects at once, and takes none, where the signal is aborted already. */
  add(request: GateRequest, level: number, joined: (waiter: Waiter) => void): Promise<Permit> {
    return new Promise<Permit>((resolve, reject: (reason: unknown) => void) => {
      const { signal } = request;
      if (signal?.aborted === true) {
        reject(signal.reason as Error);
        return;
      }
      const abort = (): void => {
        this.#leave(waiter, signal?.reason);
      };
      const forget = (): void => signal?.removeEventListener('abort', abort);
      const order = (this.#arrived += 1);
      const waiter: Waiter = { request, level, order, resolve, reject, told: '', forget };
      signal?.addEventListener('abort', abort, { once: true });
      this.#lane(level).waiters.push(waiter);
      this.#length += 1;
      joined(waiter);
    });
  }

  /** Takes a waiter out. Returns whether it was still there. */
  remove(waiter: Waiter): boolean {
    const lane = this.#lane(waiter.level);
    const { waiters } = lane;
    const place = waiters[0] === waiter ? 0 : waiters.indexOf(waiter);
    if (place === -1) return false;
    waiters.splice(place, 1);
    waiter.forget();
    this.#length -= 1;
    if (waiters.length === 0) lane.told = '';
    return true;
  }

  /**
   * Those who may go, in order. They stay in the line.
   *
   * @param mayGo asked for one after the other; counts each that it lets go.
   */
  select(mayGo: (waiter: Waiter) => boolean): Waiter[] {
    const going: Waiter[] = [];
    const taken = this.#lanes.map(() => 0);
    let closedFrom = Number.POSITIVE_INFINITY;
    for (;;) {
      let first: Waiter | undefined;
      let firstLane = 0;
      for (const [index, { level, waiters }] of this.#lanes.entries()) {
        const head = level < closedFrom ? waiters[taken[index] ?? 0] : undefined;
        if (head === undefined || (first !== undefined && first.order < head.order)) continue;
        first = head;
        firstLane = index;
      }
      if (first === undefined) return going;
      if (mayGo(first)) {
        going.push(first);
        taken[firstLane] = (taken[firstLane] ?? 0) + 1;
      } else {
        closedFrom = first.level;
      }
    }
  }

  /** Sends all away, for a fault of the gate's own. */
  rejectAll(reason: unknown): void {
    for (const lane of this.#lanes) {
      for (const waiter of [...lane.waiters]) {
        this.remove(waiter);
        waiter.reject(reason);
      }
    }
  }

  /** Tells those who wait of what they wait for, where that is new to them. Returns when to look again, where that is known. */
  tell(outlook: Outlook): number | undefined {
    let lookAt: number | undefined;
    for (const lane of this.#lanes) {
      if (lane.waiters.length === 0) continue;
      const obstacle = outlook.obstacle(lane.level) ?? { reason: 'paced' };
      const at = obstacle.until ?? obstacle.lapsesAt;
      if (at !== undefined && (lookAt === undefined || at < lookAt)) lookAt = at;
      const name = nameOf(obstacle);
      const from = lane.told === name ? firstUntold(lane) : 0;
      lane.told = name;
      for (const [index, waiter] of lane.waiters.slice(from).entries())
        this.#tell(waiter, obstacle, from + index, outlook);
    }
    return lookAt;
  }

  /** Tells a newcomer alone. Returns whether that was enough, since nothing has changed for the others. */
  tellNewcomer(waiter: Waiter, outlook: Outlook): boolean {
    const lane = this.#lane(waiter.level);
    const obstacle = lane.waiters[0] === waiter ? undefined : outlook.obstacle(waiter.level);
    if (obstacle === undefined || nameOf(obstacle) !== lane.told) return false;
    this.#tell(waiter, obstacle, lane.waiters.length - 1, outlook);
    return true;
  }

  #lane(level: number): Lane {
    const index = this.#lanes.findIndex((lane) => lane.level >= level);
    const known = index === -1 ? undefined : this.#lanes[index];
    if (known?.level === level) return known;
    const lane: Lane = { level, waiters: [], told: '' };
    this.#lanes.splice(index === -1 ? this.#lanes.length : index, 0, lane);
    return lane;
  }

  #leave(waiter: Waiter, reason: unknown): void {
    if (!this.remove(waiter)) return;
    waiter.reject(reason);
    this.#onGone();
  }

  #tell(waiter: Waiter, obstacle: Obstacle, ahead: number, outlook: Outlook): void {
    const wait = waitOf(obstacle, outlook.earliestAfter(waiter.level, ahead), outlook.now);
    const name = `${wait.reason} ${String(wait.delayMs === undefined ? '' : outlook.now + wait.delayMs)}`;
    if (waiter.told === name) return;
    waiter.told = name;
    try {
      waiter.request.onWait(wait);
    } catch (refusal) {
      this.#leave(waiter, refusal);
    }
  }
}

/** Who came since the others were told stands behind them. */
function firstUntold({ waiters }: Lane): number {
  let first = waiters.length;
  while (waiters[first - 1]?.told === '') first -= 1;
  return first;
}

/** Tells one wait from another. */
function nameOf({ reason, until }: Obstacle): string {
  return `${reason} ${String(until)}`;
}

/** The wait for what stands in the way, or for a window that comes later still because others are served first. */
function waitOf(
  { reason, until, toldUntil, rateLimit }: Obstacle,
  later: Pick<Obstacle, 'until' | 'rateLimit'> | undefined,
  now: number,
): GateWait {
  if (later?.until !== undefined && (until === undefined || later.until > until)) {
    const delayMs = later.until - now;
    return { reason, delayMs, toldMs: delayMs, ...(later.rateLimit && { rateLimit: later.rateLimit }) };
  }
  return {
    reason,
    ...(until === undefined ? {} : { delayMs: until - now }),
    ...(toldUntil === undefined ? {} : { toldMs: Math.max(0, toldUntil - now) }),
    ...(rateLimit === undefined ? {} : { rateLimit }),
  };
}
