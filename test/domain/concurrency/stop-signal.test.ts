import { getEventListeners } from 'node:events';
import { expect, test } from 'vitest';
import { createStopSignals } from '../../../src/domain/concurrency/stop-signal.js';

const listeners = (signal: AbortSignal): number => getEventListeners(signal, 'abort').length;

test('however many wait, a signal has one listener, and none when nobody does', () => {
  const { signal } = new AbortController();
  const stops = createStopSignals();
  const offs = Array.from({ length: 100 }, () => stops.join([signal, undefined]).subscribe(() => undefined));
  expect(listeners(signal)).toBe(1);
  for (const off of offs) off();
  expect(listeners(signal)).toBe(0);
});

test('whichever signal comes, all that wait on it are told, once', () => {
  const [one, two] = [new AbortController(), new AbortController()];
  const stops = createStopSignals();
  const told: string[] = [];
  const both = stops.join([one.signal, two.signal]);
  const only = stops.join([two.signal]);
  both.subscribe(() => told.push('both'));
  only.subscribe(() => told.push('only'));
  one.abort();
  expect(told).toEqual(['both']);
  expect([both.isStopped, only.isStopped]).toEqual([true, false]);
  two.abort();
  expect(told).toEqual(['both', 'only']);
  expect(listeners(two.signal)).toBe(0);
});

test('what is forgotten is not told', () => {
  const controller = new AbortController();
  const stop = createStopSignals().join([controller.signal]);
  let told = 0;
  stop.subscribe(() => (told += 1))();
  stop.subscribe(() => (told += 10));
  controller.abort();
  expect(told).toBe(10);
});

test('no signal, no end', () => {
  const stop = createStopSignals().join([undefined]);
  expect(stop.isStopped).toBe(false);
  stop.subscribe(() => undefined)();
});
