import type { DnsOptions } from './dns/dns.js';
import type { MockPetSeed } from './pets/store.js';
import type { MockClock } from './service/clock.js';
import type { Fault } from './service/fault.js';
import type { JournalEntry } from './service/journal.js';
import { type MockPlan, MOCK_PLANS } from './service/limits.js';
import {
  anything,
  type Check,
  type Checks,
  findProblem,
  isObject,
  mustBe,
  mustBeClock,
  mustBeFunction,
  mustBeListOf,
  mustBeOneOf,
  problemError,
} from '../options/check-options.js';
import type { ListenOptions } from './world/mock.js';
import { FAULT_LIST, isFaultList } from './service/faults.js';
import { checkRedirectSites } from './web/sites.js';
import type { WebOptions } from './web/web.js';

/** Options of `createMock`. */
export interface MockOptions {
  /**
   * The pets in the store of each key: a number of generated pets (0 to 1,000,000), or the pets themselves.
   *
   * @default 25
   */
  pets?: number | readonly MockPetSeed[] | undefined;
  /**
   * Seed of the generated pets and of the random faults. The same seed gives the same results on every machine.
   *
   * @default 1
   */
  seed?: number | undefined;
  /**
   * The plan of every key, which sets the rate limits.
   *
   * @default 'free'
   */
  plan?: MockPlan | undefined;
  /**
   * The valid API keys, at least one. Each key has its own store and its own limits.
   *
   * @default ['mock-key']
   */
  keys?: readonly string[] | undefined;
  /**
   * Faults to inject: objects, or texts for `parseFault`.
   *
   * @default []
   */
  faults?: readonly (Fault | string)[] | undefined;
  /**
   * The base clock, to which `advance` adds an offset.
   *
   * @default the system clock
   */
  clock?: MockClock | undefined;
  /**
   * Delay before every response, in milliseconds.
   *
   * @default 0
   */
  latencyMs?: number | undefined;
  /**
   * Number of requests that the journal keeps, at least 1.
   *
   * @default 1000
   */
  journalMax?: number | undefined;
  /** Result of `snapshot()` of an earlier mock. The stores start with its pets instead of `pets`. */
  snapshot?: unknown;
  /**
   * Value of the header `X-Mock-Instance` of every response, which identifies the mock. Visible ASCII.
   *
   * @default a unique value
   */
  instance?: string | undefined;
  /**
   * Zones and faults of the mock DNS, which starts when `listen` gets a `dnsPort`.
   *
   * @default the built-in zones
   */
  dns?: DnsOptions | undefined;
  /**
   * A HAR 1.2 archive, as parsed JSON. Its responses replace the service: keys and limits are not checked, and headers are
   * sent as recorded. Requests match by method, path, query and body. Equal requests get their responses in the recorded
   * order, and then the last one again. An unknown request gets 501, which names the nearest entry. A request whose entry
   * can't be replayed gets 501 with the reason; `state().replay` counts these entries.
   */
  replay?: unknown;
  /**
   * Called after each request. An error that it throws becomes a 500 response of `listen`. If it returns a promise that
   * rejects, the first error is a warning of the process.
   */
  onRequest?: ((entry: JournalEntry) => void) | undefined;
}

const isWhole = (value: unknown, min: number, max = Number.POSITIVE_INFINITY): boolean =>
  typeof value === 'number' && Number.isInteger(value) && value >= min && value <= max;

const PORT = mustBe('a port from 0 to 65535', (value) => isWhole(value, 0, 65_535));
const PETS = mustBe(
  'a whole number from 0 to 1000000, or a list of pets',
  (value) => isWhole(value, 0, 1_000_000) || (Array.isArray(value) && value.every(isObject)),
);
const PLAN = mustBeOneOf(...MOCK_PLANS);

const JOURNAL_MAX = mustBe('a whole number of 1 or more', (value) => isWhole(value, 1));

const DNS_CHECKS = {
  zones: mustBeListOf('a list of zone files', (zone) => typeof zone === 'string'),
  faults: mustBeListOf('a list of DNS faults', isObject),
  journalMax: JOURNAL_MAX,
} satisfies Record<keyof DnsOptions, Check>;

/** Checks an option that has options of its own. */
function optionsOf(checks: Checks): Check {
  return (value, field) => findProblem(value, checks, { what: field, prefix: `${field}.` });
}

export const MOCK_CHECKS = {
  pets: PETS,
  seed: mustBe('a number', Number.isFinite),
  plan: PLAN,
  keys: mustBeListOf('an array of strings', (key) => typeof key === 'string'),
  faults: mustBe(FAULT_LIST, isFaultList),
  clock: mustBeClock('an object with the method now', 'now'),
  latencyMs: anything,
  journalMax: JOURNAL_MAX,
  snapshot: anything,
  // It is the value of a header.
  instance: mustBe(
    'visible ASCII without spaces',
    (value) => typeof value === 'string' && /^[!-~]+$/.test(value),
  ),
  dns: optionsOf(DNS_CHECKS),
  onRequest: mustBeFunction,
  replay: anything,
} satisfies Record<keyof MockOptions, Check>;

const WEB_CHECKS = { redirects: checkRedirectSites } satisfies Record<keyof WebOptions, Check>;

export const LISTEN_CHECKS = {
  port: PORT,
  host: mustBe('a host name or an address', (value) => typeof value === 'string' && value !== ''),
  dnsPort: PORT,
  controlHost: mustBe(
    'a host name or an address without a port',
    (value) => typeof value === 'string' && /^(?:[\w\-.]+|\[[\da-f:.]+\])$/i.test(value),
  ),
  ui: mustBe('a boolean', (value) => typeof value === 'boolean'),
  web: optionsOf(WEB_CHECKS),
  onResponse: mustBeFunction,
} satisfies Record<keyof ListenOptions, Check>;

export const TENANT_CHECKS = { plan: PLAN, pets: PETS } satisfies Checks;

/**
 * Rejects a mistyped option, which would otherwise have no effect, and a value of a wrong type.
 *
 * @throws TypeError with the name of the option, and the nearest known name.
 */
export function checkMockOptions(options: unknown, checks: Checks): void {
  const problem = findProblem(options, checks, { what: 'The options' });
  if (problem !== undefined) throw problemError(problem);
}
