import { getEventListeners } from 'node:events';
import { describe, expect, test } from 'vitest';
import { joinSignals, onAbort } from '../../src/time/signals.js';

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

describe('joinSignals', () => {
  test('returns the other signal if one is missing', () => {
    const { signal } = new AbortController();
    expect([joinSignals(signal, undefined).signal, joinSignals(undefined, signal).signal]).toEqual([
      signal,
      signal,
    ]);
  });

  test.each([0, 1])('aborts with the reason of the first signal to abort: %d', (which) => {
    const both = [new AbortController(), new AbortController()] as const;
    const { signal, dispose } = joinSignals(both[0].signal, both[1].signal);
    both[which]!.abort('enough');
    both[1 - which]!.abort('later');
    expect(signal?.reason).toBe('enough');
    dispose();
  });

  test('is aborted from the start if one signal is, and leaves no listener', () => {
    const { signal } = new AbortController();
    const joined = joinSignals(signal, AbortSignal.abort('over'));
    expect(joined.signal?.reason).toBe('over');
    joined.dispose();
    expect(getEventListeners(signal, 'abort')).toHaveLength(0);
  });
});
