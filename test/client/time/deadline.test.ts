import { getEventListeners } from 'node:events';
import { describe, expect, test } from 'vitest';
import { isDeadline, joinSignals, startDeadline } from '../../../src/client/time/deadline.js';
import { createVirtualClock } from '../../support/virtual-clock.js';

describe('a deadline', () => {
  test('makes nothing where there is none: the signal is the caller’s', () => {
    const clock = createVirtualClock();
    const { signal } = new AbortController();
    const deadline = startDeadline(clock, Infinity, signal);
    expect(deadline.signal).toBe(signal);
    expect(deadline.remainingMs()).toBe(Infinity);
    expect(clock.pending).toBe(0);
    deadline.dispose();
  });

  test('ends its signal when it comes', async () => {
    const clock = createVirtualClock();
    const deadline = startDeadline(clock, 1_000, undefined);
    await clock.advance(400);
    expect(deadline.remainingMs()).toBe(600);
    expect(deadline.signal?.aborted).toBe(false);
    await clock.advance(600);
    expect(isDeadline(deadline.signal?.reason)).toBe(true);
  });

  test('passes the caller’s abort on, with its reason', () => {
    const controller = new AbortController();
    const deadline = startDeadline(createVirtualClock(), 1_000, controller.signal);
    controller.abort('enough');
    expect(deadline.signal?.reason).toBe('enough');
    expect(isDeadline(deadline.signal?.reason)).toBe(false);
  });

  test('is over from the start where the caller’s signal is', () => {
    const deadline = startDeadline(createVirtualClock(), 1_000, AbortSignal.abort('over'));
    expect(deadline.signal?.reason).toBe('over');
  });

  test('is counted on the time that does not jump', async () => {
    const clock = createVirtualClock();
    const deadline = startDeadline(clock, 1_000, undefined);
    clock.setWall(0);
    expect(deadline.remainingMs()).toBe(1_000);
  });

  test('leaves neither timer nor listener behind', () => {
    const clock = createVirtualClock();
    const { signal } = new AbortController();
    startDeadline(clock, 1_000, signal).dispose();
    expect(clock.pending).toBe(0);
    expect(getEventListeners(signal, 'abort')).toHaveLength(0);
  });
});

describe('two signals as one', () => {
  test('make nothing where one is absent', () => {
    const { signal } = new AbortController();
    expect([joinSignals(signal, undefined).signal, joinSignals(undefined, signal).signal]).toEqual([
      signal,
      signal,
    ]);
  });

  test.each([0, 1])('end with the reason of the first to end: %d', (which) => {
    const both = [new AbortController(), new AbortController()] as const;
    const { signal, dispose } = joinSignals(both[0].signal, both[1].signal);
    both[which]!.abort('enough');
    both[1 - which]!.abort('later');
    expect(signal?.reason).toBe('enough');
    dispose();
  });

  test('are over from the start where one of them is, and leave no listener behind', () => {
    const { signal } = new AbortController();
    const joined = joinSignals(signal, AbortSignal.abort('over'));
    expect(joined.signal?.reason).toBe('over');
    joined.dispose();
    expect(getEventListeners(signal, 'abort')).toHaveLength(0);
  });
});
