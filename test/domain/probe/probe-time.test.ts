import { expect, test } from 'vitest';
import { withinTime } from '../../../src/domain/probe/probe-time.js';
import { createStopSignals } from '../../../src/domain/concurrency/stop-signal.js';
import { createVirtualClock } from '../../support/virtual-clock.js';

function startProbe(signal?: AbortSignal) {
  const clock = createVirtualClock();
  const limits = { timeoutMs: 5_000, clock, stop: createStopSignals().join([signal]) };
  let freed = 0;
  let end: (value: string) => void = () => undefined;
  const result = withinTime<string>(limits, (ends) => {
    end = ends;
    return () => (freed += 1);
  });
  return { clock, result, end: (value: string) => end(value), freed: () => freed };
}

test('returns the first result, and frees once', async () => {
  const { clock, result, end, freed } = startProbe();
  end('first');
  end('second');
  expect(await result).toBe('first');
  expect([freed(), clock.pending]).toEqual([1, 0]);
});

test('ends at the time limit', async () => {
  const { clock, result, freed } = startProbe();
  await clock.advance(4_999);
  expect(freed()).toBe(0);
  await clock.advance(1);
  expect(await result).toEqual({ kind: 'unreachable', detail: 'no response within 5 s' });
  expect(freed()).toBe(1);
});

test('ends when it is stopped, and starts nothing afterwards', async () => {
  const ending = new AbortController();
  const { clock, result, freed } = startProbe(ending.signal);
  ending.abort();
  expect(await result).toMatchObject({ kind: 'aborted' });
  expect([freed(), clock.pending]).toEqual([1, 0]);
  const late = startProbe(ending.signal);
  expect(await late.result).toMatchObject({ kind: 'aborted' });
  expect([late.freed(), late.clock.delays]).toEqual([0, []]);
});

test('may end during its start', async () => {
  const clock = createVirtualClock();
  let freed = 0;
  const result = await withinTime<string>(
    { timeoutMs: 5_000, clock, stop: createStopSignals().join([]) },
    (end) => {
      end('at once');
      return () => (freed += 1);
    },
  );
  expect([result, freed, clock.pending]).toEqual(['at once', 1, 0]);
});
