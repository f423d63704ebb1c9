import { expect, test } from 'vitest';
import { REASONS_MAX, RowStates } from '../../../src/bulk/journal/row-states.js';

test('keeps each reason once', () => {
  const states = new RowStates(2);
  expect(states.reason(1)).toBe('the import ended before the response');
  const first = states.addReason('no');
  expect(first).toEqual({ reason: 1, isNew: true });
  expect(states.addReason('no')).toEqual({ reason: 1, isNew: false });
  states.set(2, 'rejected', first.reason);
  expect(states.reason(2)).toBe('no');
});

test('continues the reason numbers of an earlier run', () => {
  const states = new RowStates(1);
  states.setReason(4, 'from before');
  expect(states.addReason('from before')).toEqual({ reason: 4, isNew: false });
  expect(states.addReason('another')).toEqual({ reason: 5, isNew: true });
});

test('limits the number of reasons', () => {
  const states = new RowStates(1);
  const numbers = Array.from(
    { length: REASONS_MAX + 50 },
    (_, index) => states.addReason(`reason ${String(index)}`).reason,
  );
  expect(Math.max(...numbers)).toBe(REASONS_MAX - 1);
  expect(new Set(numbers).size).toBe(REASONS_MAX - 1);
  states.set(1, 'rejected', numbers.at(-1));
  expect(states.reason(1)).toContain('another reason');
});
