import { describe, expect, test } from 'vitest';
import { createStopSignals } from '../../../src/domain/concurrency/stop-signal.js';
import { createSemaphore } from '../../../src/domain/concurrency/limiter.js';
import { settle } from '../../support/virtual-clock.js';

const never = createStopSignals().join([]);

describe('turns', () => {
  test('are taken by so many, and by the others in their order', async () => {
    const turns = createSemaphore(2);
    const entered: number[] = [];
    for (let index = 0; index < 5; index += 1) void turns.acquire(never).then(() => entered.push(index));
    await settle();
    expect(entered).toEqual([0, 1]);
    turns.release();
    await settle();
    expect(entered).toEqual([0, 1, 2]);
    turns.release();
    turns.release();
    await settle();
    expect(entered).toEqual([0, 1, 2, 3, 4]);
    turns.release();
    turns.release();
    void turns.acquire(never).then(() => entered.push(5));
    void turns.acquire(never).then(() => entered.push(6));
    void turns.acquire(never).then(() => entered.push(7));
    await settle();
    expect(entered).toEqual([0, 1, 2, 3, 4, 5, 6]);
  });

  test('are not had by one who is stopped, and wait for nobody who left', async () => {
    const controller = new AbortController();
    const turns = createSemaphore(1);
    expect(await turns.acquire(never)).toBe(true);
    const stopped = turns.acquire(createStopSignals().join([controller.signal]));
    const patient = turns.acquire(never);
    controller.abort();
    expect(await stopped).toBe(false);
    turns.release();
    expect(await patient).toBe(true);
    expect(await turns.acquire(createStopSignals().join([controller.signal]))).toBe(false);
  });
});
