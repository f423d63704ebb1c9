import { describe, expect, test } from 'vitest';
import { compareAndSwap } from '../../../src/client/gate/compare-and-swap.js';
import type { BudgetStore, Reading } from '../../../src/client/gate/gate-store.js';
import { rejection } from '../../support/stores.js';
import { createTestStorage, type TestStorage } from '../../support/test-storage.js';
import { createVirtualClock, type VirtualClock } from '../../support/virtual-clock.js';

/** Starts an update that appends a letter. `seen` lists each text that it read, and when it requested it. */
function append(storage: TestStorage, clock: VirtualClock, { rivals = 0, random = () => 0.5 } = {}) {
  const seen: [string | undefined, number][] = [];
  const createProposal = ({ text }: Reading, requestedAt: number) => {
    seen.push([text, requestedAt]);
    return { text: `${text ?? ''}a`, tries: seen.length };
  };
  const result = compareAndSwap(withRivals(storage, rivals), { clock, random }, createProposal);
  return { seen, result };
}

/** A store on which another process swaps first, for the given number of times. */
function withRivals(storage: TestStorage, rivals: number): BudgetStore {
  const [store, rival] = [storage.open('one'), storage.open('rival')];
  let left = rivals;
  return {
    ...store,
    async swap(seen, text, expiresInMs) {
      if (left > 0) {
        left -= 1;
        await rival.swap(seen, `${seen.text ?? ''}r`, expiresInMs);
      }
      return store.swap(seen, text, expiresInMs);
    },
  };
}

/** The delays of all timers but those of the time limit. */
const pausesOf = ({ delays }: VirtualClock): number[] => delays.filter((delayMs) => delayMs < 3_000);

describe('compareAndSwap', () => {
  test('does not write a proposal with the same text', async () => {
    const clock = createVirtualClock();
    const storage = createTestStorage(clock);
    storage.text = 'same';
    const ends = await compareAndSwap(storage.open('one'), { clock, random: Math.random }, () => ({
      text: 'same',
    }));
    expect([ends, storage.swaps]).toMatchObject([
      { accepted: { text: 'same' }, reading: { text: 'same', now: 5_000_000 } },
      0,
    ]);
  });

  test('pauses after several conflicts, longer each time, and reads again', async () => {
    const clock = createVirtualClock();
    const storage = createTestStorage(clock);
    const { seen, result } = append(storage, clock, { rivals: 8 });
    await clock.advance(7);
    storage.text = 'meanwhile';
    await clock.advance(200);
    await result;
    expect(pausesOf(clock)).toEqual([4, 8, 16, 25, 25]);
    expect(seen[4]).toEqual(['rrrr', 4]);
    expect(seen[5]).toEqual(['meanwhile', 12]);
  });

  test('rejects a store that never accepts a write, even if its clock stands still', async () => {
    const swap: BudgetStore['swap'] = (seen) => ({ swapped: false, reading: seen });
    const still = {
      now: () => 0,
      monotonic: () => 0,
      setTimeout(callback: () => void) {
        queueMicrotask(callback);
        return () => undefined;
      },
    };
    const store = { ...createTestStorage(createVirtualClock()).open('one'), swap };
    const result = compareAndSwap(store, { clock: still, random: () => 0.5 }, () => ({ text: 'a' }));
    expect(await rejection(result)).toEqual(new Error('Every write was rejected'));
  });

  test('accepts a write after 20 conflicts of files, however long they took', async () => {
    const clock = createVirtualClock();
    let time = 0;
    const busy = { ...clock, monotonic: () => (time += 200) };
    const storage = createTestStorage(clock);
    const { result } = append(storage, busy, { rivals: 19 });
    await clock.advance(1_000);
    expect((await result).accepted.tries).toBe(20);
    const late = rejection(append(storage, busy, { rivals: 25 }).result);
    await clock.advance(1_000);
    expect(await late).toEqual(new Error('Every write was rejected'));
  });

  test.each([
    [100, 'Every write was rejected', 9],
    [1_000, 'No response within 3000 ms', 1],
  ])(
    'is rejected after 3 s by a server whose responses take 2 × %i ms',
    async (latencyMs, message, swapsMax) => {
      const clock = createVirtualClock();
      const storage = createTestStorage(clock);
      storage.latencyMs = () => latencyMs;
      const late = rejection(append(storage, clock, { rivals: 1_000 }).result);
      await clock.advance(3_000);
      expect(await late).toEqual(new Error(message));
      await clock.advance(60_000);
      expect(storage.conflicts).toBeLessThanOrEqual(swapsMax);
    },
  );

  test('says that a server does not respond if it stops in a conflict', async () => {
    const clock = createVirtualClock();
    const storage = createTestStorage(clock);
    storage.latencyMs = () => (storage.conflicts === 0 ? 10 : 60_000);
    const late = rejection(append(storage, clock, { rivals: 1_000 }).result);
    await clock.advance(3_000);
    expect([storage.conflicts, await late]).toEqual([1, new Error('No response within 3000 ms')]);
  });

  test.each([
    ['has no time', { text: 'a', now: NaN }, 'The store returned an invalid reading'],
    ['has another type', { text: 5, now: 1 }, 'The store returned an invalid reading'],
    ['is missing', undefined, 'The store returned an invalid reading'],
    ['does not arrive', new Promise(() => undefined), 'No response within 3000 ms'],
  ])('rejects a reading that %s', async (_, reading, message) => {
    const clock = createVirtualClock();
    const store = { ...createTestStorage(clock).open('one'), read: () => reading as Reading };
    const result = rejection(compareAndSwap(store, { clock, random: () => 0.5 }, () => ({ text: 'a' })));
    await clock.advance(3_000);
    expect(await result).toEqual(new Error(message));
  });
});
