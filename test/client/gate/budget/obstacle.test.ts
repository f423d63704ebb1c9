import { describe, expect, test } from 'vitest';
import { earliestTurn, isIdle } from '../../../../src/client/gate/budget/obstacle.js';
import { openWindows } from '../../../../src/client/gate/budget/passes.js';
import { knownBudget } from '../../../../src/client/gate/budget/known-budget.js';
import { type KnownLimit, UNPACED } from '../../../../src/client/gate/budget/budget.js';
import { createLimit } from '../../../../src/client/gate/budget/learn-limits.js';
import { createTestBudget, limited, LOST, RESET, responseWith } from '../test-budget.js';

const day = (remaining: number) => responseWith(remaining, 10 * RESET, 0, 1_000);
const usedUp = { reason: 'paced', until: RESET, retryAfterUntil: RESET };

describe('a budget', () => {
  test('admits one probe until the limit is known', () => {
    const { end, obstacle, start } = createTestBudget();
    expect(obstacle()).toBeUndefined();
    const probe = start();
    expect(obstacle()).toEqual({ reason: 'paced', recheckAt: 2_000 });
    expect(obstacle(0, UNPACED)).toBeUndefined();
    end(probe, responseWith(59));
    expect(obstacle()).toBeUndefined();
  });

  test('has at most half of the remaining requests in flight, and sends the last ones one by one', () => {
    const { available, end, obstacle, start } = createTestBudget(responseWith(5));
    const sent = [start(), start()];
    expect(available()).toBe(1);
    sent.push(start());
    expect(obstacle()).toEqual({
      reason: 'paced',
      rateLimit: { limit: 60, remaining: 2, resetAt: RESET },
      recheckAt: RESET,
    });
    for (const [index, serial] of sent.entries()) end(serial, responseWith(4 - index));
    expect(available()).toBe(1);
    start();
    expect(available()).toBe(0);
  });

  test('ignores a late response of an ended window', () => {
    const { end, obstacle, send, start } = createTestBudget();
    const old = start();
    send(responseWith(50, 2 * RESET));
    end(old, responseWith(0), RESET);
    expect(obstacle(RESET)).toBeUndefined();
  });

  test('counts a request without a response if it may have been sent', () => {
    const { obstacle, send } = createTestBudget(responseWith(1));
    send({ kind: 'no-response', sent: false });
    expect(obstacle()).toBeUndefined();
    send(LOST);
    expect(obstacle()).toMatchObject({ until: RESET });
  });

  test.each([
    ['two', [responseWith(0), day(0)]],
    ['two, in the other order', [day(0), responseWith(0)]],
    ['one', [responseWith(2), day(0)]],
    ['one, in the other order', [day(0), responseWith(1)]],
  ])('waits for the end of the later used-up window of %s', (_, reports) => {
    const { budget, obstacle, start } = createTestBudget(...reports);
    start();
    expect(obstacle()).toMatchObject({ until: 10 * RESET, rateLimit: { limit: 1_000 } });
    expect(earliestTurn(budget, 0, 0, 60)).toMatchObject({ until: 10 * RESET });
    expect(obstacle(RESET)).toMatchObject({ until: 10 * RESET });
  });

  test('admits no request during a hold, and one after it', () => {
    const { available } = createTestBudget(responseWith(30), limited(1_000));
    expect([available(0, 999), available(0, 1_000), available(UNPACED, 1_000)]).toEqual([0, 1, 1]);
  });

  test('ends its probing with a response for any open window', () => {
    const { available, end, obstacle, send, start } = createTestBudget(day(500), responseWith(59));
    const earlier = start();
    expect(obstacle(RESET)).toBeUndefined();
    end(earlier, day(498), RESET);
    expect(available(0, RESET)).toBe(1);
    send(day(497), RESET);
    // The client has opened the next window of the other limit itself.
    expect(available(0, RESET)).toBe(30);
  });

  test('starts its probing anew in the next window, once', () => {
    const { budget, end, obstacle, start } = createTestBudget(LOST);
    const probes = [start(), start()];
    end(probes[0]!, responseWith(59));
    end(start(), day(500));
    expect(obstacle(RESET)).toBeUndefined();
    expect(budget.probesInFlight).toBe(0);
    start(RESET);
    expect(obstacle(10 * RESET)).toBeUndefined();
    expect(budget.probesInFlight).toBe(1);
  });

  test('is idle if no request is in flight and none would have to wait', () => {
    const { budget, end, start } = createTestBudget();
    expect(isIdle(budget, 0)).toBe(true);
    const serial = start();
    start();
    end(serial, responseWith(9));
    expect(isIdle(budget, 0)).toBe(false);
    expect(isIdle(createTestBudget(limited(1_000)).budget, 2_000)).toBe(false);
  });

  test('counts a request in the window that its response does not describe', () => {
    const { obstacle } = createTestBudget(responseWith(2), day(500), day(499));
    expect(obstacle()).toMatchObject({ until: RESET, rateLimit: { limit: 60 } });
  });

  test('is not blocked in a new window by a hanging request of the old one', () => {
    const { end, obstacle, start } = createTestBudget(responseWith(5));
    const hanging = start();
    expect(obstacle(RESET)).toBeUndefined();
    const probe = start(RESET);
    end(hanging, LOST, RESET);
    expect(obstacle(RESET)).toMatchObject({ reason: 'paced' });
    end(probe, responseWith(59, 2 * RESET, RESET), RESET);
    expect(obstacle(RESET)).toBeUndefined();
  });
});

describe('a budget without known windows', () => {
  test('admits one more probe after each failed one, and one again in the next window', () => {
    const { available, budget, end, obstacle, send, start } = createTestBudget(LOST);
    const [first] = [start(), start()];
    expect(obstacle()).toMatchObject({ reason: 'paced' });
    end(first, LOST);
    expect(available()).toBe(2);
    send(responseWith(5));
    expect(obstacle(RESET)).toBeUndefined();
    expect(budget.probesMax).toBe(1);
  });

  test('admits one more probe after each response without headers, at most eight', () => {
    const { available, send } = createTestBudget();
    for (let count = 1; count <= 20; count += 1) {
      send({ kind: 'response' });
      expect(available()).toBe(Math.min(8, count + 1));
    }
    send(responseWith(59));
    expect(available()).toBe(30);
  });

  test('obeys the remaining number of a response whose reset has passed', () => {
    const { available, send } = createTestBudget();
    const spare = [30, 20, 10, 5, 3, 2, 1, 0].map((remaining) => {
      send(responseWith(remaining, -RESET, -RESET));
      return available();
    });
    expect(spare).toEqual([2, 3, 4, 3, 2, 1, 1, 1]);
  });

  test('admits another probe every two seconds while one hangs', () => {
    const { obstacle, start } = createTestBudget();
    start();
    expect(obstacle(1_999)).toMatchObject({ recheckAt: 2_000 });
    expect(obstacle(2_000)).toBeUndefined();
    start(2_000);
    expect(obstacle(2_000)).toMatchObject({ recheckAt: 4_000 });
  });
});

describe('a reserve', () => {
  test('holds back only the caller that has one', () => {
    const { available, obstacle, send } = createTestBudget(responseWith(30));
    expect(available(25)).toBe(8);
    send(responseWith(15));
    expect(obstacle(0, 25)).toMatchObject(usedUp);
    expect(obstacle(0, 24.9)).toMatchObject({ until: RESET });
    expect([obstacle(0, 23), obstacle(0, UNPACED)]).toEqual([undefined, undefined]);
  });

  test('is a share of each window, rounded up', () => {
    const { available } = createTestBudget(
      responseWith(500, RESET, 0, 1_000),
      responseWith(2, 10 * RESET, 0, 7),
    );
    expect([available(20), available(14)]).toEqual([0, 1]);
  });
});

describe('other users of the key', () => {
  test('are detected by requests that are not ours, and get a share', () => {
    for (const [limit, reserved] of [
      [60, 1],
      [1_000, 3],
    ] as const) {
      const { available, obstacle, send } = createTestBudget();
      const report = (remaining: number) => responseWith(remaining, RESET, 0, limit);
      send(report(40), 1_000);
      send(report(39), 2_000);
      expect(available(0, 2_000)).toBe(20);
      send(report(33), 3_000);
      // Five requests of others in two seconds predict three more, but at most one of sixty is reserved.
      // They send five for two of ours.
      expect(available(0, 3_000)).toBe(Math.floor((33 - reserved + 1) / (1 + 5 / 2)));
      send(report(1), 4_000);
      expect(obstacle(4_000)).toMatchObject({ until: RESET + 1_000 });
    }
  });

  test('are not detected from our own requests in flight', () => {
    const { budget, end, start } = createTestBudget(responseWith(40));
    const sent = [start(), start(), start()];
    end(sent[2]!, responseWith(37));
    expect(openWindows(budget)[0]?.foreignCount).toBe(0);
    end(sent[0]!, responseWith(39));
    end(sent[1]!, responseWith(38));
    expect(openWindows(budget)[0]?.foreignCount).toBe(0);
  });
});

test('a caller behind others gets the earliest window for its turn', () => {
  const { budget, send } = createTestBudget();
  const turn = (ahead: number, level = 0) => earliestTurn(budget, 0, level, ahead);
  expect(turn(1_000)).toBeUndefined();
  send(responseWith(3));
  expect(turn(2)).toBeUndefined();
  expect(turn(3)).toMatchObject({ until: RESET, rateLimit: { limit: 60 } });
  expect(turn(63)).toMatchObject({ until: RESET });
  openWindows(budget)[0]!.rateLimit = {
    ...openWindows(budget)[0]!.rateLimit,
    window: 'minute',
    plan: 'free',
  };
  expect(turn(62)).toMatchObject({ until: RESET });
  expect(turn(63)).toMatchObject({ until: 2 * RESET, rateLimit: { remaining: 0 } });
  expect(turn(0, 50)).toMatchObject({ until: RESET });
  expect(turn(30, 50)).toMatchObject({ until: 2 * RESET });
  openWindows(budget)[0]!.rateLimit = { ...openWindows(budget)[0]!.rateLimit, window: 'day' };
  expect(turn(63)).toMatchObject({ until: RESET + 86_400_000 });
  expect(turn(1_000, UNPACED)).toBeUndefined();
});

test('a known budget lists every open window, less the requests in flight, and the hold of a 429', () => {
  const { budget, obstacle, send, start } = createTestBudget();
  expect(knownBudget(budget, 0)).toEqual({ windows: [], heldForMs: 0, retryAfterMs: 0 });
  send(responseWith(500, 90_000, 0, 1_000));
  send(responseWith(30, 50_000));
  start();
  send(LOST);
  expect(knownBudget(budget, 10_000)).toEqual({
    windows: [
      { source: 'response', limit: 60, remaining: 28, resetAt: new Date(50_000), resetsInMs: 40_000 },
      { source: 'response', limit: 1_000, remaining: 497, resetAt: new Date(90_000), resetsInMs: 80_000 },
    ],
    heldForMs: 0,
    retryAfterMs: 0,
  });
  send(limited(5_000), 10_000);
  expect(knownBudget(budget, 12_000).heldForMs).toBe(3_000);
  expect(obstacle(12_000, UNPACED)).toMatchObject({ rateLimit: { limit: 60, remaining: 0 } });
  expect(knownBudget(budget, 60_000)).toMatchObject({ windows: [{ limit: 1_000 }], heldForMs: 0 });
});

describe('a limit that no response shows now', () => {
  const hidden = (lengthMs: number): KnownLimit => ({
    ...createLimit(1, 'response', lengthMs),
    learnedAt: 0,
  });

  test('has at most its length left', () => {
    const { budget, send } = createTestBudget();
    budget.limits.push({ ...hidden(86_400_000), source: 'learned' });
    send({ kind: 'response' }, 0.25);
    expect(knownBudget(budget, 0.5).windows).toMatchObject([{ remaining: 0, resetsInMs: 86_400_000 }]);
  });

  test('does not hide that the service named a wait', () => {
    const { budget, obstacle, send } = createTestBudget();
    budget.limits.push(hidden(600_000));
    send({ kind: 'response' });
    send(limited(100_000), 1_000);
    const named = obstacle(2_000);
    expect(named).toMatchObject({ until: 101_000, retryAfterUntil: 101_000 });
    expect(named).not.toHaveProperty('isGuess');
    expect(obstacle(101_000)).toMatchObject({ until: 600_000, isGuess: true });
  });

  test.each([1_000, 1_000 + 1 / 7, 1_000 + 5 / 7])(
    'allows a request at the end of its wait, for a window of %d ms',
    (lengthMs) => {
      const { budget, obstacle, send } = createTestBudget({ kind: 'response' });
      budget.limits.push({ ...hidden(lengthMs), source: 'learned', isHidden: true });
      for (let at = 20_000; at < 400_000; at += 1_997) {
        send({ kind: 'response' }, at);
        const { until } = obstacle(at + 1)!;
        expect(until).toBeGreaterThanOrEqual(at + 1_000);
        expect(obstacle(until)).toBeUndefined();
      }
    },
  );

  test.each([
    [1_000, 2_000],
    [5_000, 5_000],
  ])('for %i ms blocks no request for longer than %i ms if one hangs', (lengthMs, blockedMs) => {
    const { available, budget, obstacle, start } = createTestBudget();
    budget.limits.push({ ...hidden(lengthMs), source: 'learned', isHidden: true });
    budget.unknownSince = undefined;
    start();
    expect(obstacle(blockedMs - 1)).toEqual({ reason: 'paced', recheckAt: blockedMs });
    expect(obstacle(blockedMs)).toBeUndefined();
    expect(available(0, blockedMs)).toBe(1);
    start(blockedMs);
    expect(obstacle(blockedMs + 1)).toEqual({ reason: 'paced', recheckAt: 2 * blockedMs });
  });
});
