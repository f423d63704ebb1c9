import { getEventListeners } from 'node:events';
import { describe, expect, test } from 'vitest';
import { sleep } from '../../../src/client/time/sleep.js';
import { rejection } from '../../support/stores.js';
import { createVirtualClock } from '../../support/virtual-clock.js';

describe('sleep', () => {
  test('lasts as long as it is told and not less', async () => {
    const clock = createVirtualClock();
    let awake = false;
    const slept = sleep(clock, 1_000).then(() => (awake = true));
    await clock.advance(999);
    expect(awake).toBe(false);
    await clock.advance(1);
    expect(awake).toBe(true);
    await slept;
  });

  test('ends at once with the caller’s own reason, and leaves nothing behind', async () => {
    const clock = createVirtualClock();
    const controller = new AbortController();
    const slept = rejection(sleep(clock, 1_000, controller.signal));
    const reason = new Error('enough');
    controller.abort(reason);
    expect(await slept).toBe(reason);
    expect(clock.monotonic()).toBe(0);
    expect(clock.pending).toBe(0);
    expect(getEventListeners(controller.signal, 'abort')).toHaveLength(0);
  });

  test('does not begin where the signal is aborted already', async () => {
    const clock = createVirtualClock();
    expect(await rejection(sleep(clock, 1_000, AbortSignal.abort('over')))).toBe('over');
    expect(clock.delays).toEqual([]);
  });

  test('takes its listener along when it ends by itself', async () => {
    const clock = createVirtualClock();
    const { signal } = new AbortController();
    const slept = sleep(clock, 10, signal);
    await clock.advance(10);
    await slept;
    expect(getEventListeners(signal, 'abort')).toHaveLength(0);
  });
});
