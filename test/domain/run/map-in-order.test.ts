import { expect, test } from 'vitest';
import { mapInOrder } from '../../../src/domain/checks.js';
import { settle } from '../../support/virtual-clock.js';
import { fakeDns } from '../fake-dns.js';
import { RESOLVER, worldOf } from '../world.js';

const OPTIONS = { dns: fakeDns(worldOf([])), resolvers: [RESOLVER] };

test('yields results in order, and runs at most `concurrency` at a time', async () => {
  let running = 0;
  let most = 0;
  const results: number[] = [];
  const work = async (turns: number): Promise<number> => {
    most = Math.max(most, (running += 1));
    for (let turn = 0; turn < turns; turn += 1) await settle();
    running -= 1;
    return turns;
  };
  for await (const result of mapInOrder([5, 1, 3, 0, 2], { ...OPTIONS, concurrency: 2 }, (_, turns) =>
    work(turns),
  )) {
    results.push(result);
  }
  expect(results).toEqual([5, 1, 3, 0, 2]);
  expect(most).toBe(2);
});

test('throws a failure in order', async () => {
  const results: number[] = [];
  const all = async (): Promise<void> => {
    for await (const result of mapInOrder([1, 2, 3], OPTIONS, (_, thing) =>
      thing === 2 ? Promise.reject(new Error('broken')) : Promise.resolve(thing),
    )) {
      results.push(result);
    }
  };
  await expect(all()).rejects.toThrow('broken');
  expect(results).toEqual([1]);
});
