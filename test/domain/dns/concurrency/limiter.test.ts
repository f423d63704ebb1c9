import { describe, expect, test } from 'vitest';
import { stopSignalOf } from '../../../../src/domain/dns/concurrency/stop-signal.js';
import { createLimiter, createSemaphore } from '../../../../src/domain/dns/concurrency/limiter.js';
import { settle } from '../../../support/virtual-clock.js';

const never = stopSignalOf();

describe('a limiter', () => {
  test('runs work up to its limit, and more while a slot is released', async () => {
    const limiter = createLimiter(1);
    const log: string[] = [];
    let wake = (): void => undefined;
    const pause = new Promise<void>((resolve) => (wake = resolve));
    const first = limiter.run(async () => {
      log.push('first starts');
      await limiter.runReleased(() => pause);
      log.push('first resumes');
    });
    const second = limiter.run(async () => {
      log.push('second starts');
      await Promise.resolve();
      log.push('second ends');
      wake();
    });
    await Promise.all([first, second]);
    expect(log).toEqual(['first starts', 'second starts', 'second ends', 'first resumes']);
  });

  test('releases the slot after a failure', async () => {
    const limiter = createLimiter(1);
    await expect(limiter.run(() => Promise.reject(new Error('broken')))).rejects.toThrow('broken');
    await expect(limiter.run(() => Promise.resolve('next'))).resolves.toBe('next');
  });
});

describe('a semaphore', () => {
  test('is acquired up to its limit, then in the order of the queue', async () => {
    const semaphore = createSemaphore(2);
    const entered: number[] = [];
    const enter = (index: number): void => {
      void semaphore.acquire(never).then(() => entered.push(index));
    };
    for (let index = 0; index < 5; index += 1) enter(index);
    await settle();
    expect(entered).toEqual([0, 1]);
    semaphore.release();
    await settle();
    expect(entered).toEqual([0, 1, 2]);
    semaphore.release();
    semaphore.release();
    await settle();
    expect(entered).toEqual([0, 1, 2, 3, 4]);
    semaphore.release();
    semaphore.release();
    for (const index of [5, 6, 7]) enter(index);
    await settle();
    expect(entered).toEqual([0, 1, 2, 3, 4, 5, 6]);
  });

  test('is not acquired after a stop, and skips those that left the queue', async () => {
    const controller = new AbortController();
    const semaphore = createSemaphore(1);
    expect(await semaphore.acquire(never)).toBe(true);
    const stopped = semaphore.acquire(stopSignalOf(controller.signal));
    const waiting = semaphore.acquire(never);
    controller.abort();
    expect(await stopped).toBe(false);
    semaphore.release();
    expect(await waiting).toBe(true);
    expect(await semaphore.acquire(stopSignalOf(controller.signal))).toBe(false);
  });
});
