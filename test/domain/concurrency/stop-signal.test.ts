import { getEventListeners } from 'node:events';
import { expect, test } from 'vitest';
import { createStopSignals } from '../../../src/domain/concurrency/stop-signal.js';

const listeners = (signal: AbortSignal): number => getEventListeners(signal, 'abort').length;

test('adds one listener to a signal for any number of subscribers, and removes it with the last', () => {
  const { signal } = new AbortController();
  const stops = createStopSignals();
  const unsubscribers = Array.from({ length: 100 }, () =>
    stops.join([signal, undefined]).subscribe(() => undefined),
  );
  expect(listeners(signal)).toBe(1);
  for (const unsubscribe of unsubscribers) unsubscribe();
  expect(listeners(signal)).toBe(0);
});

test('calls each subscriber once, at the first of its signals', () => {
  const [one, two] = [new AbortController(), new AbortController()];
  const stops = createStopSignals();
  const called: string[] = [];
  const both = stops.join([one.signal, two.signal]);
  const only = stops.join([two.signal]);
  both.subscribe(() => called.push('both'));
  only.subscribe(() => called.push('only'));
  one.abort();
  expect(called).toEqual(['both']);
  expect([both.isStopped, only.isStopped]).toEqual([true, false]);
  two.abort();
  expect(called).toEqual(['both', 'only']);
  expect(listeners(two.signal)).toBe(0);
});

test('does not call a callback that was unsubscribed', () => {
  const controller = new AbortController();
  const stop = createStopSignals().join([controller.signal]);
  let called = 0;
  stop.subscribe(() => (called += 1))();
  stop.subscribe(() => (called += 10));
  controller.abort();
  expect(called).toBe(10);
});

test('never stops without a signal', () => {
  const stop = createStopSignals().join([undefined]);
  expect(stop.isStopped).toBe(false);
  stop.subscribe(() => undefined)();
});
