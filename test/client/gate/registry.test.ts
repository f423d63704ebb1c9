import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { inspect } from 'node:util';
import ts from 'typescript';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import type { GateReport } from '../../../src/client/gate/budget/budget-counting.js';
import type { Gate } from '../../../src/client/gate/gate.js';
import type { GateStore } from '../../../src/client/gate/gate-store.js';
import { budgetName, findGate, type GateOptions } from '../../../src/client/gate/registry.js';
import type { PetStoreOptions } from '../../../src/client/contract/options.js';
import type * as index from '../../../src/index.js';
import { limited, startScriptedServer } from '../../support/scripted-server.js';
import { KEY, rejection } from '../../support/stores.js';
import { createTestStorage } from '../../support/test-storage.js';
import { createVirtualClock, NOON } from '../../support/virtual-clock.js';

const GATES = Symbol.for('petstore.gates');
const ORIGIN = 'https://api.test';
const REQUEST = { level: 0, onWait: () => undefined };
const USED_UP: GateReport = {
  kind: 'response',
  rateLimit: { limit: 60, remaining: 0, resetAt: NOON + 60_000 },
  untilResetMs: 60_000,
};

const sharedGate = (
  service: object,
  clock: GateOptions['clock'],
  origin: string,
  key: string,
  store?: GateOptions['store'],
): Gate => findGate({ service, clock, random: () => 0, origin, store, onFailure: () => undefined }, key);

const report = async (gate: Gate, outcome: GateReport): Promise<void> => {
  (await gate.acquire(REQUEST)).release(outcome);
};

describe('the gates of a process', () => {
  const service = {};
  const clock = createVirtualClock();
  const gate = sharedGate(service, clock, ORIGIN, 'one');

  test('are shared by clients with the same service, clock, origin and key', () => {
    expect(sharedGate(service, clock, ORIGIN, 'one')).toBe(gate);
  });

  test.each([
    ['key', () => sharedGate(service, clock, ORIGIN, 'two')],
    ['origin', () => sharedGate(service, clock, 'https://other.test', 'one')],
    ['clock', () => sharedGate(service, createVirtualClock(), ORIGIN, 'one')],
    ['service', () => sharedGate({}, clock, ORIGIN, 'one')],
  ])('are separate by %s', (_, other) => {
    expect(other()).not.toBe(gate);
  });

  test.each<[string, (gate: Gate) => Promise<void>]>([
    ['met a 429', (busy) => report(busy, { kind: 'rate-limited', holdMs: 60_000, retryAfterMs: 60_000 })],
    ['has used up its budget', (busy) => report(busy, USED_UP)],
    ['has a request in flight', (busy) => Promise.resolve(void busy.acquire(REQUEST))],
  ])('are dropped when there are many, except one that %s', async (_, occupy) => {
    const crowd = {};
    const idle = sharedGate(crowd, clock, ORIGIN, 'idle');
    const busy = sharedGate(crowd, clock, ORIGIN, 'busy');
    await occupy(busy);
    for (let count = 0; count < 1_000; count += 1) sharedGate(crowd, clock, ORIGIN, `key ${String(count)}`);
    expect(sharedGate(crowd, clock, ORIGIN, 'busy')).toBe(busy);
    expect(sharedGate(crowd, clock, ORIGIN, 'idle')).not.toBe(idle);
  });
});

test('do not show the keys to a debugger', () => {
  const service = {};
  const tables: unknown[] = [];
  const { set } = WeakMap.prototype;
  vi.spyOn(WeakMap.prototype, 'set').mockImplementation(function (this: WeakMap<object, unknown>, ...entry) {
    tables.push(this, entry[1]);
    return set.apply(this, entry);
  });
  onTestFinished(() => void vi.restoreAllMocks());
  const gate = sharedGate(service, createVirtualClock(), ORIGIN, 'sk-secret');
  expect(tables).not.toHaveLength(0);
  expect(inspect([gate, tables], { depth: 20, showHidden: true })).not.toContain('sk-secret');
});

describe('gates with a store', () => {
  const clock = createVirtualClock();
  const service = {};
  const opened: string[] = [];
  const storeOf = (id: string): GateStore => ({
    id,
    open(budget) {
      opened.push(budget);
      return createTestStorage(clock).open('me');
    },
    close: () => Promise.resolve(),
  });

  test('are shared by stores with the same id only', () => {
    const gate = sharedGate(service, clock, ORIGIN, 'one', storeOf('a'));
    expect(sharedGate(service, clock, ORIGIN, 'one', storeOf('a'))).toBe(gate);
    expect(sharedGate(service, clock, ORIGIN, 'one', storeOf('b'))).not.toBe(gate);
    expect(sharedGate(service, clock, ORIGIN, 'one')).not.toBe(gate);
    for (const name of opened) expect(name).toMatch(/^[0-9a-f]{32}$/);
  });

  test('report a failure to the client created last', async () => {
    const storage = createTestStorage(clock);
    const store: GateStore = { ...storeOf('c'), open: () => storage.open('me') };
    const reported: string[] = [];
    const find = (name: string): Gate =>
      findGate(
        { service, clock, random: () => 0, origin: ORIGIN, store, onFailure: () => void reported.push(name) },
        'key',
      );
    find('first');
    const gate = find('second');
    storage.mode = 'fails';
    (await gate.acquire(REQUEST)).release({ kind: 'response' });
    expect(reported).toEqual(['second']);
  });
});

describe('two copies of the package in one process', () => {
  const options = { apiKey: KEY, retry: { waitMaxMs: 0 } };
  /** Loads another copy of the package. */
  const copy = (): Promise<typeof index> => {
    vi.resetModules();
    return import('../../../src/index.js');
  };

  test.each<[string, (first: typeof index) => Partial<PetStoreOptions>]>([
    ['of the process', () => ({})],
    ['of the process, with fetch', () => ({ fetch: globalThis.fetch })],
    ['of a memoryGate() of one copy', ({ memoryGate }) => ({ gate: memoryGate() })],
  ])('share the budget %s', async (_, more) => {
    const server = await startScriptedServer(limited({ 'retry-after': '60' }));
    const [first, second] = [await copy(), await copy()];
    expect(first.createPetStore).not.toBe(second.createPetStore);
    const shared = { ...options, baseUrl: server.baseUrl, ...more(first) };
    const [one, other] = [first.createPetStore(shared), second.createPetStore(shared)];
    for (const store of [one, other])
      expect(await rejection(store.pets.list())).toMatchObject({ type: 'rate-limit' });
    expect(server.requests).toHaveLength(1);
    expect(await other.resetBudget()).toBe(true);
    await Promise.all([one.close(), other.close()]);
  });

  test('with other formats do not share it, with one warning', async () => {
    const holder = globalThis as { [GATES]?: unknown };
    const before = holder[GATES];
    onTestFinished(() => {
      holder[GATES] = before;
    });
    const server = await startScriptedServer(limited({ 'retry-after': '60' }));
    const first = await copy();
    const second = await copy();
    const warnings: string[] = [];
    const onWarning = ({ message }: { message: string }): void => void warnings.push(message);
    const shared = { ...options, baseUrl: server.baseUrl, onWarning };
    await rejection(first.createPetStore(shared).pets.list());
    expect(warnings).toEqual([]);
    holder[GATES] = { format: 0 };
    for (let count = 0; count < 2; count += 1) await rejection(second.createPetStore(shared).pets.list());
    expect(server.requests).toHaveLength(2);
    expect(warnings).toEqual([expect.stringContaining('two releases of petstore')]);
  });
});

/** The types that the copies of a process share, by file. */
const SHARED_TYPES = {
  'client/gate/registry.ts': ['Entry', 'OnFailure', 'FindEntry', 'ProcessGates'],
  'client/gate/fallible-store.ts': ['StoreOptions'],
  'client/gate/gate.ts': ['Gate', 'GateRequest', 'GateWait', 'Permit'],
  'client/gate/budget/budget-counting.ts': ['GateReport', 'ShownWindows'],
  'client/gate/budget/known-budget.ts': ['KnownBudget', 'RateLimitWindow'],
  'client/gate/budget/budget.ts': ['ShownWindow', 'WindowSource'],
  'schema/rate-limit.ts': ['RateLimitValues', 'RateLimit'],
  'time/clock.ts': ['Clock'],
};
/** The digest of these types in each format. Never change one: raise the format in registry.ts, and add its digest. */
const DIGESTS: Readonly<Record<number, string>> = {
  2: 'b9b7e466fce13b43',
  3: 'e42f56d869d777a4',
  4: '52dbdef55dcac8b8',
};

test('the format of the gates is raised if their types change', () => {
  sharedGate({}, createVirtualClock(), ORIGIN, 'one');
  const { format } = (globalThis as unknown as Record<symbol, { format: number }>)[GATES]!;
  const printer = ts.createPrinter({ removeComments: true });
  const declarations = Object.entries(SHARED_TYPES).flatMap(([path, names]) => {
    const text = readFileSync(new URL(`../../../src/${path}`, import.meta.url), 'utf8');
    const file = ts.createSourceFile(path, text, ts.ScriptTarget.Latest);
    return names.map((name) => {
      const found = file.statements.find(
        (each) =>
          (ts.isInterfaceDeclaration(each) || ts.isTypeAliasDeclaration(each)) && each.name.text === name,
      );
      return printer.printNode(ts.EmitHint.Unspecified, found!, file);
    });
  });
  const digest = createHash('sha256').update(declarations.join('\n')).digest('hex').slice(0, 16);
  expect(digest).toBe(DIGESTS[format]);
});

test('the name of a stored budget is a stable digest of origin and key', () => {
  const name = budgetName('https://api.test', 'sk-1');
  expect(name).toMatch(/^[0-9a-f]{32}$/);
  expect(budgetName('https://api.test', 'sk-1')).toBe(name);
  // Pinned: two versions must use the same name to share a budget.
  expect(name).toBe('1c9dc02503a0bea90c5b8f0dd8bfe366');
  const others = [budgetName('https://api.test', 'sk-2'), budgetName('https://api.test:8443', 'sk-1')];
  expect(new Set([name, ...others]).size).toBe(3);
});
