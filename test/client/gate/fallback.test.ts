import { beforeEach, describe, expect, test } from 'vitest';
import { settle, spend } from '../../../src/client/gate/budget/budget-counting.js';
import { type BudgetState, createBudget } from '../../../src/client/gate/budget/budget-state.js';
import { parseBudget, writeBudget } from '../../../src/client/gate/budget/budget-text.js';
import { obstacle } from '../../../src/client/gate/budget/budget.js';
import { fallbackLedger } from '../../../src/client/gate/fallback.js';
import type { GateReport } from '../../../src/client/gate/budget/gate.js';
import type { Ledger, Reading, Swap } from '../../../src/client/gate/ledger.js';
import { createTestPlace, type TestPlace } from '../../support/test-ledger.js';
import { createVirtualClock, type VirtualClock } from '../../support/virtual-clock.js';

const KEPT_MS = 1_000;
const limited = (holdMs: number): GateReport => ({ kind: 'limited', holdMs, toldMs: holdMs });

let clock: VirtualClock;
let place: TestPlace;
let ledger: Ledger;
let failures: unknown[];
beforeEach(() => {
  clock = createVirtualClock();
  place = createTestPlace(clock);
  failures = [];
  ledger = fallbackLedger(place.open('me'), clock, (error) => failures.push(error));
});

/** Lets the clock run until an operation has an answer. */
async function answered<T>(operating: T | Promise<T>): Promise<T> {
  const result = Promise.resolve(operating);
  await clock.advance(50);
  return result;
}
/** Reports a request to a ledger at its present time, as a gate does. */
async function report(to: Ledger, told: GateReport): Promise<Swap> {
  const reading = await answered(to.read());
  const state = stateOf(reading);
  settle(state, spend(state, reading.now), told, reading.now);
  return answered(to.swap(reading, writeBudget(state), KEPT_MS));
}
const stateOf = ({ text }: Pick<Reading, 'text'>): BudgetState =>
  (text === undefined ? undefined : parseBudget(text)) ?? createBudget();

describe.each([
  ['at once', 0],
  ['after a while', 5],
])('a ledger that answers %s', (_, latencyMs) => {
  beforeEach(() => {
    place.latencyMs = () => latencyMs;
  });

  test('is used as it is while it works', async () => {
    const reading = await answered(ledger.read());
    expect(await answered(ledger.swap(reading, 'text', KEPT_MS))).toMatchObject({ swapped: true });
    expect(place.text).toBe('text');
    expect((await answered(ledger.swap(reading, 'late', KEPT_MS))).swapped).toBe(false);
    expect(failures).toEqual([]);
  });

  test('is done without while it fails, by what was known last', async () => {
    await report(ledger, limited(60_000));
    place.mode = 'fails';
    const reading = await answered(ledger.read());
    expect(obstacle(stateOf(reading), reading.now, -1)).toMatchObject({ reason: 'rate-limited' });
    expect((await answered(ledger.swap(reading, writeBudget(createBudget()), KEPT_MS))).swapped).toBe(true);
    expect(failures).toHaveLength(1);
  });

  test('that fails in a swap is done without too, by what was to be written', async () => {
    const reading = await answered(ledger.read());
    place.mode = 'fails';
    const state = createBudget();
    settle(state, spend(state, reading.now), limited(9_000), reading.now);
    expect((await answered(ledger.swap(reading, writeBudget(state), KEPT_MS))).swapped).toBe(true);
    const { text, now } = await answered(ledger.read());
    expect(obstacle(stateOf({ text }), now, -1)).toMatchObject({ until: reading.now + 9_000 });
  });

  test('is told what was learned without it when it is back, and tells what others have learned', async () => {
    await report(ledger, { kind: 'answer' });
    place.mode = 'fails';
    await report(ledger, limited(30_000));
    const heldUntil = clock.monotonic() + 5_000_000;
    place.mode = 'works';
    const other = place.open('other');
    const rateLimit = { limit: 60, remaining: 7, resetAt: 5_060_000 };
    await report(other, { kind: 'answer', rateLimit, untilResetMs: 60_000 });
    await clock.advance(1_000);
    await answered(ledger.read());
    const reading = await answered(ledger.read());
    for (const state of [stateOf(reading), stateOf(place)]) {
      expect(state.heldUntil).toBeGreaterThan(heldUntil);
      expect(state.windows).toMatchObject([{ remaining: 7 }]);
    }
    await report(ledger, { kind: 'answer' });
    expect(stateOf(place).strikes).toBe(0);
    expect(failures).toHaveLength(1);
  });

  test('is left alone for longer each time, and asked again within half a minute', async () => {
    await report(ledger, { kind: 'answer' });
    place.mode = 'fails';
    await answered(ledger.read());
    let asked = 0;
    place.latencyMs = () => {
      asked += 1;
      return latencyMs;
    };
    const times: number[] = [];
    for (const startedAt = clock.monotonic(); clock.monotonic() - startedAt < 100_000;) {
      const before = asked;
      await answered(ledger.read());
      if (asked > before) times.push(clock.monotonic() - startedAt);
    }
    expect(times.length).toBeLessThanOrEqual(8);
    for (const [index, time] of times.entries()) expect(time - (times[index - 1] ?? 0)).toBeLessThan(31_000);
  });
});

describe('a ledger that hangs', () => {
  beforeEach(() => {
    place.latencyMs = () => 5;
  });

  test('holds up one operation for ten seconds, and none after it', async () => {
    await report(ledger, limited(60_000));
    place.mode = 'hangs';
    const reading = ledger.read();
    expect(reading).toBeInstanceOf(Promise);
    await clock.advance(10_000);
    expect(stateOf(await reading).strikes).toBe(1);
    for (let second = 0; second < 60; second += 1) {
      expect(ledger.read()).not.toBeInstanceOf(Promise);
      await clock.advance(1_000);
    }
    expect(failures).toHaveLength(1);
  });

  test('is used again when it answers again', async () => {
    place.mode = 'hangs';
    void ledger.read();
    await clock.advance(11_000);
    place.mode = 'works';
    void ledger.read();
    await clock.advance(1_000);
    await report(ledger, limited(5_000));
    expect(stateOf(place).strikes).toBe(1);
  });
});

test('a process that was never connected brings its knowledge to the clock of the ledger', async () => {
  place.mode = 'fails';
  await report(ledger, limited(30_000));
  place.mode = 'works';
  await clock.advance(1_000);
  await answered(ledger.read());
  const { text, now } = await answered(ledger.read());
  expect(now).toBeGreaterThan(5_000_000);
  expect(stateOf({ text }).heldUntil - now).toBeGreaterThan(28_000);
  expect(stateOf({ text }).heldUntil - now).toBeLessThan(30_000);
});

test('the requests of others are counted as lost where they are lost sight of', async () => {
  const rateLimit = { limit: 60, remaining: 7, resetAt: 5_060_000 };
  await report(ledger, { kind: 'answer', rateLimit, untilResetMs: 60_000 });
  const other = place.open('other');
  const reading = await other.read();
  const state = stateOf(reading);
  state.leases.push({ holder: 'other', number: 1, serial: spend(state, 0), expiresAt: reading.now + 35_000 });
  await other.swap(reading, writeBudget(state), KEPT_MS);
  await ledger.read();
  place.mode = 'fails';
  expect(stateOf(await ledger.read())).toMatchObject({ underWay: 0, leases: [], windows: [{ doubts: [2] }] });
});

test('knows of a dead process as its ledger does', () => {
  place.gone.add('other');
  expect([ledger.isGone?.('other'), ledger.isGone?.('me')]).toEqual([true, false]);
  const { isGone: _, ...without } = place.open('me');
  expect(fallbackLedger(without, clock, () => undefined).isGone?.('other')).toBe(false);
});
