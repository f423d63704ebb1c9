import { suggestionFor } from '../suggest.js';
import type { DnsService } from './dns/dns.js';
import { createReplay } from './har/replay.js';
import { createFetch } from './http/fetch.js';
import { createHandler } from './http/handler.js';
import { listen } from './http/listen.js';
import type { ListenOptions, Mock, MockOptions, MockServer } from './mock.js';
import { createVirtualClock, durationMs } from './service/clock.js';
import { createFaults } from './service/faults.js';
import { createJournal } from './service/journal.js';
import { budgetOf, MOCK_PLANS, type MockPlan } from './service/limits.js';
import { generatePets, SEED_PETS_DEFAULT } from './service/seed-pets.js';
import { readPetSeeds, type MockPet } from './service/store.js';
import { createTenants, readSnapshot } from './service/tenants.js';
import { createVerify } from './service/verify.js';

/** The key of a mock without the option `keys`. */
export const DEFAULT_KEY = 'mock-key';

/** Clients add up to a second of jitter, and `Date` and `X-RateLimit-Reset` are in whole seconds. */
const JITTER_MAX_MS = 2_000;

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
  checkNames(options, OPTIONS);
  const { keys = [DEFAULT_KEY], plan = 'free', seed = 1, latencyMs = 0, journalMax = 1_000 } = options;
  const { instance = uniqueInstance(), faults: initialFaults = [], onRequest } = options;
  checkPlan(plan);
  checkInstance(instance);
  const pets = initialPets(options.pets ?? SEED_PETS_DEFAULT, seed);
  const savedPets = options.snapshot === undefined ? [] : petsOfSnapshot(options.snapshot);

  const clock = createVirtualClock(options.clock ?? { now: () => Date.now() });
  const tenants = createTenants({ keys, plan, pets, savedPets });
  const faults = createFaults(initialFaults, seed);
  const journal = createJournal(journalMax);
  const replay = options.replay === undefined ? undefined : createReplay(options.replay);
  const handler = createHandler({
    clock,
    tenants: tenants.byKey,
    faults,
    journal,
    plan,
    latencyMs: durationMs(latencyMs),
    instance,
    replay,
  });

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
      const entry = onRequest === undefined ? undefined : journal.last();
      if (entry !== undefined) onRequest?.(entry);
      return outcome;
    },
    async exchange(request, signal) {
      signal?.throwIfAborted();
      const outcome = mock.handle(request);
      if (outcome.delayMs > 0) await clock.wait(outcome.delayMs, signal);
      signal?.throwIfAborted();
      return outcome;
    },
    get fetch() {
      return currentFetch;
    },
    async listen(listenOptions = {}) {
      checkNames(listenOptions, LISTEN_OPTIONS);
      const { dnsPort } = listenOptions;
      const server = await listen(
        { mock, clock, hostError: handler.hostError, lastEntry: () => journal.last() },
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
    },
    advance(by, key = keys[0] ?? '') {
      const { ledger, plan: keyPlan } = tenants.get(key);
      const now = clock.now();
      if (by === 'until-reset') clock.advance(budgetOf(ledger, keyPlan, now).resetAt - now, JITTER_MAX_MS);
      else if (by === 'until-unbanned')
        clock.advance(ledger.banned ? Math.max(0, ledger.blockedUntil - now) : 0, JITTER_MAX_MS);
      else clock.advance(durationMs(by));
      return new Date(clock.now());
    },
    tenant(tenantOptions = {}) {
      checkNames(tenantOptions, TENANT_OPTIONS);
      const { plan: ownPlan = plan } = tenantOptions;
      checkPlan(ownPlan);
      return tenants.add(ownPlan);
    },
    setFaults(next) {
      faults.set(next);
    },
    state: () => ({
      instance,
      now: new Date(clock.now()),
      clockOffsetMs: clock.offsetMs,
      tenants: tenants.state(clock.now()),
      faults: faults.list(),
      journal: { entries: journal.size, dropped: journal.dropped },
      ...(dns === undefined ? {} : { dns: dns.state() }),
    }),
    snapshot: () => tenants.snapshot(),
  };
  return mock;
}

const OPTIONS = {
  pets: true,
  seed: true,
  plan: true,
  keys: true,
  faults: true,
  clock: true,
  latencyMs: true,
  journalMax: true,
  snapshot: true,
  instance: true,
  dns: true,
  onRequest: true,
  replay: true,
} satisfies Record<keyof MockOptions, true>;

const LISTEN_OPTIONS = {
  port: true,
  host: true,
  dnsPort: true,
  onResponse: true,
} satisfies Record<keyof ListenOptions, true>;

const TENANT_OPTIONS = { plan: true } as const;

/** Rejects a mistyped option, which would otherwise have no effect. */
function checkNames(options: unknown, known: Readonly<Record<string, true>>): void {
  if (typeof options !== 'object' || options === null) throw new TypeError('The options must be an object');
  const unknown = Object.keys(options).find((name) => !Object.hasOwn(known, name));
  if (unknown === undefined) return;
  const hint = suggestionFor(unknown, Object.keys(known));
  throw new TypeError(`Unknown option ${JSON.stringify(unknown)}. ${hint}`);
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

function checkPlan(plan: MockPlan): void {
  if (!MOCK_PLANS.includes(plan))
    throw new TypeError(`Unknown plan: ${String(plan)} (known: ${MOCK_PLANS.join(', ')})`);
}

/** The instance is the value of a header. */
function checkInstance(instance: string): void {
  if (!/^[!-~]+$/.test(instance)) {
    throw new TypeError('`instance` must be visible ASCII without spaces');
  }
}

function petsOfSnapshot(snapshot: unknown): readonly (readonly MockPet[])[] {
  return readSnapshot(snapshot).worlds.map(({ pets }) => pets);
}

function initialPets(pets: NonNullable<MockOptions['pets']>, seed: number): readonly MockPet[] {
  if (typeof pets !== 'number') return readPetSeeds(pets);
  if (!Number.isInteger(pets) || pets < 0)
    throw new TypeError('`pets` must be a whole number of 0 or more, or a list');
  return generatePets(pets, seed);
}

/** Not derived from the seed: two mocks with the same seed must differ. */
function uniqueInstance(): string {
  return [process.pid, Math.random() * 2 ** 53].map((part) => Math.floor(part).toString(36)).join('-');
}
