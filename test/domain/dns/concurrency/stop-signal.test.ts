import { getEventListeners } from 'node:events';
import { describe, expect, test } from 'vitest';
import { stopSignalOf, untilEnd } from '../../../../src/domain/dns/concurrency/stop-signal.js';
import { createVirtualClock } from '../../../support/virtual-clock.js';

const listeners = (signal: AbortSignal): number => getEventListeners(signal, 'abort').length;

test('adds one listener to a signal for any number of subscribers, and removes it with the last', () => {
  const [{ signal }, other] = [new AbortController(), new AbortController()];
  let called = 0;
  const unsubscribers = Array.from({ length: 100 }, () =>
    stopSignalOf(signal, undefined, other.signal).subscribe(() => (called += 1)),
  );
  expect(listeners(signal)).toBe(1);
  for (const unsubscribe of unsubscribers.slice(1)) unsubscribe();
  other.abort();
  expect([called, stopSignalOf(signal, other.signal).isStopped, stopSignalOf(signal).isStopped]).toEqual([
    1,
    true,
    false,
  ]);
  unsubscribers[0]?.();
  expect([listeners(signal), stopSignalOf(undefined).isStopped]).toEqual([0, false]);
});

/** Starts an exchange that ends when the test says so. */
function begin(controller = new AbortController()) {
  const clock = createVirtualClock();
  const limits = { timeoutMs: 1_500, clock, stop: stopSignalOf(controller.signal) };
  let freed = 0;
  let end: (result: string) => void = () => undefined;
  const start = (ends: (result: string) => void, atOnce?: string) => {
    end = ends;
    if (atOnce !== undefined) ends(atOnce);
    return () => (freed += 1);
  };
  const failures = { late: (detail: string) => detail, stopped: 'stopped' };
  const run = (atOnce?: string) => untilEnd(limits, (ends) => start(ends, atOnce), failures);
  return { clock, controller, run, end: (result: string) => end(result), freed: () => freed };
}

describe('an exchange', () => {
  test.each<[string, string, (exchange: ReturnType<typeof begin>) => unknown]>([
    ['with its first result', 'first', ({ end }) => ['first', 'second'].forEach(end)],
    ['at its time limit', 'no response within 1.5 s', ({ clock }) => clock.advance(1_500)],
    ['when it is stopped', 'stopped', ({ controller }) => controller.abort()],
  ])('ends %s, and leaves neither timer nor listener', async (_, expected, act) => {
    const exchange = begin();
    const result = exchange.run();
    await exchange.clock.advance(1_499);
    expect(exchange.freed()).toBe(0);
    await act(exchange);
    expect(await result).toBe(expected);
    expect([exchange.freed(), exchange.clock.pending, listeners(exchange.controller.signal)]).toEqual([
      1, 0, 0,
    ]);
  });

  test('may end during its start', async () => {
    const { run, freed, clock } = begin();
    expect([await run('at once'), freed(), clock.pending]).toEqual(['at once', 1, 0]);
  });

  test('does not start if it is stopped already', async () => {
    const { controller, run, end, freed, clock } = begin();
    controller.abort();
    const result = run();
    end('nothing');
    expect([await result, freed(), clock.delays]).toEqual(['stopped', 0, []]);
  });
});
