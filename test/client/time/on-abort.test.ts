import { getEventListeners } from 'node:events';
import { expect, test } from 'vitest';
import { onAbort } from '../../../src/client/time/on-abort.js';

test('calls every callback once, in order', () => {
  const controller = new AbortController();
  const seen: string[] = [];
  const push = (): void => void seen.push('twice');
  onAbort(controller.signal, () => seen.push('first'));
  onAbort(controller.signal, push);
  onAbort(controller.signal, push);
  expect(getEventListeners(controller.signal, 'abort')).toHaveLength(1);
  controller.abort();
  controller.abort();
  expect(seen).toEqual(['first', 'twice', 'twice']);
});

test('removes a callback, and with the last one the listener', () => {
  const controller = new AbortController();
  const seen: string[] = [];
  const removeFirst = onAbort(controller.signal, () => seen.push('first'));
  const removeSecond = onAbort(controller.signal, () => seen.push('second'));
  removeFirst();
  removeFirst();
  expect(getEventListeners(controller.signal, 'abort')).toHaveLength(1);
  removeSecond();
  expect(getEventListeners(controller.signal, 'abort')).toEqual([]);
  onAbort(controller.signal, () => seen.push('third'));
  removeSecond();
  controller.abort();
  expect(seen).toEqual(['third']);
});

test('a callback can remove another one that has not run', () => {
  const controller = new AbortController();
  const seen: string[] = [];
  let remove = (): void => undefined;
  onAbort(controller.signal, () => {
    remove();
  });
  remove = onAbort(controller.signal, () => seen.push('removed'));
  controller.abort();
  expect(seen).toEqual([]);
});
