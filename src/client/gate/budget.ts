import { inferPlan, type RateLimit, type RateWindow } from '../../schema/rate-limit.js';
import type { GateReport } from './gate.js';

/**
 * What may be sent now, from what the answers have told: a model without timers. Times are milliseconds on a monotonic
 * clock.
 */
export interface Budget {
  /** What stands in the way of the next request, or `undefined` where it may go. */
  obstacle(now: number, pace: boolean): Obstacle | undefined;
  /** Counts a request as sent. Returns its serial number, for `settle`. */
  spend(): number;
  /** Counts a request as over. Returns the report's limit with what was learned of its window. */
  settle(serial: number, report: GateReport, now: number): RateLimit | undefined;
  /** Whether nothing is under way and nothing is held back. */
  isIdle(now: number): boolean;
  /** 429s in a row, those of one burst counted once. */
  readonly strikes: number;
  /** The limit last seen. */
  readonly rateLimit: RateLimit | undefined;
}

/** What stands in the way. Without `until` it is another request under way, and its answer ends it. */
export interface Obstacle {
  reason: 'rate-limited' | 'paced';
  /** When it ends, on the monotonic clock. */
  until?: number;
  /** The part of it that the service told ends here; never after `until`. */
  toldUntil?: number;
  /** When to look again at the latest, for an answer may not come. */
  lapsesAt?: number;
  /** The limit that is used up. */
  rateLimit?: RateLimit;
}

interface CountedWindow {
  /** The fewest requests left that an answer told. Within one window this never rises. */
  remaining: number;
  /** When the window ends, on the monotonic clock. */
  endsAt: number;
  rateLimit: RateLimit;
}

/** Makes an empty budget. */
export function createBudget(): Budget {
  return new WindowedBudget();
}

/**
 * The rule that provokes no 429 and wastes no quota: of the fewest requests that an answer said were left, take away
 * those still under way, for the service may not have counted them yet. Both numbers are looked at anew for each
 * request, so the caution lasts only as long as an answer is out, and the last request of a window is used too.
 */
class WindowedBudget implements Budget {
  strikes = 0;
  rateLimit: RateLimit | undefined;
  /** One window a limit: the minute's and the day's limits of a plan differ, and that is how they are told apart. */
  readonly #windows = new Map<number, CountedWindow>();
  /** Windows by limit, once their length has been seen. */
  readonly #learned = new Map<number, RateWindow>();
  #spent = 0;
  #underWay = 0;
  #heldUntil = Number.NEGATIVE_INFINITY;
  #toldUntil = Number.NEGATIVE_INFINITY;
  /** Requests up to this serial were sent before the last 429 came in: they say nothing of what came after. */
  #lastStrikeSerial = 0;
  /** Nothing is known of the present window until a request after this serial is answered. */
  #unknownSince: number | undefined = 0;

  obstacle(now: number, pace: boolean): Obstacle | undefined {
    this.#dropEndedWindows(now);
    if (now < this.#heldUntil) {
      const usedUp = pace ? this.#usedUp() : undefined;
      // A hold that ends before the window does would only lead to the next wait: tell of the longer one at once.
      if (usedUp?.until !== undefined && usedUp.until > this.#heldUntil)
        return { ...usedUp, reason: 'rate-limited' };
      return this.#held();
    }
    if (this.strikes > 0 && this.#underWay > 0) return { reason: 'rate-limited' };
    if (!pace) return undefined;
    // A request of the window before, which may hang, is no probe and holds up none.
    const probing = this.#unknownSince !== undefined && this.#spent > this.#unknownSince;
    if (probing && this.#underWay > 0) return { reason: 'paced' };
    return this.#usedUp();
  }

  isIdle(now: number): boolean {
    return this.strikes === 0 && this.#underWay === 0 && this.obstacle(now, true) === undefined;
  }

  spend(): number {
    this.#underWay += 1;
    this.#spent += 1;
    return this.#spent;
  }

  settle(serial: number, report: GateReport, now: number): RateLimit | undefined {
    this.#underWay -= 1;
    if (report.kind === 'none') {
      // Nothing was learned, and one dead connection must not make all the others queue behind it.
      if (this.strikes === 0) this.#unknownSince = undefined;
      if (report.sent) for (const window of this.#windows.values()) countOne(window);
      return undefined;
    }
    if (report.kind === 'limited') this.#hold(serial, now + report.holdMs, now + report.toldMs);
    else if (serial > this.#lastStrikeSerial) this.strikes = 0;
    if (this.#unknownSince !== undefined && serial > this.#unknownSince) this.#unknownSince = undefined;
    return this.#count(report, now);
  }

  #held(): Obstacle {
    const held: Obstacle = { reason: 'rate-limited', until: this.#heldUntil, toldUntil: this.#toldUntil };
    return this.rateLimit === undefined ? held : { ...held, rateLimit: this.rateLimit };
  }

  #hold(serial: number, until: number, told: number): void {
    this.#heldUntil = Math.max(this.#heldUntil, until);
    this.#toldUntil = Math.max(this.#toldUntil, told);
    if (serial <= this.#lastStrikeSerial) return;
    this.strikes += 1;
    this.#lastStrikeSerial = this.#spent;
  }

  #dropEndedWindows(now: number): void {
    for (const [limit, window] of this.#windows) {
      if (now < window.endsAt) continue;
      this.#windows.delete(limit);
      this.#unknownSince ??= this.#spent;
    }
  }

  #usedUp(): Obstacle | undefined {
    let obstacle: Obstacle | undefined;
    for (const { remaining, endsAt, rateLimit } of this.#windows.values()) {
      if (remaining - this.#underWay > 0) continue;
      // The last of them are still out: their answers may bring good news, and will come before the window ends.
      if (remaining > 0) obstacle ??= { reason: 'paced', rateLimit, lapsesAt: endsAt };
      else if (obstacle?.until === undefined || endsAt > obstacle.until) {
        obstacle = { reason: 'paced', until: endsAt, toldUntil: endsAt, rateLimit };
      }
    }
    return obstacle;
  }

  #count(report: Exclude<GateReport, { kind: 'none' }>, now: number): RateLimit | undefined {
    const { rateLimit: told, untilResetMs } = report;
    for (const [limit, window] of this.#windows) if (limit !== told?.limit) countOne(window);
    if (told === undefined || untilResetMs === undefined) return undefined;
    const known = this.#windows.get(told.limit);
    const seen = this.#learn(told, known);
    // An answer that was overtaken by one of the next window tells nothing any more.
    if (known !== undefined && told.resetAt < known.rateLimit.resetAt) return seen;
    this.rateLimit = seen;
    if (known?.rateLimit.resetAt === told.resetAt) {
      known.remaining = Math.min(known.remaining, told.remaining);
      known.rateLimit = { ...seen, remaining: known.remaining };
      this.rateLimit = known.rateLimit;
    } else if (untilResetMs > 0) {
      this.#windows.set(told.limit, {
        remaining: told.remaining,
        endsAt: now + untilResetMs,
        rateLimit: seen,
      });
    }
    return seen;
  }

  /** A limit of 1,000 is told apart once two of its windows have followed each other within a minute. */
  #learn(told: RateLimit, known: CountedWindow | undefined): RateLimit {
    const apart = known === undefined ? 0 : told.resetAt - known.rateLimit.resetAt;
    const followsWithinMinute = apart > 0 && apart <= 60_000;
    const window =
      told.window ?? this.#learned.get(told.limit) ?? (followsWithinMinute ? 'minute' : undefined);
    if (window === undefined) return told;
    this.#learned.set(told.limit, window);
    const plan = inferPlan(told.limit, window);
    return { ...told, window, ...(plan === undefined ? {} : { plan }) };
  }
}

/** A request that this window's own headers did not tell of. */
function countOne(window: CountedWindow): void {
  window.remaining = Math.max(0, window.remaining - 1);
}
