import { expect, test } from 'vitest';
import { mockTime } from '../../../src/mock/ui/state/mock-time.js';
import { createPageStore } from '../../../src/mock/ui/state/page-store.js';

const ENTRY = { sequence: 1, at: '2026-11-21T12:00:00.000Z', method: 'POST', path: '/pets' };

const stateWith = (...faults: string[]): object => ({
  instance: 'mock',
  faults: faults.map((spec, id) => ({ id, spec })),
  tenants: [{ tenant: 1 }, { tenant: 2 }],
});

/** A store whose requests are answered by hand, in any order. */
function setUp() {
  const pending: { path: string; respond: (body: unknown) => void; fail: (error: Error) => void }[] = [];
  const timers: (() => void)[] = [];
  const send = (_method: string, path: string): Promise<unknown> =>
    new Promise((respond, fail) => pending.push({ path, respond, fail }));
  const store = createPageStore({
    api: { send },
    now: () => 0,
    setTimeout: (callback) => timers.push(callback),
    draw: () => undefined,
  });
  const takeRequest = (path: string) => {
    const index = pending.findLastIndex((request) => request.path === path);
    expect(index, `a request of ${path}`).toBeGreaterThanOrEqual(0);
    return pending.splice(index, 1)[0]!;
  };
  const settle = (): Promise<void> => new Promise((resolve) => void setImmediate(resolve));
  return {
    store,
    shown: () => store.model.faults.map(({ spec }) => spec),
    connect: () => store.receiveState(JSON.stringify({ changed: 'connected', state: stateWith() })),
    clearJournal: () => store.receiveState(JSON.stringify({ changed: 'journal', state: stateWith() })),
    receiveState: (...faults: string[]) => {
      store.receiveState(JSON.stringify({ changed: 'faults', state: stateWith(...faults) }));
    },
    /** Requests are shown after an interval, together. */
    queueRequest(sequence: number) {
      store.receiveRequest(JSON.stringify({ entry: { ...ENTRY, sequence }, delayMs: 0 }));
    },
    async receiveRequest(sequence = 1) {
      this.queueRequest(sequence);
      for (const callback of timers.splice(0)) callback();
      await settle();
    },
    /** Responds to the newest request of this path. */
    async respond(path: string, body: unknown) {
      takeRequest(path).respond(body);
      await settle();
    },
    async fail(path: string) {
      takeRequest(path).fail(new Error('The mock does not respond.'));
      await settle();
    },
  };
}

test('a late response does not replace a newer state', async () => {
  const run = setUp();
  run.receiveState();
  await run.receiveRequest();
  run.receiveState('slow');
  await run.respond('/state', stateWith());
  expect(run.shown()).toEqual(['slow']);
  await run.receiveRequest();
  await run.respond('/state', stateWith('slow', 'outage'));
  expect(run.shown()).toEqual(['slow', 'outage']);
});

test('a late response does not replace newer faults of the selected key', async () => {
  const { store, shown, receiveState, respond } = setUp();
  receiveState('outage');
  store.selectTenant(2);
  receiveState('outage');
  const faults = (...specs: string[]) => ({ faults: specs.map((spec) => ({ spec })) });
  await respond('/faults?tenant=2', faults('new'));
  await respond('/faults?tenant=2', faults('old'));
  expect(shown()).toEqual(['new']);
  receiveState('outage');
  store.selectTenant(undefined);
  await respond('/faults?tenant=2', faults('of the key'));
  expect(shown()).toEqual(['outage']);
});

test('the latency of an event does not move the clock back', () => {
  const { store } = setUp();
  const times = ['12:00:05.200', '12:00:05.150', '12:00:06.000', '11:00:00.000'].map((time) => {
    const state = { ...stateWith(), now: `2026-11-21T${time}Z`, clockFrozen: false, clockOffsetMs: 0 };
    store.receiveState(JSON.stringify({ changed: 'clock', state }));
    return new Date(mockTime(store.model, 0).now).toISOString().slice(11, 23);
  });
  expect(times).toEqual(['12:00:05.200', '12:00:05.200', '12:00:06.000', '11:00:00.000']);
});

test('a request that arrives while the journal is loading is kept, also if the journal no longer has it', async () => {
  const run = setUp();
  run.connect();
  await run.receiveRequest(1);
  await run.receiveRequest(2);
  await run.respond('/journal?limit=1000', { entries: [{ ...ENTRY, sequence: 2 }] });
  expect(run.store.model.log.all.map(({ entry }) => entry.sequence)).toEqual([1, 2]);
});

test('a request that arrives just before its removal from the journal is not shown', async () => {
  const { store, clearJournal, queueRequest, respond } = setUp();
  queueRequest(1);
  queueRequest(2);
  clearJournal();
  queueRequest(3);
  await respond('/journal?limit=1000', { entries: [{ ...ENTRY, sequence: 2 }] });
  expect(store.model.log.all.map(({ entry }) => entry.sequence)).toEqual([2, 3]);
});

test('a request that arrives just before the journal fails to load is shown', async () => {
  const run = setUp();
  run.queueRequest(1);
  run.connect();
  await run.fail('/journal?limit=1000');
  await run.receiveRequest(2);
  expect(run.store.model.failure).toBe('The mock does not respond.');
  expect(run.store.model.log.all.map(({ entry }) => entry.sequence)).toEqual([1, 2]);
});
