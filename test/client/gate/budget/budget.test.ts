import { describe, expect, test } from 'vitest';
import {
  countReport,
  countSent,
  type GateReport,
} from '../../../../src/client/gate/budget/budget-counting.js';
import {
  earliestTurn,
  findObstacle,
  availableRequests,
  knownBudget,
  UNPACED,
} from '../../../../src/client/gate/budget/budget.js';
import { createTestBudget, RESET, responseWith } from '../test-budget.js';

describe('a budget', () => {
  test('admits one probe until the limit is known', () => {
    const { budget } = createTestBudget();
    expect(findObstacle(budget, 0, 0)).toBeUndefined();
    const probe = countSent(budget, 0);
    expect(findObstacle(budget, 0, 0)).toEqual({ reason: 'paced', recheckAt: 2_000 });
    expect(findObstacle(budget, 0, UNPACED)).toBeUndefined();
    countReport(budget, probe, responseWith(59), 0);
    expect(findObstacle(budget, 0, 0)).toBeUndefined();
  });

  test('has at most half of the remaining requests in flight, and sends the last ones one by one', () => {
    const { budget, send } = createTestBudget();
    send(responseWith(5));
    const sent = [countSent(budget, 0), countSent(budget, 0)];
    expect(availableRequests(budget, 0, 0)).toBe(1);
    expect(findObstacle(budget, 0, 0)).toBeUndefined();
    sent.push(countSent(budget, 0));
    expect(findObstacle(budget, 0, 0)).toMatchObject({ reason: 'paced' });
    expect(findObstacle(budget, 0, 0)?.until).toBeUndefined();
    for (const [index, serial] of sent.entries()) countReport(budget, serial, responseWith(4 - index), 0);
    expect(availableRequests(budget, 0, 0)).toBe(1);
    countSent(budget, 0);
    expect(availableRequests(budget, 0, 0)).toBe(0);
  });

  test('has fewer requests in flight if others use more of the window', () => {
    const { budget, send } = createTestBudget();
    send(responseWith(40));
    send(responseWith(39));
    expect(availableRequests(budget, 0, 0)).toBe(20);
    for (const remaining of [35, 31, 27]) send(responseWith(remaining));
    // Others send three requests for each of ours. So each of ours in flight counts as four, and one is reserved for them.
    expect(budget.windows[0]).toMatchObject({ ownCount: 4, foreignCount: 9 });
    expect(availableRequests(budget, 0, 0)).toBe(Math.floor((27 - 1 + 1) / (1 + 9 / 4)));
  });

  test('sends nothing with 0 remaining until the reset, then one probe', () => {
    const { budget, send } = createTestBudget();
    send(responseWith(0));
    expect(findObstacle(budget, 0, 0)).toMatchObject({
      reason: 'paced',
      until: RESET,
      retryAfterUntil: RESET,
    });
    expect(findObstacle(budget, RESET - 1, 0)).toMatchObject({ until: RESET });
    expect(findObstacle(budget, RESET, 0)).toBeUndefined();
    countSent(budget, RESET);
    expect(findObstacle(budget, RESET, 0)).toMatchObject({ reason: 'paced', recheckAt: RESET + 2_000 });
  });

  test('keeps the lowest remaining number if responses arrive out of order', () => {
    const { budget, send } = createTestBudget();
    send(responseWith(10));
    const [early, late] = [countSent(budget, 0), countSent(budget, 0)];
    countReport(budget, late, responseWith(0), 0);
    countReport(budget, early, responseWith(1), 0);
    expect(findObstacle(budget, 0, 0)).toMatchObject({ until: RESET });
  });

  test('ignores a late response of an ended window', () => {
    const { budget, send } = createTestBudget();
    const old = countSent(budget, 0);
    send(responseWith(50, 2 * RESET));
    countReport(budget, old, responseWith(0, RESET), RESET);
    expect(findObstacle(budget, RESET, 0)).toBeUndefined();
  });

  test('counts a request without a response if it may have been sent', () => {
    const { budget, send } = createTestBudget();
    send(responseWith(1));
    countReport(budget, countSent(budget, 0), { kind: 'no-response', sent: false }, 0);
    expect(findObstacle(budget, 0, 0)).toBeUndefined();
    countReport(budget, countSent(budget, 0), { kind: 'no-response', sent: true }, 0);
    expect(findObstacle(budget, 0, 0)).toMatchObject({ until: RESET });
  });

  test('waits for the later of two used-up windows', () => {
    const { budget, send } = createTestBudget();
    send(responseWith(0, RESET, 0, 60));
    send(responseWith(0, 10 * RESET, 0, 1_000));
    expect(findObstacle(budget, 0, 0)).toMatchObject({ until: 10 * RESET, rateLimit: { limit: 1_000 } });
    expect(findObstacle(budget, RESET, 0)).toMatchObject({ until: 10 * RESET });
  });

  test('counts a request in the window that its response does not describe', () => {
    const { budget, send } = createTestBudget();
    send(responseWith(2, RESET, 0, 60));
    send(responseWith(500, 10 * RESET, 0, 1_000));
    send(responseWith(499, 10 * RESET, 0, 1_000));
    expect(findObstacle(budget, 0, 0)).toMatchObject({ until: RESET, rateLimit: { limit: 60 } });
  });

  test('is not blocked in a new window by a hanging request of the old one', () => {
    const { budget, send } = createTestBudget();
    send(responseWith(5));
    const hanging = countSent(budget, 0);
    expect(findObstacle(budget, RESET, 0)).toBeUndefined();
    const probe = countSent(budget, RESET);
    expect(findObstacle(budget, RESET, 0)).toMatchObject({ reason: 'paced' });
    countReport(budget, probe, responseWith(59, 2 * RESET, RESET), RESET);
    expect(findObstacle(budget, RESET, 0)).toBeUndefined();
    countReport(budget, hanging, { kind: 'no-response', sent: true }, RESET);
    expect(findObstacle(budget, RESET, 0)).toBeUndefined();
  });
});

describe('a budget without known windows', () => {
  const lost: GateReport = { kind: 'no-response', sent: true };

  test('admits one more probe after each failed one', () => {
    const { budget } = createTestBudget();
    countReport(budget, countSent(budget, 0), lost, 0);
    const [first] = [countSent(budget, 0), countSent(budget, 0)];
    expect(findObstacle(budget, 0, 0)).toMatchObject({ reason: 'paced' });
    countReport(budget, first, lost, 0);
    expect(availableRequests(budget, 0, 0)).toBe(2);
  });

  test('admits one more probe after each response without headers, at most eight', () => {
    const { budget, send } = createTestBudget();
    for (let count = 1; count <= 20; count += 1) {
      send({ kind: 'response' });
      expect(availableRequests(budget, 0, 0)).toBe(Math.min(8, count + 1));
    }
    send(responseWith(59));
    expect(availableRequests(budget, 0, 0)).toBe(30);
  });

  test('obeys the remaining number of a response whose reset has passed', () => {
    const { budget, send } = createTestBudget();
    const spare = [30, 20, 10, 5, 3, 2, 1, 0].map((remaining) => {
      send(responseWith(remaining, -RESET, -RESET));
      return availableRequests(budget, 0, 0);
    });
    expect(spare).toEqual([2, 3, 4, 3, 2, 1, 1, 1]);
  });

  test('admits another probe every two seconds while one hangs', () => {
    const { budget } = createTestBudget();
    countSent(budget, 0);
    expect(findObstacle(budget, 1_999, 0)).toMatchObject({ recheckAt: 2_000 });
    expect(findObstacle(budget, 2_000, 0)).toBeUndefined();
    countSent(budget, 2_000);
    expect(findObstacle(budget, 2_000, 0)).toMatchObject({ recheckAt: 4_000 });
  });

  test('starts with one probe again in the next window', () => {
    const { budget, send } = createTestBudget();
    countReport(budget, countSent(budget, 0), lost, 0);
    expect(budget.probesMax).toBe(2);
    send(responseWith(5));
    expect(findObstacle(budget, RESET, 0)).toBeUndefined();
    expect(budget.probesMax).toBe(1);
  });
});

describe('a reserve', () => {
  test('holds back only the caller that has one', () => {
    const { budget, send } = createTestBudget();
    send(responseWith(30));
    expect(availableRequests(budget, 0, 25)).toBe(8);
    send(responseWith(15));
    expect(findObstacle(budget, 0, 25)).toMatchObject({
      reason: 'paced',
      until: RESET,
      retryAfterUntil: RESET,
    });
    expect(findObstacle(budget, 0, 24.9)).toMatchObject({ until: RESET });
    expect(findObstacle(budget, 0, 23)).toBeUndefined();
    expect(findObstacle(budget, 0, UNPACED)).toBeUndefined();
  });

  test('is a share of each window, rounded up', () => {
    const { budget, send } = createTestBudget();
    send(responseWith(500, RESET, 0, 1_000));
    send(responseWith(2, 10 * RESET, 0, 7));
    expect(availableRequests(budget, 0, 20)).toBe(0);
    expect(availableRequests(budget, 0, 14)).toBe(1);
  });
});

describe('other users of the key', () => {
  test('are detected by requests that are not ours, and get a share', () => {
    const { budget, send } = createTestBudget();
    send(responseWith(40));
    send(responseWith(39), 1_000);
    expect(availableRequests(budget, 1_000, 0)).toBe(20);
    send(responseWith(33), 2_000);
    // Five requests of others in two seconds predict three more, but at most one of sixty is reserved.
    // They send five for two of ours.
    expect(availableRequests(budget, 2_000, 0)).toBe(Math.floor((32 + 1) / (1 + 5 / 2)));
    send(responseWith(1), 3_000);
    expect(findObstacle(budget, 3_000, 0)).toMatchObject({ until: RESET });
  });

  test('are not detected from our own requests in flight', () => {
    const { budget, send } = createTestBudget();
    send(responseWith(40));
    const sent = [countSent(budget, 0), countSent(budget, 0), countSent(budget, 0)];
    countReport(budget, sent[2]!, responseWith(37), 0);
    expect(budget.windows[0]?.foreignCount).toBe(0);
    countReport(budget, sent[0]!, responseWith(39), 0);
    countReport(budget, sent[1]!, responseWith(38), 0);
    expect(budget.windows[0]?.foreignCount).toBe(0);
  });
});

describe('a caller behind others', () => {
  test('gets the earliest window for its turn', () => {
    const { budget, send } = createTestBudget();
    expect(earliestTurn(budget, 0, 0, 1_000)).toBeUndefined();
    send(responseWith(3));
    expect(earliestTurn(budget, 0, 0, 2)).toBeUndefined();
    expect(earliestTurn(budget, 0, 0, 3)).toMatchObject({ until: RESET, rateLimit: { limit: 60 } });
    expect(earliestTurn(budget, 0, 0, 62)).toMatchObject({ until: RESET });
    expect(earliestTurn(budget, 0, 0, 63)).toMatchObject({ until: RESET });
    budget.windows[0]!.rateLimit = { ...budget.windows[0]!.rateLimit, window: 'minute', plan: 'free' };
    expect(earliestTurn(budget, 0, 0, 63)).toMatchObject({ until: 2 * RESET, rateLimit: { remaining: 0 } });
    expect(earliestTurn(budget, 0, 50, 0)).toMatchObject({ until: RESET });
    expect(earliestTurn(budget, 0, UNPACED, 1_000)).toBeUndefined();
  });
});

test('a known budget lists every open window, less the requests in flight, and the hold of a 429', () => {
  const { budget: state } = createTestBudget();
  expect(knownBudget(state, 0)).toEqual({ windows: [], heldForMs: 0 });
  const report = (limit: number, remaining: number, untilResetMs: number): void => {
    const rateLimit = { limit, remaining, resetAt: 1_000_000 };
    countReport(state, countSent(state, 0), { kind: 'response', rateLimit, untilResetMs }, 0);
  };
  report(1_000, 500, 90_000);
  report(60, 30, 50_000);
  countSent(state, 0);
  countReport(state, countSent(state, 0), { kind: 'no-response', sent: true }, 0);
  expect(knownBudget(state, 10_000)).toEqual({
    windows: [
      { limit: 60, remaining: 28, resetAt: new Date(1_000_000), resetsInMs: 40_000 },
      { limit: 1_000, remaining: 497, resetAt: new Date(1_000_000), resetsInMs: 80_000 },
    ],
    heldForMs: 0,
  });
  countReport(
    state,
    countSent(state, 0),
    { kind: 'rate-limited', holdMs: 5_000, retryAfterMs: 4_000 },
    10_000,
  );
  expect(knownBudget(state, 12_000).heldForMs).toBe(3_000);
  expect(knownBudget(state, 60_000)).toMatchObject({ windows: [{ limit: 1_000 }], heldForMs: 0 });
});
