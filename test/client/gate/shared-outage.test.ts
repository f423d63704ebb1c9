import { describe, expect, test } from 'vitest';
import type { CallOptions } from '../../../src/client/contract/options.js';
import { fetchTransport } from '../../../src/client/transport/fetch.js';
import type { GateStore, BudgetStore, Reading, Swap } from '../../../src/client/gate/gate-store.js';
import { openStore, rejection } from '../../support/stores.js';
import { createTestStorage } from '../../support/test-storage.js';
import { createVirtualClock, NOON, type VirtualClock } from '../../support/virtual-clock.js';
import { acquire, openProcesses, responseWith } from './shared-processes.js';

describe('a gate whose store', () => {
  test('fails: the budget is in memory, with one warning, and a 429 is stored when the store works again', async () => {
    const { clock, storage, failures, process, report } = openProcesses();
    const [one, other] = [process('one'), process('other')];
    await report(one, { kind: 'response' });
    storage.mode = 'fails';
    await report(one, { kind: 'rate-limited', holdMs: 20_000, retryAfterMs: 20_000 });
    expect(failures).toHaveLength(1);
    storage.mode = 'works';
    const waiting = acquire(one);
    await clock.advance(3_000);
    await one.readBudget();
    const entry = acquire(other);
    await clock.advance(10_000);
    expect([waiting.permit, entry.permit]).toEqual([undefined, undefined]);
    await clock.advance(10_000);
    expect([waiting.permit, entry.permit].filter(Boolean)).toHaveLength(1);
  });

  test('has lost or changed its text: the known budget is stored again, with a warning', async () => {
    const { clock, storage, failures, process, report } = openProcesses();
    const gate = process('one');
    await report(gate, { kind: 'response' });
    acquire(process('other'));
    await clock.advance(0);
    await report(gate, { kind: 'rate-limited', holdMs: 20_000, retryAfterMs: 20_000 });
    expect(storage.text).toContain('"holder":"other"');
    for (const text of ['nonsense', undefined]) {
      storage.text = text;
      const entry = acquire(gate);
      await clock.advance(5_000);
      expect(entry.permit).toBeUndefined();
    }
    expect(failures).toHaveLength(1);
    expect(storage.text).toContain('"consecutive429Count":1');
    expect(storage.text).not.toContain('"holder":"other"');
  });

  test('is slow: all reports are stored after a flush', async () => {
    const { clock, storage, process } = openProcesses();
    storage.latencyMs = () => 5;
    const gate = process('one');
    const entry = acquire(gate);
    await clock.advance(100);
    entry.permit?.release(responseWith(7));
    const flushed = gate.flush();
    await clock.advance(100);
    await flushed;
    expect(storage.text).toContain('"remaining":7');
    expect(gate.rateLimit?.remaining).toBe(7);
    expect(gate.isIdle).toBe(true);
  });
});

describe('an invalid store makes no call fail or hang, and causes one warning', () => {
  const BROKEN = new Error('no such directory');
  const fail = (): never => {
    throw BROKEN;
  };
  const working: BudgetStore = createTestStorage(createVirtualClock()).open('one');
  test.each<[string, () => BudgetStore]>([
    ['opening fails', fail],
    ['the holder is invalid', () => ({ ...working, holder: '' })],
    ['reading throws', () => ({ ...working, read: fail })],
    ['reading rejects', () => ({ ...working, read: () => Promise.reject(BROKEN) })],
    ['reading hangs', () => ({ ...working, read: () => new Promise<Reading>(() => undefined) })],
    ['reading returns nothing', () => ({ ...working, read: () => undefined as unknown as Reading })],
    [
      'the time is not a number',
      () => ({ ...working, read: () => ({ text: undefined, version: '', now: NaN }) }),
    ],
    ['writing never ends', () => ({ ...working, swap: () => new Promise<Swap>(() => undefined) })],
    ['writing throws', () => ({ ...working, swap: fail })],
    ['writing never succeeds', () => ({ ...working, swap: (seen) => ({ swapped: false, reading: seen }) })],
    ['writing returns nothing', () => ({ ...working, swap: () => undefined as unknown as Swap })],
  ])('%s', async (_, open) => {
    const clock = createVirtualClock(NOON);
    const { store, warnings } = openStore('https://api.test/v1', {
      clock,
      transport: fetchTransport(() => Promise.resolve(new Response('[]'))),
      gate: { id: 'test', open, close: () => Promise.resolve() },
    });
    const calls = [store.pets.list(), store.pets.list()];
    const budget = store.budget();
    await clock.advance(7_000);
    expect(await Promise.all(calls)).toEqual([[], []]);
    expect((await budget).heldForMs).toBe(0);
    expect(warnings).toMatchObject([{ code: 'gate-degraded' }]);
  });
});

test.each<[string, (store: BudgetStore) => Promise<Swap>]>([
  ['an error', () => Promise.reject(new Error('the server is a read-only replica'))],
  ['a conflict', async (store) => ({ swapped: false, reading: await store.read() })],
])('a server that rejects every write with %s delays a minute of calls by 3 s in all', async (_, reject) => {
  const clock = createVirtualClock(NOON);
  const storage = createTestStorage(clock);
  storage.latencyMs = () => 100;
  let isRejecting = false;
  const open = (): BudgetStore => {
    const store = storage.open('one');
    return { ...store, swap: (...swap) => (isRejecting ? reject(store) : store.swap(...swap)) };
  };
  const { store, warnings } = openStore('https://api.test/v1', {
    clock,
    transport: fetchTransport(() => Promise.resolve(new Response('[]'))),
    gate: { id: 'test', open, close: () => Promise.resolve() },
  });
  const first = store.pets.list();
  await clock.advance(1_000);
  await first;
  isRejecting = true;
  let delayMs = 0;
  for (let second = 0; second < 60; second += 1) {
    const startedAt = clock.monotonic();
    const call = store.pets.list().then(() => (delayMs += clock.monotonic() - startedAt));
    await clock.advance(second === 0 ? 5_000 : 1_000);
    await call;
  }
  expect(delayMs).toBeLessThanOrEqual(3_000);
  expect(warnings).toMatchObject([{ code: 'gate-degraded' }]);
  isRejecting = false;
  await callEachSecond(clock, { store }, 15);
  expect(warnings).toMatchObject([{ code: 'gate-degraded' }, { code: 'gate-restored' }]);
});

async function callEachSecond(
  clock: VirtualClock,
  { store }: Pick<ReturnType<typeof openStore>, 'store'>,
  seconds: number,
): Promise<void> {
  for (let second = 0; second < seconds; second += 1) {
    const call = store.pets.list();
    await clock.advance(1_000);
    await call;
  }
}

test('a store that works again is used within 15 seconds, with one warning for the outage and one for its end', async () => {
  for (const random of [0, 0.999]) {
    const clock = createVirtualClock(NOON);
    const storage = createTestStorage(clock);
    const client = openStore('https://api.test/v1', {
      clock,
      random: () => random,
      transport: fetchTransport(() => Promise.resolve(new Response('[]'))),
      gate: { id: 'test', open: () => storage.open('one'), close: () => Promise.resolve() },
    });
    for (const outageS of [40, 3]) {
      storage.mode = 'fails';
      await callEachSecond(clock, client, outageS);
      storage.mode = 'works';
      await callEachSecond(clock, client, 15);
    }
    const outage = [
      { code: 'gate-degraded', message: expect.stringMatching(/limited to this process\.$/) as string },
      { code: 'gate-restored', message: 'The shared rate limit works again.' },
    ];
    expect(client.warnings).toEqual([...outage, ...outage]);
  }
});

test('a client that reported an outage reports its end, also if its key has a newer client, and after damage', async () => {
  const clock = createVirtualClock(NOON);
  const storage = createTestStorage(clock);
  const options = {
    clock,
    transport: fetchTransport(() => Promise.resolve(new Response('[]'))),
    gate: { id: 'test', open: () => storage.open('one'), close: () => Promise.resolve() },
  };
  const first = openStore('https://api.test/v1', options);
  await callEachSecond(clock, first, 1);
  storage.text = 'nonsense';
  await callEachSecond(clock, first, 1);
  storage.mode = 'fails';
  await callEachSecond(clock, first, 3);
  const second = openStore('https://api.test/v1', options);
  storage.mode = 'works';
  await callEachSecond(clock, second, 15);
  const messages = first.warnings.map(({ code, message }) => `${code}: ${message}`);
  expect(messages).toEqual([
    expect.stringMatching(/^gate-degraded: .* damaged/),
    expect.stringMatching(/^gate-degraded: .* failed/),
    'gate-restored: The shared rate limit works again.',
  ]);
  expect(second.warnings).toEqual([]);
});

describe('a call at a store that hangs', () => {
  const never = <T>(): Promise<T> => new Promise<T>(() => undefined);
  const hanging = (close: GateStore['close']): GateStore => ({
    id: 'hanging',
    open: () => ({ holder: 'me', read: never<Reading>, swap: never<Swap> }),
    close,
  });
  const openHanging = (close: GateStore['close'] = () => Promise.resolve()) => {
    const clock = createVirtualClock(NOON);
    const transport = fetchTransport(() => Promise.resolve(new Response('[]')));
    return { ...openStore('https://api.test/v1', { clock, transport, gate: hanging(close) }), clock };
  };

  test.each<[string, (signal: AbortSignal) => CallOptions, string]>([
    ['signal', (signal) => ({ signal }), 'aborted'],
    ['waitSignal', (waitSignal) => ({ waitSignal }), 'aborted'],
    ['deadlineMs', () => ({ deadlineMs: 100 }), 'timeout'],
  ])('ends with its %s', async (_, options, type) => {
    const { store, clock } = openHanging();
    const controller = new AbortController();
    const ended = rejection(store.pets.list({}, options(controller.signal)));
    await clock.advance(100);
    controller.abort();
    expect(await ended).toMatchObject({ type });
    expect(clock.monotonic()).toBe(100);
    await clock.advance(3_000);
  });

  const once = (close: () => Promise<void>): (() => Promise<void>) => {
    let count = 0;
    return () => ((count += 1) === 1 ? close() : Promise.resolve());
  };

  test.each<[string, () => Promise<void>]>([
    // The helper closes the client once more.
    ['hangs as well', once(() => never<never>())],
    ['rejects', () => Promise.reject(new Error('no'))],
    [
      'throws',
      () => {
        throw new Error('no');
      },
    ],
    ['is missing', undefined as unknown as () => Promise<void>],
  ])('lets the client close, even if its close() %s', async (_, close) => {
    const { store, clock } = openHanging(close);
    const controller = new AbortController();
    const ended = rejection(store.pets.list({}, { signal: controller.signal }));
    await clock.advance(100);
    controller.abort();
    const closed = store.close();
    await clock.advance(6_100);
    await Promise.all([ended, closed]);
  });
});
