import { checkOptions, MOCK_CHECKS } from './check-options.js';
import { createService } from './create-service.js';
import { createFetch } from './http/fetch.js';
import { createNetwork } from './listen-mock.js';
import type { Mock } from './mock.js';
import { exchangeMethods, journalMethods, tenantMethods } from './mock-methods.js';
import type { MockOptions } from './mock-options.js';
import { createVerify } from './service/verify.js';
import { waitForRequests } from './wait-for-requests.js';

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
  const { onRequest, faults: initialFaults = [] } = options;
  const service = createService(options);
  const { clock, tenants, faults, journal, replay, handler, instance, wait, changed } = service;
  const newFetch = (): Mock['fetch'] => createFetch((request, signal) => mock.exchange(request, signal));
  let currentFetch = newFetch();

  const mock: Mock = {
    ...exchangeMethods(service, onRequest),
    ...tenantMethods(service),
    ...journalMethods(service),
    get fetch() {
      return currentFetch;
    },
    listen: (listenOptions = {}) => network.listen(listenOptions),
    get journal() {
      return journal.entries();
    },
    get dns() {
      return network.dns;
    },
    verify: createVerify(journal, { isReplay: replay !== undefined }),
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
      network.reset();
      replay?.reset();
      changed('reset');
    },
    waitForRequests: (filter = {}, waitOptions = {}) => waitForRequests(mock, filter, waitOptions),
    setFaults(next) {
      faults.set(next);
      changed('faults');
    },
    updateFaults(change) {
      faults.update(change);
      changed('faults');
    },
    state: () => ({
      instance,
      now: new Date(clock.now()),
      clockFrozen: clock.isFrozen,
      clockOffsetMs: clock.offsetMs,
      tenants: tenants.state(clock),
      faults: faults.list(),
      journal: { entries: journal.size, dropped: journal.dropped },
      ...(network.dns === undefined ? {} : { dns: network.dns.state() }),
      ...(network.web === undefined ? {} : { web: network.web.state }),
    }),
  };
  const { hostError } = handler;
  const lastEntry = journal.last;
  const authority = (): string | undefined => network.web?.authority;
  const hosted = { mock, clock, wait, hostError, lastEntry, authority, seed: service.seed };
  const network = createNetwork(hosted, options.dns);
  return mock;
}
