import { describe, expect, test } from 'vitest';
import { countReport, countSent } from '../../../../src/client/gate/budget/budget-counting.js';
import type { BudgetState } from '../../../../src/client/gate/budget/budget-state.js';
import { openBudget, RESET, told } from '../spent-budget.js';

describe('a lost answer', () => {
  test('is forgotten once a later request was told what is left', () => {
    const { budget, left, send } = openBudget();
    send(told(10));
    countReport(budget, countSent(budget, 0), { kind: 'no-response', sent: true }, 0);
    expect(left()).toBe(9);
    send(told(9));
    expect(left()).toBe(9);
  });

  test('is not forgiven by the answer to a request that was sent before it was lost', () => {
    const { budget, left, send } = openBudget();
    send(told(10));
    const [lost, other] = [countSent(budget, 0), countSent(budget, 0)];
    countReport(budget, lost, { kind: 'no-response', sent: true }, 0);
    countReport(budget, other, told(9), 0);
    expect(left()).toBe(8);
  });
});

describe('several lost answers', () => {
  const lose = (budget: BudgetState, serial: number): void => {
    countReport(budget, serial, { kind: 'no-response', sent: true }, 0);
  };

  test('are forgotten one by one, each by an answer to who was sent after it was lost', () => {
    const { budget, left, send } = openBudget();
    send(told(10));
    const [first, second] = [countSent(budget, 0), countSent(budget, 0)];
    lose(budget, first);
    const later = countSent(budget, 0);
    lose(budget, second);
    expect(left()).toBe(7);
    countReport(budget, later, told(8), 0);
    expect(left()).toBe(7);
    send(told(7));
    expect(left()).toBe(7);
  });

  test('are as many as were lost, and beyond hope counted for good', () => {
    const { budget, left, send } = openBudget();
    send(told(1_000, RESET, 0, 1_000));
    for (let count = 0; count < 300; count += 1) lose(budget, countSent(budget, 0));
    expect(left()).toBe(700);
    expect(budget.windows[0]?.unconfirmed).toHaveLength(256);
  });
});

test('an answer without headers is one that may or may not have been counted', () => {
  const { left, send } = openBudget();
  send(told(10));
  send({ kind: 'response' });
  expect(left()).toBe(9);
  send(told(9));
  expect(left()).toBe(9);
});
