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
  UNPACED,
} from '../../../../src/client/gate/budget/budget.js';
import { openBudget, RESET, told } from '../spent-budget.js';

describe('a budget', () => {
  test('lets one request learn the limit, and holds the others until it has', () => {
    const { budget } = openBudget();
    expect(findObstacle(budget, 0, 0)).toBeUndefined();
    const probe = countSent(budget, 0);
    expect(findObstacle(budget, 0, 0)).toEqual({ reason: 'paced', recheckAt: 2_000 });
    expect(findObstacle(budget, 0, UNPACED)).toBeUndefined();
    countReport(budget, probe, told(59), 0);
    expect(findObstacle(budget, 0, 0)).toBeUndefined();
  });

  test('never has more than half of what is left under way, and the last ones go one by one', () => {
    const { budget, send } = openBudget();
    send(told(5));
    const sent = [countSent(budget, 0), countSent(budget, 0)];
    expect(availableRequests(budget, 0, 0)).toBe(1);
    expect(findObstacle(budget, 0, 0)).toBeUndefined();
    sent.push(countSent(budget, 0));
    expect(findObstacle(budget, 0, 0)).toMatchObject({ reason: 'paced' });
    expect(findObstacle(budget, 0, 0)?.until).toBeUndefined();
    for (const [index, serial] of sent.entries()) countReport(budget, serial, told(4 - index), 0);
    expect(availableRequests(budget, 0, 0)).toBe(1);
    countSent(budget, 0);
    expect(availableRequests(budget, 0, 0)).toBe(0);
  });

  test('has less under way where others take more of the window than we do', () => {
    const { budget, send } = openBudget();
    send(told(40));
    send(told(39));
    expect(availableRequests(budget, 0, 0)).toBe(20);
    for (const remaining of [35, 31, 27]) send(told(remaining));
    // Three of theirs for each of ownCount: each of ours under way stands for four, and one is held back for them.
    expect(budget.windows[0]).toMatchObject({ ownCount: 4, foreignCount: 9 });
    expect(availableRequests(budget, 0, 0)).toBe(Math.floor((27 - 1 + 1) / (1 + 9 / 4)));
  });

  test('sends nothing at 0 left until the reset, and one probe then', () => {
    const { budget, send } = openBudget();
    send(told(0));
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

  test('takes the lower number of answers that come out of order', () => {
    const { budget, send } = openBudget();
    send(told(10));
    const [early, late] = [countSent(budget, 0), countSent(budget, 0)];
    countReport(budget, late, told(0), 0);
    countReport(budget, early, told(1), 0);
    expect(findObstacle(budget, 0, 0)).toMatchObject({ until: RESET });
  });

  test('ignores a late answer of a window that is over', () => {
    const { budget, send } = openBudget();
    const old = countSent(budget, 0);
    send(told(50, 2 * RESET));
    countReport(budget, old, told(0, RESET), RESET);
    expect(findObstacle(budget, RESET, 0)).toBeUndefined();
  });

  test('counts a request without an answer as counted, if it may have been sent', () => {
    const { budget, send } = openBudget();
    send(told(1));
    countReport(budget, countSent(budget, 0), { kind: 'no-response', sent: false }, 0);
    expect(findObstacle(budget, 0, 0)).toBeUndefined();
    countReport(budget, countSent(budget, 0), { kind: 'no-response', sent: true }, 0);
    expect(findObstacle(budget, 0, 0)).toMatchObject({ until: RESET });
  });

  test('waits for the longer of two windows that are both used up', () => {
    const { budget, send } = openBudget();
    send(told(0, RESET, 0, 60));
    send(told(0, 10 * RESET, 0, 1_000));
    expect(findObstacle(budget, 0, 0)).toMatchObject({ until: 10 * RESET, rateLimit: { limit: 1_000 } });
    expect(findObstacle(budget, RESET, 0)).toMatchObject({ until: 10 * RESET });
  });

  test('counts in the one window what was told of the other', () => {
    const { budget, send } = openBudget();
    send(told(2, RESET, 0, 60));
    send(told(500, 10 * RESET, 0, 1_000));
    send(told(499, 10 * RESET, 0, 1_000));
    expect(findObstacle(budget, 0, 0)).toMatchObject({ until: RESET, rateLimit: { limit: 60 } });
  });

  test('is not held up at a new window by a request of the old one that hangs', () => {
    const { budget, send } = openBudget();
    send(told(5));
    const hanging = countSent(budget, 0);
    expect(findObstacle(budget, RESET, 0)).toBeUndefined();
    const probe = countSent(budget, RESET);
    expect(findObstacle(budget, RESET, 0)).toMatchObject({ reason: 'paced' });
    countReport(budget, probe, told(59, 2 * RESET, RESET), RESET);
    expect(findObstacle(budget, RESET, 0)).toBeUndefined();
    countReport(budget, hanging, { kind: 'no-response', sent: true }, RESET);
    expect(findObstacle(budget, RESET, 0)).toBeUndefined();
  });
});

describe('a budget of which nothing is known', () => {
  const lost: GateReport = { kind: 'no-response', sent: true };

  test('lets one more probe go for each that failed: a dead connection sets nobody free', () => {
    const { budget } = openBudget();
    countReport(budget, countSent(budget, 0), lost, 0);
    const [first] = [countSent(budget, 0), countSent(budget, 0)];
    expect(findObstacle(budget, 0, 0)).toMatchObject({ reason: 'paced' });
    countReport(budget, first, lost, 0);
    expect(availableRequests(budget, 0, 0)).toBe(2);
  });

  test('lets one more go for each answer that tells no limit, and eight at most', () => {
    const { budget, send } = openBudget();
    for (let count = 1; count <= 20; count += 1) {
      send({ kind: 'response' });
      expect(availableRequests(budget, 0, 0)).toBe(Math.min(8, count + 1));
    }
    send(told(59));
    expect(availableRequests(budget, 0, 0)).toBe(30);
  });

  test('goes by what an answer told is left where its reset is past', () => {
    const { budget, send } = openBudget();
    const spare = [30, 20, 10, 5, 3, 2, 1, 0].map((remaining) => {
      send(told(remaining, -RESET, -RESET));
      return availableRequests(budget, 0, 0);
    });
    expect(spare).toEqual([2, 3, 4, 3, 2, 1, 1, 1]);
  });

  test('lets another probe go where one hangs, and again one', () => {
    const { budget } = openBudget();
    countSent(budget, 0);
    expect(findObstacle(budget, 1_999, 0)).toMatchObject({ recheckAt: 2_000 });
    expect(findObstacle(budget, 2_000, 0)).toBeUndefined();
    countSent(budget, 2_000);
    expect(findObstacle(budget, 2_000, 0)).toMatchObject({ recheckAt: 4_000 });
  });

  test('counts its probes anew in the next window', () => {
    const { budget, send } = openBudget();
    countReport(budget, countSent(budget, 0), lost, 0);
    expect(budget.probesMax).toBe(2);
    send(told(5));
    expect(findObstacle(budget, RESET, 0)).toBeUndefined();
    expect(budget.probesMax).toBe(1);
  });
});

describe('a reserve', () => {
  test('is left unspent, by who has one and by nobody else', () => {
    const { budget, send } = openBudget();
    send(told(30));
    expect(availableRequests(budget, 0, 25)).toBe(8);
    send(told(15));
    expect(findObstacle(budget, 0, 25)).toMatchObject({
      reason: 'paced',
      until: RESET,
      retryAfterUntil: RESET,
    });
    expect(findObstacle(budget, 0, 24.9)).toMatchObject({ until: RESET });
    expect(findObstacle(budget, 0, 23)).toBeUndefined();
    expect(findObstacle(budget, 0, UNPACED)).toBeUndefined();
  });

  test('takes the part of each window, rounded up', () => {
    const { budget, send } = openBudget();
    send(told(500, RESET, 0, 1_000));
    send(told(2, 10 * RESET, 0, 7));
    expect(availableRequests(budget, 0, 20)).toBe(0);
    expect(availableRequests(budget, 0, 14)).toBe(1);
  });
});

describe('other users of the key', () => {
  test('are seen by what is gone beyond our own, and left room for', () => {
    const { budget, send } = openBudget();
    send(told(40));
    send(told(39), 1_000);
    expect(availableRequests(budget, 1_000, 0)).toBe(20);
    send(told(33), 2_000);
    // Five gone in two seconds: three are about to go; but no more than one request of sixty is held back. Of the others
    // five go for two of ours.
    expect(availableRequests(budget, 2_000, 0)).toBe(Math.floor((32 + 1) / (1 + 5 / 2)));
    send(told(1), 3_000);
    expect(findObstacle(budget, 3_000, 0)).toMatchObject({ until: RESET });
  });

  test('are not seen where several of ours are under way', () => {
    const { budget, send } = openBudget();
    send(told(40));
    const sent = [countSent(budget, 0), countSent(budget, 0), countSent(budget, 0)];
    countReport(budget, sent[2]!, told(37), 0);
    expect(budget.windows[0]?.foreignCount).toBe(0);
    countReport(budget, sent[0]!, told(39), 0);
    countReport(budget, sent[1]!, told(38), 0);
    expect(budget.windows[0]?.foreignCount).toBe(0);
  });
});

describe('who is served later', () => {
  test('is told the window in which that can be at the earliest', () => {
    const { budget, send } = openBudget();
    expect(earliestTurn(budget, 0, 0, 1_000)).toBeUndefined();
    send(told(3));
    expect(earliestTurn(budget, 0, 0, 2)).toBeUndefined();
    expect(earliestTurn(budget, 0, 0, 3)).toMatchObject({ until: RESET, rateLimit: { limit: 60 } });
    expect(earliestTurn(budget, 0, 0, 62)).toMatchObject({ until: RESET });
    expect(earliestTurn(budget, 0, 0, 63)).toMatchObject({ until: 2 * RESET });
    expect(earliestTurn(budget, 0, 50, 0)).toMatchObject({ until: RESET });
    expect(earliestTurn(budget, 0, UNPACED, 1_000)).toBeUndefined();
  });
});
