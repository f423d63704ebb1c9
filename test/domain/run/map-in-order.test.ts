import { expect, test } from 'vitest';
import { mapInOrder } from '../../../src/domain/run/checks.js';
import { fakeDns } from '../fake-dns.js';
import { RESOLVER, worldOf } from '../world.js';

const OPTIONS = { dns: fakeDns(worldOf([])), resolvers: [RESOLVER] };

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
