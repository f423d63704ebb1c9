import { describe, expect, test } from 'vitest';
import { exchange } from '../../../src/client/gate/exchange.js';
import type { Ledger, Reading, Swap } from '../../../src/client/gate/gate-store.js';
import { rejection } from '../../support/stores.js';
import { createTestPlace, type TestPlace } from '../../support/test-ledger.js';
import { createVirtualClock, type VirtualClock } from '../../support/virtual-clock.js';

/** An exchange that appends a letter, and what it read, when it asked and how it ended. */
function append(place: TestPlace, clock: VirtualClock, { rivals = 0, random = () => 0.5 } = {}) {
  const seen: [string | undefined, number][] = [];
  const propose = ({ text }: Reading, askedAt: number) => {
    seen.push([text, askedAt]);
    return { text: `${text ?? ''}a`, tries: seen.length };
  };
  const exchanged = exchange(rivalled(place, rivals), { clock, random }, propose);
  return { seen, exchanged };
}

/** A ledger to which others are quicker so many times. */
function rivalled(place: TestPlace, rivals: number): Ledger {
  const [ledger, rival] = [place.open('one'), place.open('rival')];
  let left = rivals;
  return {
    ...ledger,
    async swap(seen, text, expiresInMs) {
      if (left > 0) {
        left -= 1;
        await rival.swap(seen, `${seen.text ?? ''}r`, expiresInMs);
      }
      return ledger.swap(seen, text, expiresInMs);
    },
  };
}

/** The delays of all timers but those of the time limit. */
const pausesOf = ({ delays }: VirtualClock): number[] => delays.filter((delayMs) => delayMs < 10_000);

describe('an exchange', () => {
  test('swaps in what is proposed, and tells of that and of the ledger’s time', async () => {
    const clock = createVirtualClock();
    const place = createTestPlace(clock);
    place.latencyMs = () => 5;
    const { seen, exchanged } = append(place, clock);
    await clock.advance(20);
    expect(await exchanged).toEqual({ accepted: { text: 'a', tries: 1 }, now: 5_000_015 });
    expect([place.text, seen]).toEqual(['a', [[undefined, 0]]]);
  });

  test('swaps in nothing where that would change nothing', async () => {
    const clock = createVirtualClock();
    const place = createTestPlace(clock);
    place.text = 'same';
    const ends = await exchange(place.open('one'), { clock, random: Math.random }, () => ({ text: 'same' }));
    expect([ends, place.swaps]).toEqual([{ accepted: { text: 'same' }, now: 5_000_000 }, 0]);
  });

  test('proposes anew on what others left who were quicker, at once at first', async () => {
    const clock = createVirtualClock();
    const place = createTestPlace(clock);
    const { seen, exchanged } = append(place, clock, { rivals: 3 });
    await clock.advance(0);
    expect((await exchanged).accepted).toEqual({ text: 'rrra', tries: 4 });
    expect(seen.map(([text]) => text)).toEqual([undefined, 'r', 'rr', 'rrr']);
    expect([place.text, place.conflicts, pausesOf(clock)]).toEqual(['rrra', 3, []]);
  });

  test('steps back after that, for longer and longer, and reads anew', async () => {
    const clock = createVirtualClock();
    const place = createTestPlace(clock);
    const { seen, exchanged } = append(place, clock, { rivals: 8 });
    await clock.advance(7);
    place.text = 'meanwhile';
    await clock.advance(200);
    await exchanged;
    expect(pausesOf(clock)).toEqual([4, 8, 16, 25, 25]);
    expect(seen[4]).toEqual(['rrrr', 4]);
    expect(seen[5]).toEqual(['meanwhile', 12]);
  });

  test('ends with what the ledger fails with', async () => {
    const clock = createVirtualClock();
    const place = createTestPlace(clock);
    place.mode = 'fails';
    const { exchanged } = append(place, clock);
    expect(await rejection(exchanged)).toEqual(new Error('the place fails'));
  });

  test.each<[string, Partial<Ledger>]>([
    ['no reading', { read: () => undefined as unknown as Reading }],
    ['no valid time', { read: () => ({ text: undefined, version: '0', now: Number.NaN }) }],
    ['a text of another type', { read: () => ({ text: 5 as unknown as string, version: '0', now: 0 }) }],
    ['no swap', { swap: () => Promise.resolve(undefined as unknown as Swap) }],
  ])('rejects if the ledger returns %s', async (_, wrong) => {
    const clock = createVirtualClock();
    const ledger = { ...createTestPlace(clock).open('one'), ...wrong };
    const exchanged = exchange(ledger, { clock, random: () => 0.5 }, () => ({ text: 'a' }));
    expect(await rejection(exchanged)).toBeInstanceOf(Error);
  });

  test.each<[string, Partial<Ledger>]>([
    ['hangs', { read: () => new Promise<Reading>(() => undefined) }],
    ['rejects every write', { swap: (seen) => ({ swapped: false, reading: seen }) }],
  ])('rejects after ten seconds if the ledger %s', async (_, wrong) => {
    const clock = createVirtualClock();
    const ledger = { ...createTestPlace(clock).open('one'), ...wrong };
    const exchanged = exchange(ledger, { clock, random: () => 0.5 }, () => ({ text: 'a' }));
    const rejected = rejection(exchanged);
    await clock.advance(10_100);
    expect(await rejected).toBeInstanceOf(Error);
  });
});
