import { describe, expect, test } from 'vitest';
import { createStops } from '../../../src/domain/concurrency/stop.js';
import { createTurns } from '../../../src/domain/concurrency/turns.js';
import { settle } from '../../support/virtual-clock.js';

const never = createStops().join([]);

describe('turns', () => {
  test('are taken by so many, and by the others in their order', async () => {
    const turns = createTurns(2);
    const entered: number[] = [];
    for (let index = 0; index < 5; index += 1) void turns.take(never).then(() => entered.push(index));
    await settle();
    expect(entered).toEqual([0, 1]);
    turns.giveBack();
    await settle();
    expect(entered).toEqual([0, 1, 2]);
    turns.giveBack();
    turns.giveBack();
    await settle();
    expect(entered).toEqual([0, 1, 2, 3, 4]);
    turns.giveBack();
    turns.giveBack();
    void turns.take(never).then(() => entered.push(5));
    void turns.take(never).then(() => entered.push(6));
    void turns.take(never).then(() => entered.push(7));
    await settle();
    expect(entered).toEqual([0, 1, 2, 3, 4, 5, 6]);
  });

  test('are not had by one who is stopped, and wait for nobody who left', async () => {
    const controller = new AbortController();
    const turns = createTurns(1);
    expect(await turns.take(never)).toBe(true);
    const stopped = turns.take(createStops().join([controller.signal]));
    const patient = turns.take(never);
    controller.abort();
    expect(await stopped).toBe(false);
    turns.giveBack();
    expect(await patient).toBe(true);
    expect(await turns.take(createStops().join([controller.signal]))).toBe(false);
  });
});
