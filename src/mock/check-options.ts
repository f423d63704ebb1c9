import {
  anything,
  type Check,
  type Checks,
  findProblem,
  isObject,
  mustBe,
  mustBeFunction,
  mustBeListOf,
  mustBeOneOf,
  mustHaveMethods,
  problemError,
} from '../options/check-options.js';
import type { DnsOptions } from './dns/dns.js';
import type { ListenOptions } from './mock.js';
import type { MockOptions } from './mock-options.js';
import { FAULT_LIST, isFaultList } from './service/faults.js';
import { MOCK_PLANS } from './service/limits.js';
import { checkRedirectSites } from './web/sites.js';
import type { WebOptions } from './web/web.js';

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

function checkDns(value: unknown, field: string): ReturnType<Check> {
  return findProblem(value, DNS_CHECKS, { what: field, prefix: `${field}.` });
}

export const MOCK_CHECKS = {
  pets: PETS,
  seed: mustBe('a number', Number.isFinite),
  plan: PLAN,
  keys: mustBeListOf('an array of strings', (key) => typeof key === 'string'),
  faults: mustBe(FAULT_LIST, isFaultList),
  clock: mustHaveMethods('an object with the method now', 'now'),
  latencyMs: anything,
  journalMax: JOURNAL_MAX,
  snapshot: anything,
  // It is the value of a header.
  instance: mustBe(
    'visible ASCII without spaces',
    (value) => typeof value === 'string' && /^[!-~]+$/.test(value),
  ),
  dns: checkDns,
  onRequest: mustBeFunction,
  replay: anything,
} satisfies Record<keyof MockOptions, Check>;

const WEB_CHECKS = { redirects: checkRedirectSites } satisfies Record<keyof WebOptions, Check>;

function checkWeb(value: unknown, field: string): ReturnType<Check> {
  return findProblem(value, WEB_CHECKS, { what: field, prefix: `${field}.` });
}

export const LISTEN_CHECKS = {
  port: PORT,
  host: mustBe('a host name or an address', (value) => typeof value === 'string' && value !== ''),
  dnsPort: PORT,
  ui: mustBe('a boolean', (value) => typeof value === 'boolean'),
  web: checkWeb,
  onResponse: mustBeFunction,
} satisfies Record<keyof ListenOptions, Check>;

export const TENANT_CHECKS = { plan: PLAN, pets: PETS } satisfies Checks;

/**
 * Rejects a mistyped option, which would otherwise have no effect, and a value of a wrong type.
 *
 * @throws TypeError with the name of the option, and the nearest known name.
 */
export function checkOptions(options: unknown, checks: Checks): void {
  const problem = findProblem(options, checks, { what: 'The options' });
  if (problem !== undefined) throw problemError(problem);
}
