import { getEventListeners } from 'node:events';
import { describe, expect, test } from 'vitest';
import { isDeadline, joinSignals, startDeadline } from '../../../src/client/time/deadline.js';
import { createVirtualClock } from '../../support/virtual-clock.js';

describe('a deadline', () => {
  test('uses the signal of the caller if there is no deadline', () => {
    const clock = createVirtualClock();
    const { signal } = new AbortController();
    const deadline = startDeadline(clock, Infinity, signal);
    expect(deadline.signal).toBe(signal);
    expect(deadline.remainingMs()).toBe(Infinity);
    expect(clock.pending).toBe(0);
    deadline.dispose();
  });

  test('aborts its signal when it expires', async () => {
    const clock = createVirtualClock();
    const deadline = startDeadline(clock, 1_000, undefined);
    await clock.advance(400);
    expect(deadline.remainingMs()).toBe(600);
    expect(deadline.signal?.aborted).toBe(false);
    await clock.advance(600);
    expect(isDeadline(deadline.signal?.reason)).toBe(true);
  });

  test('aborts with the reason of the caller’s signal', () => {
    const controller = new AbortController();
    const deadline = startDeadline(createVirtualClock(), 1_000, controller.signal);
    controller.abort('enough');
    expect(deadline.signal?.reason).toBe('enough');
    expect(isDeadline(deadline.signal?.reason)).toBe(false);
  });

  test('is aborted from the start if the caller’s signal is', () => {
    const deadline = startDeadline(createVirtualClock(), 1_000, AbortSignal.abort('over'));
    expect(deadline.signal?.reason).toBe('over');
  });

  test('is measured by the monotonic time', async () => {
    const clock = createVirtualClock();
    const deadline = startDeadline(clock, 1_000, undefined);
    clock.setWall(0);
    expect(deadline.remainingMs()).toBe(1_000);
  });

  test('leaves no timer and no listener', () => {
    const clock = createVirtualClock();
    const { signal } = new AbortController();
    startDeadline(clock, 1_000, signal).dispose();
    expect(clock.pending).toBe(0);
    expect(getEventListeners(signal, 'abort')).toHaveLength(0);
  });
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
