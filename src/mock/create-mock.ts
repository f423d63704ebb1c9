import { checkOptions, LISTEN_CHECKS, MOCK_CHECKS, TENANT_CHECKS } from './check-options.js';
import type { DnsService } from './dns/dns.js';
import { createReplay } from './har/replay.js';
import { createFetch } from './http/fetch.js';
import { createHandler } from './http/handler.js';
import { listen } from './http/listen.js';
import type { Mock, MockOptions, MockServer } from './mock.js';
import { readSnapshot } from './pets/snapshot.js';
import { readPetSeeds, type MockPet } from './pets/store.js';
import { createVirtualClock, durationMs, type OwnedClock } from './service/clock.js';
import { createListeners, requestEvent, type StateEvent } from './service/events.js';
import { explain } from './service/explain.js';
import { createFaults } from './service/faults.js';
import { createJournal } from './service/journal.js';
import { generatePets, SEED_PETS_DEFAULT } from './service/seed-pets.js';
import { createTenants } from './service/tenants.js';
import type { MockOutcome } from './service/message.js';
import { createVerify } from './service/verify.js';
import { advanceClock, createMockTenant } from './tenant.js';
import { waitForRequests } from './wait-for-requests.js';

/** The key of a mock without the option `keys`. */
export const DEFAULT_KEY = 'mock-key';

/**
 * Creates a pet store service in memory. It does no I/O before `listen`.
 *
 * It implements the interface specification. The specification leaves some details open, such as rate-limit windows, bans
 * and validation. The mock has its own rules for these, and clients must not rely on them.
 *
 * @throws TypeError if an option is invalid. DNS options are checked by `listen`.
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
  const { keys = [DEFAULT_KEY], plan = 'free', seed = 1, latencyMs = 0, journalMax = 1_000 } = options;
  const { instance = uniqueInstance(), faults: initialFaults = [], onRequest } = options;
  const pets = initialPets(options.pets ?? SEED_PETS_DEFAULT, seed);
  const savedPets = options.snapshot === undefined ? [] : petsOfSnapshot(options.snapshot);

  const clock = createVirtualClock(options.clock ?? { now: () => Date.now() });
  const tenants = createTenants({ keys, plan, pets, savedPets });
  const faults = createFaults(initialFaults, seed);
  const journal = createJournal(journalMax);
  const replay = options.replay === undefined ? undefined : createReplay(options.replay);
  /** Of outcomes with a delay for a key with its own clock. */
  const ownClocks = new WeakMap<MockOutcome, OwnedClock>();
  const handler = createHandler({
    clock,
    tenants: tenants.byKey,
    faults,
    journal,
    plan,
    latencyMs: durationMs(latencyMs),
    instance,
    replay,
    onOwnDelay: (outcome, own) => ownClocks.set(outcome, own),
  });
  const listeners = createListeners();
  const changed = (change: StateEvent['changed']): void => {
    listeners.emit({ type: 'state', changed: change });
  };
  const wait = (outcome: MockOutcome, signal?: AbortSignal): Promise<void> =>
    (ownClocks.get(outcome) ?? clock).wait(outcome.delayMs, signal);

  let dns: DnsService | undefined;
  const openDns = async (): Promise<DnsService> => {
    // Loaded on demand: most mocks serve no DNS.
    const { createDns } = await import('./dns/dns.js');
    return (dns ??= createDns(clock, seed, options.dns));
  };

  const newFetch = (): Mock['fetch'] => createFetch((request, signal) => mock.exchange(request, signal));
  let currentFetch = newFetch();

  const mock: Mock = {
    handle(request) {
      const outcome = handler(request);
      const entry = onRequest === undefined && listeners.size === 0 ? undefined : journal.last();
      if (entry === undefined) return outcome;
      if (listeners.size > 0) listeners.emit(requestEvent(entry, outcome));
      onRequest?.(entry);
      return outcome;
    },
    async exchange(request, signal) {
      signal?.throwIfAborted();
      const outcome = mock.handle(request);
      if (outcome.delayMs > 0) await wait(outcome, signal);
      signal?.throwIfAborted();
      return outcome;
    },
    get fetch() {
      return currentFetch;
    },
    async listen(listenOptions = {}) {
      checkOptions(listenOptions, LISTEN_CHECKS);
      const { dnsPort } = listenOptions;
      const server = await listen(
        { mock, clock, wait, hostError: handler.hostError, lastEntry: () => journal.last() },
        listenOptions,
      );
      return dnsPort === undefined ? server : withDns(server, openDns, dnsPort);
    },
    get journal() {
      return journal.entries();
    },
    get dns() {
      return dns;
    },
    verify: createVerify(journal),
    get keys() {
      return [...tenants.byKey.keys()];
    },
    instance,
    clock,
    reset() {
      tenants.reset();
      currentFetch = newFetch();
      clock.reset();
      journal.clear();
      faults.set(initialFaults);
      dns?.reset();
      replay?.reset();
      changed('reset');
    },
    advance(by, key = keys[0] ?? '') {
      const at = advanceClock(clock, tenants.get(key), by);
      changed('clock');
      return at;
    },
    tenant(tenantOptions = {}) {
      checkOptions(tenantOptions, TENANT_CHECKS);
      const { plan: ownPlan = plan, pets: ownPets } = tenantOptions;
      const key = tenants.add(ownPlan, ownPets === undefined ? pets : initialPets(ownPets, seed));
      changed('tenants');
      return key;
    },
    forKey: (key = keys[0] ?? '') =>
      createMockTenant(key, tenants.get(key), { clock, journal, seed, emit: listeners.emit }),
    removeTenant(key) {
      tenants.remove(key);
      changed('tenants');
    },
    waitForRequests: (filter = {}, waitOptions = {}) => waitForRequests(mock, filter, waitOptions),
    clearJournal(key) {
      if (key === undefined) {
        journal.clear();
        for (const tenant of tenants.byKey.values()) tenant.journalStart = 0;
      } else tenants.get(key).journalStart = journal.recorded;
      changed('journal');
    },
    explain(sequence) {
      const found = journal.find(sequence);
      if (found === undefined) throw new TypeError(`The journal has no entry ${String(sequence)}`);
      return explain(found.entry, found.limits, { isReplay: replay !== undefined });
    },
    subscribe: (listener) => listeners.add(listener),
    setFaults(next) {
      faults.set(next);
      changed('faults');
    },
    state: () => ({
      instance,
      now: new Date(clock.now()),
      clockFrozen: clock.isFrozen,
      clockOffsetMs: clock.offsetMs,
      tenants: tenants.state(clock.now()),
      faults: faults.list(),
      journal: { entries: journal.size, dropped: journal.dropped },
      ...(dns === undefined ? {} : { dns: dns.state() }),
    }),
    snapshot: () => tenants.snapshot(),
    restore(snapshot) {
      tenants.restore(petsOfSnapshot(snapshot));
      changed('pets');
    },
  };
  return mock;
}

/** Adds the DNS to an HTTP server. If DNS fails to start, both are closed. */
async function withDns(
  server: MockServer,
  openDns: () => Promise<DnsService>,
  dnsPort: number,
): Promise<MockServer> {
  try {
    const dns = await openDns();
    const { close, ...addresses } = await dns.listen(dnsPort);
    return {
      ...server,
      dns: addresses,
      async close(options) {
        await Promise.all([server.close(options), close()]);
      },
    };
  } catch (error) {
    await server.close();
    throw error;
  }
}

function petsOfSnapshot(snapshot: unknown): readonly (readonly MockPet[])[] {
  return readSnapshot(snapshot).worlds.map(({ pets }) => pets);
}

function initialPets(pets: NonNullable<MockOptions['pets']>, seed: number): readonly MockPet[] {
  return typeof pets === 'number' ? generatePets(pets, seed) : readPetSeeds(pets);
}

/** Not derived from the seed: two mocks with the same seed must differ. */
function uniqueInstance(): string {
  return [process.pid, Math.random() * 2 ** 53].map((part) => Math.floor(part).toString(36)).join('-');
}
