import { getEventListeners } from 'node:events';
import { describe, expect, test } from 'vitest';
import { isDeadline, startDeadline } from '../../src/time/time-limit.js';
import { createVirtualClock } from '../support/virtual-clock.js';

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
