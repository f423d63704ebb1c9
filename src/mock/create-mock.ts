import { createWarningGuard } from '../options/guard-callback.js';
import { checkOptions, MOCK_CHECKS, TENANT_CHECKS, type MockOptions } from './options.js';
import { createReplay } from './har/replay.js';
import { createFetch } from './http/fetch.js';
import { createHandler } from './http/handler.js';
import type { MockNetwork } from './listen-mock.js';
import type { Mock } from './world/mock.js';
import { generatePets, SEED_PETS_DEFAULT } from './pets/seed-pets.js';
import { MockDataError, readSnapshot, type MockSnapshot } from './pets/snapshot.js';
import { createStore, readPetSeeds, type MockPet } from './pets/store.js';
import { createVirtualClock, durationMs } from './service/clock.js';
import { createListeners, requestEvent, type StateEvent } from './service/events.js';
import { explain } from './service/explain.js';
import { createFaults } from './service/faults.js';
import { waitForRequests } from './service/journal-filter.js';
import { createJournal, type JournalEntry } from './service/journal.js';
import type { VerifiedRequests } from './service/verify.js';
import { createTally } from './service/tally.js';
import { createTenant, worldMethods, type Tenant, type TenantContext } from './world/tenant.js';

/** The key of a mock without the option `keys`. */
export const DEFAULT_KEY = 'mock-key';

/**
 * Creates a pet store service in memory. It does no I/O before `listen`.
 *
 * It implements the interface specification. The specification leaves some details open, such as rate-limit windows, bans
 * and validation. The mock has its own rules for these, and clients must not rely on them.
 *
 * @throws TypeError if an option is invalid; MockDataError if it is `replay` or `snapshot`. DNS options are checked by
 * `listen`.
 * @example
 * ```ts
 * const mock = createMock({ pets: 3, faults: ['rate-limit:seconds=5'] });
 * const response = await mock.fetch('http://mock.test/v1/pets', {
 *   headers: { authorization: `Bearer ${DEFAULT_KEY}` },
 * });
 * ```
 */
export function createMock(options: MockOptions = {}): Mock {
  checkOptions(options, MOCK_CHECKS);
  const { keys = [DEFAULT_KEY], plan = 'free', seed = 1, latencyMs = 0, onRequest } = options;
  const { instance = uniqueInstance(), faults: initialFaults = [] } = options;
  const pets = initialPets(options.pets ?? SEED_PETS_DEFAULT, seed);
  const guard = createWarningGuard('The mock continues.');
  const listeners = createListeners(guard);
  const changed = (change: StateEvent['changed'], tenant?: number): void => {
    listeners.emit({ type: 'state', changed: change, ...(tenant === undefined ? {} : { tenant }) });
  };
  const clock = createVirtualClock(options.clock ?? { now: () => Date.now() }, () => changed('clock'));
  checkKeys(keys);
  const { journalMax = 1_000 } = options;
  const journal = createJournal(journalMax);
  const tenants = new Map<string, Tenant>();
  /** Of requests without a key, of removed keys, and of keys before their last reset. */
  let otherRequests = createTally();
  const forgetRequests: TenantContext['forgetRequests'] = (tenant) => {
    otherRequests.merge(tenant.tally);
    tenant.tally = createTally();
    tenant.journalStart = journal.recorded;
  };
  let added = 0;
  const addTenant = (key: string, start: Parameters<typeof createTenant>[1]): void => {
    added = Math.max(added, start.number);
    tenants.set(key, createTenant(key, start, { clock, journal, seed, forgetRequests, changed }));
  };
  keys.forEach((key, index) => addTenant(key, { number: index + 1, plan, pets, seeds: pets }));
  const tenantOf = (key = keys[0] ?? ''): Tenant => {
    const tenant = tenants.get(key);
    if (tenant === undefined) throw new TypeError('Unknown key of the mock');
    return tenant;
  };
  const faults = createFaults(initialFaults, seed);
  const replay = options.replay === undefined ? undefined : createReplay(options.replay);
  const handler = createHandler({
    ...{ clock, faults, journal, plan, instance, replay, tenants },
    aborted: (tenant) => changed('journal', tenant),
    tally: () => otherRequests,
    latencyMs: durationMs(latencyMs),
  });
  const newFetch = (): Mock['fetch'] =>
    createFetch((request, signal) => mock.exchange(request, signal), handler.wait);
  let currentFetch = newFetch();

  let network: MockNetwork | undefined;
  let loading: Promise<MockNetwork> | undefined;

  const requests: VerifiedRequests = {
    entries: () => journal.entries(),
    tallies: () => [otherRequests, ...[...tenants.values()].map(({ tally }) => tally)],
  };

  const mock: Mock = {
    ...worldMethods({ clock: () => clock, faults, requests, tenantOf, changed }),
    instance,
    clock,
    get keys() {
      return [...tenants.keys()];
    },
    get fetch() {
      return currentFetch;
    },
    get journal() {
      return journal.entries();
    },
    get dns() {
      return network?.dns;
    },
    async listen(listenOptions = {}) {
      loading ??= loadNetwork();
      return (await loading).listen(listenOptions);
    },
    handle(request) {
      const outcome = handler(request);
      const entry = onRequest === undefined && listeners.size === 0 ? undefined : journal.last();
      if (entry === undefined) return outcome;
      if (listeners.size > 0) listeners.emit(requestEvent(entry, outcome));
      // What it throws reaches the caller. A promise, as of an async function, must not reject unhandled.
      const result: unknown = onRequest?.(entry);
      guard('onRequest', () => result);
      return outcome;
    },
    async exchange(request, signal) {
      signal?.throwIfAborted();
      const outcome = mock.handle(request);
      if (outcome.delayMs > 0) await handler.wait(outcome, signal);
      signal?.throwIfAborted();
      return outcome;
    },
    reset() {
      for (const tenant of tenants.values()) tenant.restart();
      currentFetch = newFetch();
      clock.reset();
      clearJournal();
      faults.set(initialFaults);
      network?.reset();
      replay?.reset();
      changed('reset');
    },
    tenant(tenantOptions = {}) {
      checkOptions(tenantOptions, TENANT_CHECKS);
      const { plan: ownPlan = plan, pets: ownPets } = tenantOptions;
      const seeds = ownPets === undefined ? pets : initialPets(ownPets, seed);
      const key = unusedKey(keys[0] ?? '', added + 1, tenants);
      addTenant(key, { number: added + 1, plan: ownPlan, pets: seeds, seeds });
      changed('tenants');
      return key;
    },
    forKey: (key) => tenantOf(key).methods,
    removeTenant(key) {
      const tenant = tenantOf(key);
      if (keys.includes(key)) throw new TypeError('An initial key of the mock cannot be removed');
      tenant.clock?.close();
      forgetRequests(tenant);
      tenants.delete(key);
      changed('tenants');
    },
    clearJournal(key) {
      if (key === undefined) clearJournal();
      else forgetRequests(tenantOf(key));
      changed('journal');
    },
    explain(sequence) {
      const found = journal.find(sequence);
      if (found === undefined) throw new TypeError(`The journal has no entry ${String(sequence)}`);
      const plan = [...tenants.values()].find(({ number }) => number === found.entry.tenant)?.plan;
      return explain(found.entry, found.stored.limits, { isReplay: replay !== undefined, plan });
    },
    subscribe: (listener) => listeners.add(listener),
    waitForRequests(filter = {}, { key, ...waitOptions } = {}) {
      const entries = (): readonly JournalEntry[] => (key === undefined ? mock : mock.forKey(key)).journal;
      return waitForRequests({ entries, listeners, journalMax }, filter, waitOptions);
    },
    state: () => ({
      instance,
      now: new Date(clock.now()),
      clockFrozen: clock.isFrozen,
      clockOffsetMs: clock.offsetMs,
      tenants: [...tenants.values()].map(({ methods }) => methods.state()),
      faults: faults.list(),
      journal: { entries: journal.size, dropped: journal.dropped },
      ...(replay === undefined ? {} : { replay: replay.state }),
      ...(network?.dns === undefined ? {} : { dns: network.dns.state() }),
      ...(network?.web === undefined ? {} : { web: network.web.state }),
    }),
    snapshot() {
      const all = [...tenants.values()];
      const worlds = all.slice(0, keys.length).map(({ store }) => store.snapshot());
      const more = all.slice(keys.length);
      const saved = more.map(({ number, plan: own, store }) => ({ number, plan: own, ...store.snapshot() }));
      return { format: 'petstore-mock/1', worlds, ...(saved.length === 0 ? {} : { tenants: saved }) };
    },
    restore(snapshot) {
      restore(readSnapshot(snapshot));
      changed('pets');
    },
  };
  if (options.snapshot !== undefined) restore(readSnapshot(options.snapshot));
  return mock;

  async function loadNetwork(): Promise<MockNetwork> {
    // On demand: a bundle for a browser is without it (`browser` in package.json).
    const { createNetwork } = (await import('./listen-mock.js')) as Partial<
      typeof import('./listen-mock.js')
    >;
    if (createNetwork === undefined) throw new TypeError('listen() of the mock needs Node.js');
    network = createNetwork({ mock, clock, handler, journal, seed }, options.dns);
    return network;
  }

  function restore({ worlds, tenants: saved = [] }: MockSnapshot): void {
    const taken = saved.findIndex(({ number }) => number <= keys.length);
    if (taken >= 0)
      throw new MockDataError('snapshot', `tenants[${String(taken)}].number is the number of an initial key`);
    worlds.slice(0, keys.length).forEach(({ pets: own }, index) => {
      tenantOf(keys[index]).store = createStore(own);
    });
    for (const { number, plan: ownPlan, pets: own } of saved) {
      const tenant = [...tenants.values()].find((each) => each.number === number);
      const start = { number, plan: ownPlan, pets: own, seeds: pets };
      if (tenant === undefined) addTenant(unusedKey(keys[0] ?? '', number, tenants), start);
      else tenant.store = createStore(own);
    }
  }

  function clearJournal(): void {
    journal.clear();
    for (const tenant of tenants.values()) forgetRequests(tenant);
    otherRequests = createTally();
  }
}

/** @throws TypeError if a pet is invalid. */
function initialPets(pets: NonNullable<MockOptions['pets']>, seed: number): readonly MockPet[] {
  return typeof pets === 'number' ? generatePets(pets, seed) : readPetSeeds(pets);
}

/** @throws TypeError if a key is invalid. */
function checkKeys(keys: readonly string[]): void {
  if (keys.length === 0) throw new TypeError('A mock needs at least one key');
  if (new Set(keys).size < keys.length) throw new TypeError('Two keys of the mock are equal');
  // Visible ASCII fits in a header after "Bearer ". A comma joins repeated headers.
  if (!keys.every((key) => /^[!-+\--~]+$/.test(key))) {
    throw new TypeError('A key of the mock must be visible ASCII without spaces and commas');
  }
}

function unusedKey(base: string, first: number, taken: ReadonlyMap<string, unknown>): string {
  for (let number = first; ; number += 1) {
    const key = `${base}-${String(number)}`;
    if (!taken.has(key)) return key;
  }
}

/** Not derived from the seed: two mocks with the same seed must differ. */
function uniqueInstance(): string {
  const { process } = globalThis as { process?: Partial<NodeJS.Process> };
  return [process?.pid ?? 0, Math.random() * 2 ** 53].map((part) => Math.floor(part).toString(36)).join('-');
}
