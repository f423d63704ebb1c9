import { createWarningGuard } from '../options/guard-callback.js';
import { checkMockOptions, MOCK_CHECKS, TENANT_CHECKS, type MockOptions } from './options.js';
import { createReplay } from './har/replay.js';
import { createFetch } from './http/fetch.js';
import { createHandler } from './http/handler.js';
import type { MockNetwork } from './listen-mock.js';
import type { Mock } from './world/mock.js';
import { SEED_PETS_DEFAULT } from './pets/seed-pets.js';
import { createVirtualClock, durationMs } from './service/clock.js';
import { createListeners, requestEvent, type StateEvent } from './service/events.js';
import { explain } from './service/explain.js';
import { createFaults } from './service/faults.js';
import { waitForRequests } from './service/journal-filter.js';
import { createJournal, type JournalEntry } from './service/journal.js';
import type { VerifiedRequests } from './service/verify.js';
import { worldMethods } from './world/account.js';
import { createAccounts } from './world/accounts.js';

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
  checkMockOptions(options, MOCK_CHECKS);
  const { keys = [DEFAULT_KEY], plan = 'free', seed = 1, latencyMs = 0, onRequest } = options;
  const { instance = uniqueInstance(), faults: initialFaults = [], journalMax = 1_000 } = options;
  const { pets = SEED_PETS_DEFAULT } = options;
  const guard = createWarningGuard('The mock continues.');
  const listeners = createListeners(guard);
  const changed = (change: StateEvent['changed'], tenant?: number): void => {
    listeners.emit({ type: 'state', changed: change, ...(tenant === undefined ? {} : { tenant }) });
  };
  const clock = createVirtualClock(options.clock ?? { now: () => Date.now() }, () => changed('clock'));
  const journal = createJournal(journalMax);
  const accounts = createAccounts({ keys, plan, pets, seed, clock, journal, changed });
  const faults = createFaults(initialFaults, seed);
  const replay = options.replay === undefined ? undefined : createReplay(options.replay);
  const handler = createHandler({
    clock,
    faults,
    journal,
    plan,
    instance,
    replay,
    accounts,
    aborted: (tenant) => changed('journal', tenant),
    latencyMs: durationMs(latencyMs),
  });
  const newFetch = (): Mock['fetch'] =>
    createFetch((request, signal) => mock.exchange(request, signal), handler.wait);
  let currentFetch = newFetch();

  let network: MockNetwork | undefined;
  let loading: Promise<MockNetwork> | undefined;

  const requests: VerifiedRequests = {
    entries: () => journal.entries(),
    tallies: () => [accounts.otherRequests, ...accounts.list.map(({ tally }) => tally)],
  };

  const mock: Mock = {
    ...worldMethods({ clock: () => clock, faults, requests, accountOf: accounts.get, changed }),
    instance,
    clock,
    get keys() {
      return accounts.keys;
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
      accounts.restart();
      currentFetch = newFetch();
      clock.reset();
      accounts.forgetRequests();
      faults.set(initialFaults);
      network?.reset();
      replay?.reset();
      changed('reset');
    },
    tenant(tenantOptions = {}) {
      checkMockOptions(tenantOptions, TENANT_CHECKS);
      const key = accounts.add(tenantOptions);
      changed('tenants');
      return key;
    },
    forKey: (key) => accounts.get(key).tenant,
    removeTenant(key) {
      accounts.remove(key);
      changed('tenants');
    },
    clearJournal(key) {
      accounts.forgetRequests(key);
      changed('journal');
    },
    explain(sequence) {
      const found = journal.find(sequence);
      if (found === undefined) throw new TypeError(`The journal has no entry ${String(sequence)}`);
      const plan = accounts.list.find(({ number }) => number === found.entry.tenant)?.plan;
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
      tenants: accounts.list.map(({ tenant }) => tenant.state()),
      faults: faults.list(),
      journal: { entries: journal.size, dropped: journal.dropped },
      ...(replay === undefined ? {} : { replay: replay.state }),
      ...(network?.dns === undefined ? {} : { dns: network.dns.state() }),
      ...(network?.web === undefined ? {} : { web: network.web.state }),
    }),
    snapshot: () => accounts.snapshot(),
    restore(snapshot) {
      accounts.restore(snapshot);
      changed('pets');
    },
  };
  if (options.snapshot !== undefined) accounts.restore(options.snapshot);
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
}

/** Not derived from the seed: two mocks with the same seed must differ. */
function uniqueInstance(): string {
  const { process } = globalThis as { process?: Partial<NodeJS.Process> };
  return [process?.pid ?? 0, Math.random() * 2 ** 53].map((part) => Math.floor(part).toString(36)).join('-');
}
