import { expect, test } from 'vitest';
import { parseBudget } from '../../../src/client/gate/budget/budget-text.js';
import { NEVER } from '../../../src/client/gate/budget/budget-state.js';
import { resetBudget } from '../../../src/client/gate/registry.js';
import { rejection } from '../../support/stores.js';
import { createTestStorage } from '../../support/test-storage.js';
import { createVirtualClock } from '../../support/virtual-clock.js';

const open = () => {
  const clock = createVirtualClock();
  const storage = createTestStorage(clock);
  const store = { id: 'x', open: () => storage.open('one'), close: () => Promise.resolve() };
  return { storage, reset: () => resetBudget(store, 'https://api.test', 'key', clock) };
};

test.each(['{"heldUntil":1e300}', 'garbage', ''])('replaces the stored text %j', async (text) => {
  const { storage, reset } = open();
  storage.text = text;
  expect(await reset()).toBe(true);
  expect(parseBudget(storage.text)).toMatchObject({ heldUntil: NEVER, windows: [] });
  expect(await reset()).toBe(false);
});

test('writes nothing if nothing is stored', async () => {
  const { storage, reset } = open();
  expect(await reset()).toBe(false);
  expect([storage.text, storage.swaps]).toEqual([undefined, 0]);
});

test('rejects if the store fails', async () => {
  const { storage, reset } = open();
  storage.mode = 'fails';
  expect(await rejection(reset())).toBeInstanceOf(Error);
});
