import { describe, expect, test } from 'vitest';
import { settle, spend } from '../../../../src/client/gate/budget/budget-counting.js';
import { obstacle, UNPACED } from '../../../../src/client/gate/budget/budget.js';
import type { GateReport } from '../../../../src/client/gate/budget/gate.js';
import { openBudget, RESET } from '../spent-budget.js';

const limited = (holdMs: number): GateReport => ({ kind: 'limited', holdMs, toldMs: holdMs });

describe('strikes', () => {
  test('count a burst once, and a repeat once more', () => {
    const { budget, send } = openBudget();
    const burst = [spend(budget, 0), spend(budget, 0), spend(budget, 0)];
    for (const serial of burst) settle(budget, serial, limited(1_000), 0);
    expect(budget.strikes).toBe(1);
    send(limited(1_000), 1_000);
    expect(budget.strikes).toBe(2);
  });

  test('are not forgiven by an answer to a request that was sent before', () => {
    const { budget, send } = openBudget();
    const [first, second] = [spend(budget, 0), spend(budget, 0)];
    settle(budget, first, limited(1_000), 0);
    settle(budget, second, { kind: 'answer' }, 0);
    expect(budget.strikes).toBe(1);
    send({ kind: 'answer' }, 1_000);
    expect(budget.strikes).toBe(0);
  });

  test('hold to the latest of what a burst was told', () => {
    const { budget } = openBudget();
    const [first, second] = [spend(budget, 0), spend(budget, 0)];
    settle(budget, first, limited(5_000), 0);
    settle(budget, second, limited(1_000), 0);
    expect(obstacle(budget, 4_999, 0)).toMatchObject({ reason: 'rate-limited', until: 5_000 });
    expect(obstacle(budget, 4_999, UNPACED)).toMatchObject({ reason: 'rate-limited' });
    expect(obstacle(budget, 5_000, 0)).toBeUndefined();
  });

  test('let one probe through at a time', () => {
    const { budget, send } = openBudget();
    send(limited(1_000));
    const probe = spend(budget, 0);
    expect(obstacle(budget, 1_000, UNPACED)).toEqual({ reason: 'rate-limited' });
    settle(budget, probe, { kind: 'answer' }, 1_000);
    expect(obstacle(budget, 1_000, 0)).toBeUndefined();
  });
});

describe('a 429 that is shorter than its window', () => {
  test('tells of the window at once, since nothing may be sent before it ends', () => {
    const { budget, send } = openBudget();
    const rateLimit = { limit: 60, remaining: 0, resetAt: RESET };
    send({ kind: 'limited', holdMs: 2_000, toldMs: 2_000, rateLimit, untilResetMs: RESET });
    expect(obstacle(budget, 0, 0)).toMatchObject({
      reason: 'rate-limited',
      until: RESET,
      toldUntil: RESET,
    });
    expect(obstacle(budget, 0, UNPACED)).toMatchObject({ reason: 'rate-limited', until: 2_000 });
  });
});
