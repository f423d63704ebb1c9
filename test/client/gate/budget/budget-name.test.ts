import { expect, test } from 'vitest';
import { budgetName } from '../../../../src/client/gate/budget/budget-name.js';

test('a budget has a name of its own, the same everywhere, in which neither key nor origin is', () => {
  const name = budgetName('https://api.test', 'sk-1');
  expect(name).toMatch(/^[0-9a-f]{32}$/);
  expect(budgetName('https://api.test', 'sk-1')).toBe(name);
  // Pinned: a name that changes between versions would have them not share.
  expect(name).toBe('1c9dc02503a0bea90c5b8f0dd8bfe366');
  const others = [budgetName('https://api.test', 'sk-2'), budgetName('https://api.test:8443', 'sk-1')];
  expect(new Set([name, ...others]).size).toBe(3);
});
