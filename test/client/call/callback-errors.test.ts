import { runInNewContext } from 'node:vm';
import { describe, expect, onTestFinished, test } from 'vitest';
import type { CallOptions, PetStoreOptions } from '../../../src/client/contract/options.js';
import type { PetStore } from '../../../src/client/contract/pet-store.js';
import { fetchTransport } from '../../../src/client/transport/fetch.js';
import type { Clock } from '../../../src/time/clock.js';
import { isPetStoreError } from '../../../src/errors.js';
import { NEW_PET, REX } from '../../support/rex.js';
import { json, startScriptedServer } from '../../support/scripted-server.js';
import { KEY, openScripted, openStore, rejection, type StoreUnderTest } from '../../support/stores.js';
import { createTestStorage } from '../../support/test-storage.js';
import { createVirtualClock, settle } from '../../support/virtual-clock.js';

/** Collects the warnings of the process with our name, and every error that would end it. */
function watchProcess(): { warnings: string[]; crashes: unknown[] } {
  const warnings: string[] = [];
  const crashes: unknown[] = [];
  const onWarning = (warning: Error): void => {
    if (warning.name === 'PetStoreWarning') warnings.push(warning.message);
  };
  const onCrash = (error: unknown): void => void crashes.push(error);
  const events = ['uncaughtException', 'unhandledRejection'] as const;
  const others = events.map((event) => [event, process.listeners(event as 'uncaughtException')] as const);
  for (const event of events) process.removeAllListeners(event).on(event, onCrash);
  process.on('warning', onWarning);
  onTestFinished(() => {
    process.off('warning', onWarning);
    for (const [event, listeners] of others) {
      process.removeAllListeners(event);
      for (const listener of listeners) process.on(event, listener);
    }
  });
  return { warnings, crashes };
}

const fail = (): never => {
  throw new Error(`broken with ${KEY}`);
};
const reject = (): Promise<never> => Promise.reject(new Error('broken'));
/** As of an async function in a `node:vm` context, such as in some test runners. */
const rejectInOtherRealm = runInNewContext(
  "async () => { throw new Error('broken'); }",
) as () => Promise<never>;

/** Thrown values that fail, change or never end when they are read. */
const UNREADABLE: readonly (readonly [string, () => unknown])[] = [
  ['message throws', () => Object.defineProperty(new Error(), 'message', { get: fail })],
  ['text throws', () => Object.create(null) as unknown],
  ['every property throws', () => new Proxy({}, { get: fail, has: fail, getPrototypeOf: fail })],
  [
    'causes are circular',
    () =>
      Object.defineProperty(new Error('x'), 'cause', {
        get(): unknown {
          return this;
        },
      }),
  ],
  ['causes never end', endlessError],
];

function endlessError(): Error {
  return Object.defineProperty(new Error(String(Math.random())), 'cause', { get: endlessError });
}

/** The ways in which a function of the caller fails with a value. */
const WAYS: readonly (readonly [string, (value: unknown) => unknown])[] = [
  [
    'throws',
    (value) => {
      throw value;
    },
  ],
  ['rejects', (value) => Promise.reject(value as Error)],
  [
    'returns a thenable that rejects',
    (value) => ({
      then: (_: unknown, no: (e: unknown) => void) => {
        no(value);
      },
    }),
  ],
];

/** The options with a function that fails. */
const FAILING: readonly (readonly [string, (f: () => unknown) => object])[] = [
  ['onEvent', (f) => ({ onEvent: f })],
  ['onWarning', (f) => ({ onWarning: f })],
  ['logger', (f) => ({ logger: { debug: f, warn: f } })],
  ['the gate in open', (f) => ({ gate: { ...ownGate(), open: f } })],
  ['the gate in read', (f) => ({ gate: ownGate({ read: f }) })],
  ['the gate in swap', (f) => ({ gate: ownGate({ swap: f }) })],
];

function ownGate(own: object = {}): object {
  const read = (): object => ({ text: undefined, version: '0', now: 0 });
  const swap = (): object => ({ swapped: true, reading: read() });
  const open = (): object => ({ holder: 'own', read, swap, ...own });
  return { id: `own ${String(Math.random())}`, open, close: fail };
}

describe.each(UNREADABLE)('a value whose %s', (_, create) => {
  test.each(WAYS.flatMap(([way, run]) => FAILING.map(([name, option]) => [way, name, run, option] as const)))(
    '%s in %s: the call succeeds, with one warning',
    async (__, ___, run, option) => {
      const watched = watchProcess();
      const server = await startScriptedServer(json([{ ...REX, status: 'adopted' }]));
      const { store, warnings } = openStore(
        server.baseUrl,
        option(() => run(create())),
      );
      expect(await store.pets.list()).toHaveLength(1);
      expect(await store.pets.list()).toHaveLength(1);
      await store.close();
      await settle();
      expect(watched.crashes).toEqual([]);
      const others = warnings.filter(({ code }) => code !== 'unknown-status');
      expect([...watched.warnings, ...others]).toHaveLength(1);
    },
  );

  test.each(WAYS)('%s in fetch: a typed error', async (__, run) => {
    const fetch = (() => run(create())) as unknown as typeof globalThis.fetch;
    const { store } = openStore('https://api.test/v1', {
      transport: fetchTransport(fetch),
      retry: { attemptsMax: 1 },
    });
    expect(isPetStoreError(await rejection(store.pets.create(NEW_PET)))).toBe(true);
  });
});

const OPTIONS: CallOptions = {
  timeoutMs: 1_000,
  deadlineMs: 5_000,
  retry: { attemptsMax: 1 },
  headers: { 'x-a': '1' },
  signal: new AbortController().signal,
  waitSignal: new AbortController().signal,
};

describe.each(Object.keys(OPTIONS) as (keyof CallOptions)[])('a getter of %s', (name) => {
  const options = (failsAt: number): CallOptions => {
    let reads = 0;
    const get = (): unknown => ((reads += 1) === failsAt ? fail() : OPTIONS[name]);
    return Object.defineProperty({ ...OPTIONS }, name, { enumerable: true, get });
  };
  const methods: [string, (store: PetStore, failsAt: number) => Promise<unknown>][] = [
    ['list', (store, failsAt) => store.pets.list({}, options(failsAt))],
    ['listAll', (store, failsAt) => store.pets.listAll({}, options(failsAt))],
    ['request', (store, failsAt) => store.request('GET', '/pets', {}, options(failsAt))],
  ];

  test.each(methods)('is read once by %s, which leaves no timer if it throws', async (_, call) => {
    const { store, clock } = await openScripted([json([])]);
    expect(await rejection(call(store, 1))).toMatchObject({ type: 'invalid-input', field: name });
    await call(store, 2);
    expect(clock.pending).toBe(0);
    await store.close();
  });
});

test('headers that change after they were checked can not replace the key', async () => {
  const { server, store } = await openScripted([json([])]);
  let reads = 0;
  const headers = {
    *[Symbol.iterator]() {
      yield [(reads += 1) === 1 ? 'x-a' : 'authorization', 'Bearer other'] as const;
    },
  };
  expect(await rejection(store.pets.list({}, { headers }))).toMatchObject({ option: 'headers' });
  expect(server.requests).toEqual([]);
});

test.each([
  ['throws', fail],
  ['rejects', reject],
])('a gate whose isDead %s takes no process for dead, and an outage is still reported', async (_, isDead) => {
  const watched = watchProcess();
  const clock = createVirtualClock();
  const storage = createTestStorage(clock);
  const open = (holder: string, more = {}): StoreUnderTest => {
    const gate = { id: holder, open: () => ({ ...storage.open(holder), ...more }), close: reject };
    const fetch = (): Promise<Response> =>
      holder === 'one' ? new Promise(() => undefined) : Promise.resolve(new Response('[]'));
    return openStore('https://api.test/v1', { clock, gate, pace: 'off', transport: fetchTransport(fetch) });
  };
  // Its request stays in flight.
  void open('one')
    .store.pets.list()
    .catch(() => undefined);
  await settle();
  const { store, warnings } = open('two', { isDead });
  for (const mode of ['works', 'works', 'fails'] as const) {
    storage.mode = mode;
    expect(await store.pets.list()).toEqual([]);
    await settle();
  }
  expect(warnings).toEqual([
    { code: 'gate-degraded', message: expect.stringContaining('limited to this process') },
  ]);
  expect(watched.crashes).toEqual([]);
});

describe('an error of a callback does not reach a call, and is reported once', () => {
  test.each<[string, Partial<Record<keyof PetStoreOptions, unknown>>]>([
    ['onEvent', { onEvent: fail }],
    ['onEvent', { onEvent: reject }],
    ['onEvent', { onEvent: rejectInOtherRealm }],
    ['logger', { logger: { debug: fail, warn: fail } }],
    ['logger', { logger: { debug: reject, warn: reject } }],
    ['onWarning', { onWarning: fail }],
    ['onWarning', { onWarning: reject }],
  ])('%s', async (name, options) => {
    const watched = watchProcess();
    const { store, warnings } = await openScripted([json([{ ...REX, status: 'adopted' }])], options as never);
    expect(await store.pets.list()).toHaveLength(1);
    expect(await store.pets.list()).toHaveLength(1);
    await settle();
    expect(watched.crashes).toEqual([]);
    const others = warnings.filter(({ code }) => code === 'callback-failed').map(({ message }) => message);
    const [reported, ...more] = name === 'onWarning' ? watched.warnings : others;
    expect(more).toEqual([]);
    expect(name === 'onWarning' ? others : watched.warnings).toEqual([]);
    expect(reported).toMatch(
      new RegExp(
        `^The option ${name} failed \\(broken.*\\)\\. Calls continue\\. Its later errors are not reported\\.$`,
      ),
    );
    expect(reported).not.toContain(KEY);
  });

  test.each([[() => NaN], [() => 1], [() => -1], [() => 'x'], [fail]])('random: %s', async (random) => {
    const watched = watchProcess();
    const { store, clock, events, warnings } = await openScripted([json({}, 503), json([])], {
      random: random as () => number,
    });
    const call = store.pets.list();
    while (!events.some(({ type }) => type === 'wait')) await settle();
    await clock.advance(1_000);
    expect(await call).toEqual([]);
    await settle();
    expect(watched).toMatchObject({ crashes: [], warnings: [] });
    const reason = random === fail ? 'broken with [redacted]' : 'it must return a number from 0 to below 1';
    const message = `The option random failed (${reason}). Calls continue. Its later errors are not reported.`;
    expect(warnings).toEqual([{ code: 'callback-failed', message }]);
  });
});

test.each<[string, () => never | Promise<never>]>([
  ['throws', fail],
  ['rejects', reject],
])('an apiKey function that %s rejects calls and budget()', async (_, apiKey) => {
  const { store } = openStore('https://api.test/v1', { apiKey });
  for (const call of [store.pets.list(), store.budget()])
    expect(await rejection(call)).toMatchObject({ type: 'configuration', option: 'apiKey' });
});

describe('a clock that fails later', () => {
  const methods = ['now', 'monotonic', 'setTimeout'] as const;
  test.each(methods)('in %s rejects with a typed error', async (method) => {
    const watched = watchProcess();
    const server = await startScriptedServer(json(REX, 201));
    let isBroken = false;
    const virtual = createVirtualClock();
    const clock: Clock = {
      now: () => (isBroken && method === 'now' ? fail() : virtual.now()),
      monotonic: () => (isBroken && method === 'monotonic' ? fail() : virtual.monotonic()),
      setTimeout: (...args) => (isBroken && method === 'setTimeout' ? fail() : virtual.setTimeout(...args)),
    };
    const { store } = openStore(server.baseUrl, { clock: clock as never });
    isBroken = true;
    const error = await rejection(store.pets.create(NEW_PET));
    expect(isPetStoreError(error)).toBe(true);
    expect(String(error)).not.toContain(KEY);
    await settle();
    expect(watched.crashes).toEqual([]);
  });

  test('leaves the outcome of a POST unknown after it was sent', async () => {
    const virtual = createVirtualClock();
    let isBroken = false;
    const clock = { ...virtual, now: () => (isBroken ? fail() : virtual.now()) };
    const transport = fetchTransport(() => {
      isBroken = true;
      return Promise.resolve(new Response('{}', { status: 201 }));
    });
    const { store } = openStore('https://api.test/v1', { clock, transport });
    expect(await rejection(store.pets.create(NEW_PET))).toMatchObject({
      type: 'unknown-outcome',
      attempts: [{ status: 201 }],
      request: { method: 'POST' },
      cause: { type: 'configuration', outcome: 'unknown' },
    });
    expect(await rejection(store.pets.create(NEW_PET))).toMatchObject({
      type: 'configuration',
      attempts: [],
      outcome: 'not-sent',
      message: expect.stringMatching(/^An option of the client failed/),
    });
  });
});
