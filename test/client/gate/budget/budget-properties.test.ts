import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { GateReport } from '../../../../src/client/gate/budget/budget-counting.js';
import { createBudget, UNPACED } from '../../../../src/client/gate/budget/budget.js';
import { parseBudget, formatBudget } from '../../../../src/client/gate/budget/budget-text.js';
import { findObstacle, availableRequests } from '../../../../src/client/gate/budget/obstacle.js';
import { mergeBudgets } from '../../../../src/client/gate/budget/merge-budgets.js';
import { dropExpired, releaseLease, addLease } from '../../../../src/client/gate/budget/leases.js';
import { runs } from '../../../support/random-runs.js';

const MINUTE_MS = 60_000;
const DAY_MS = 86_400_000;
const LEASE_MS = 35_000;

/** An event. Numbers select one of the possible targets. */
type Step =
  | { kind: 'acquire'; level: number }
  /** A response to one of the requests in flight, in any order. */
  | { kind: 'response'; which: number }
  | { kind: 'lose'; which: number; sent: boolean }
  | { kind: 'limit'; which: number; holdMs: number }
  | { kind: 'foreign'; count: number }
  | { kind: 'pass'; byMs: number };

const which = fc.nat(20);
const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 8,
    arbitrary: fc.record({
      kind: fc.constant('acquire' as const),
      level: fc.constantFrom(0, 0, 0, 25, UNPACED),
    }),
  },
  { weight: 6, arbitrary: fc.record({ kind: fc.constant('response' as const), which }) },
  fc.record({ kind: fc.constant('lose' as const), which, sent: fc.boolean() }),
  fc.record({ kind: fc.constant('limit' as const), which, holdMs: fc.integer({ min: 0, max: 90_000 }) }),
  fc.record({ kind: fc.constant('foreign' as const), count: fc.integer({ min: 1, max: 5 }) }),
  {
    weight: 3,
    arbitrary: fc.record({
      kind: fc.constant('pass' as const),
      byMs: fc.oneof(fc.integer({ min: 1, max: 2_000 }), fc.integer({ min: 1, max: 90_000 })),
    }),
  },
);
const plan = fc.record({ minute: fc.integer({ min: 1, max: 12 }), day: fc.integer({ min: 13, max: 60 }) });

/** A request in flight. */
interface InFlight {
  number: number;
  sentAt: number;
  /** The windows in which the service counted it. */
  counted: string[];
  headers: GateReport;
}

/** A service with fixed windows whose headers describe the window with fewer requests left, and one client. */
class World {
  state = createBudget();
  now = 0;
  heldUntil = -1;
  readonly #limits: { minute: number; day: number };
  readonly #used = new Map<string, number>();
  readonly #inFlight: InFlight[] = [];
  /** Lowest remaining number of all responses, by limit. */
  readonly #lowest = new Map<number, { resetAt: number; remaining: number }>();
  /** The last minute in which a request was sent that got a response. */
  #knownMinute = -1;
  #number = 0;

  constructor(limits: { minute: number; day: number }) {
    this.#limits = limits;
  }

  run(next: Step): void {
    if (next.kind === 'pass') this.now += next.byMs;
    else if (next.kind === 'foreign') for (let count = 0; count < next.count; count += 1) this.#count();
    else if (next.kind === 'acquire') this.#acquire(next.level);
    else this.#end(next);
  }

  /** Whether a limit is exceeded that a response of this minute has shown. */
  get isOverrun(): boolean {
    const isKnown = this.#knownMinute === Math.floor(this.now / MINUTE_MS);
    return isKnown && this.#windows().some(({ remaining }) => remaining < 0);
  }

  #acquire(level: number): void {
    dropExpired(this.state, this.now, () => false);
    if (findObstacle(this.state, this.now, level) !== undefined) return;
    expect(this.now).toBeGreaterThanOrEqual(this.heldUntil);
    this.#number += 1;
    addLease(this.state, this.now, { holder: 'me', number: this.#number, leaseMs: LEASE_MS });
    // The service counts it now. The response arrives later, in any order.
    const counted = this.#count();
    this.#inFlight.push({ number: this.#number, sentAt: this.now, counted, headers: this.#headers() });
    if (level === UNPACED) return;
    const out = this.#inFlight.filter(({ sentAt }) => this.now < sentAt + LEASE_MS).length;
    for (const { resetAt, remaining } of this.#lowest.values())
      if (this.now < resetAt) expect(out).toBeLessThanOrEqual(remaining);
  }

  #end(next: Extract<Step, { which: number }>): void {
    const [ended] = this.#inFlight.splice(next.which % Math.max(1, this.#inFlight.length), 1);
    if (ended === undefined) return;
    const report = this.#reportOf(next, ended.headers);
    releaseLease(this.state, this.now, { holder: 'me', number: ended.number, report });
    if (report.kind === 'no-response') {
      if (!report.sent) for (const id of ended.counted) this.#used.set(id, (this.#used.get(id) ?? 0) - 1);
      return;
    }
    if (report.kind === 'rate-limited') this.heldUntil = Math.max(this.heldUntil, this.now + report.holdMs);
    this.#knownMinute = Math.max(this.#knownMinute, Math.floor(ended.sentAt / MINUTE_MS));
    const { limit, remaining, resetAt } = report.rateLimit!;
    const known = this.#lowest.get(limit);
    if (known !== undefined && known.resetAt > resetAt) return;
    const least = known?.resetAt === resetAt ? Math.min(known.remaining, remaining) : remaining;
    this.#lowest.set(limit, { resetAt, remaining: least });
  }

  #reportOf(next: Extract<Step, { which: number }>, headers: GateReport): GateReport {
    if (next.kind === 'lose') return { kind: 'no-response', sent: next.sent };
    if (headers.kind === 'no-response') throw new Error('every response has headers');
    const { rateLimit } = headers;
    const untilResetMs = Math.max(0, (rateLimit?.resetAt ?? 0) - this.now);
    if (next.kind === 'response') return { kind: 'response', rateLimit, untilResetMs };
    return { kind: 'rate-limited', holdMs: next.holdMs, retryAfterMs: next.holdMs, rateLimit, untilResetMs };
  }

  #windows(): { id: string; limit: number; remaining: number; resetAt: number }[] {
    const window = (limit: number, lengthMs: number) => {
      const index = Math.floor(this.now / lengthMs);
      const id = `${String(limit)} ${String(index)}`;
      return { id, limit, remaining: limit - (this.#used.get(id) ?? 0), resetAt: (index + 1) * lengthMs };
    };
    return [window(this.#limits.minute, MINUTE_MS), window(this.#limits.day, DAY_MS)];
  }

  #count(): string[] {
    const ids = this.#windows().map(({ id }) => id);
    for (const id of ids) this.#used.set(id, (this.#used.get(id) ?? 0) + 1);
    return ids;
  }

  #headers(): GateReport {
    const [tighter] = this.#windows().sort((one, other) => one.remaining - other.remaining);
    const { limit, remaining, resetAt } = tighter!;
    const rateLimit = { limit, remaining: Math.max(0, remaining), resetAt };
    return { kind: 'response', rateLimit, untilResetMs: resetAt - this.now };
  }
}

const steps = fc.array(step, { maxLength: 150 });
function replay(limits: { minute: number; day: number }, list: readonly Step[]): World {
  const world = new World(limits);
  for (const next of list) world.run(next);
  return world;
}

describe('after any sequence of events, a budget', () => {
  test('admits no request during a hold, and never more than a response had left', () => {
    fc.assert(
      fc.property(plan, steps, (limits, list) => {
        replay(limits, list);
      }),
      { numRuns: runs(500) },
    );
  });

  test('never exceeds a limit that a response of this minute showed, without other users of the key', () => {
    fc.assert(
      fc.property(plan, steps, (limits, list) => {
        const world = new World(limits);
        for (const next of list) {
          if (next.kind === 'foreign' || (next.kind === 'acquire' && next.level === UNPACED)) continue;
          const wasOverrun = world.isOverrun;
          world.run(next);
          if (next.kind === 'acquire' && !wasOverrun) expect(world.isOverrun).toBe(false);
        }
      }),
      { numRuns: runs(500) },
    );
  });

  test('never blocks forever: after all leases it admits a request, or returns when it will', () => {
    fc.assert(
      fc.property(plan, steps, fc.constantFrom(0, 25, 99, UNPACED), (limits, list, level) => {
        const { state, now } = replay(limits, list);
        let later = now + LEASE_MS;
        dropExpired(state, later, () => false);
        // At most the hold, and then each of the windows.
        for (let waits = 0; waits < 4; waits += 1) {
          const found = findObstacle(state, later, level);
          if (found === undefined) return;
          expect(found.until).toBeGreaterThan(later);
          later = found.until ?? later;
        }
        expect(findObstacle(state, later, level)).toBeUndefined();
      }),
      { numRuns: runs(500) },
    );
  });

  test('is the same after formatting and parsing, and behaves the same', () => {
    fc.assert(
      fc.property(plan, steps, steps, (limits, before, after) => {
        const original = replay(limits, before);
        const read = replay(limits, before);
        read.state = parseBudget(formatBudget(read.state))!;
        expect(read.state).toEqual(original.state);
        for (const next of after) {
          original.run(next);
          read.run(next);
          expect(formatBudget(read.state)).toBe(formatBudget(original.state));
        }
      }),
      { numRuns: runs(200) },
    );
  });

  test('admits no more requests with a higher reserve', () => {
    fc.assert(
      fc.property(plan, steps, fc.nat(99), fc.nat(99), (limits, list, one, other) => {
        const { state, now } = replay(limits, list);
        const [low, high] = one < other ? [one, other] : [other, one];
        expect(availableRequests(state, now, high)).toBeLessThanOrEqual(availableRequests(state, now, low));
        expect(availableRequests(state, now, low)).toBeLessThanOrEqual(
          availableRequests(state, now, UNPACED),
        );
      }),
    );
  });

  test('merged with another budget is at least as strict as both', () => {
    fc.assert(
      fc.property(plan, steps, steps, (limits, one, other) => {
        const shared = replay(limits, one);
        const own = replay(limits, other);
        const now = Math.max(shared.now, own.now);
        const merged = mergeBudgets(structuredClone(shared.state), structuredClone(own.state), 'me', now);
        if (findObstacle(merged, now, UNPACED) !== undefined) return;
        expect(now).toBeGreaterThanOrEqual(Math.max(shared.heldUntil, own.heldUntil));
      }),
    );
  });
});
