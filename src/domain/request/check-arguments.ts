import { hasValidDay } from '../../time/duration.js';
import { InvalidInputError } from '../../errors.js';
import { checkArgument, invalidInput } from '../../options/check-argument.js';
import {
  type Check,
  findListProblem,
  findProblem,
  isObject,
  mustBe,
  mustBeFullClock,
  mustBeFunction,
  mustBeListOf,
  mustBeSignal,
  mustBeOneOf,
  mustBeText,
  mustHaveMethods,
  type Problem,
} from '../../options/check-options.js';
import type { DnsServer } from '../dns/dns.js';
import { isConnectHost } from './connect-host.js';
import type {
  CertificateRequest,
  CheckOptions,
  CheckRequest,
  KnownPlan,
  ProbeOptions,
  RedirectEntry,
} from './options.js';

type FieldChecks<T> = Readonly<Record<keyof T, Check>>;

const PLANS = ['free', 'pro', 'business', 'enterprise'];

/**
 * Checks a request of a caller without TypeScript. The domain's syntax is checked later, and reported as a finding.
 *
 * @returns the request.
 * @throws InvalidInputError for an unknown, missing or invalid field.
 */
export function checkRequest(request: CheckRequest): CheckRequest {
  checkFields(request, REQUEST, 'field');
  requireText(request, 'domain', 'Pass the custom domain, such as shop.example.com.');
  requireText(request, 'target', 'Pass the value that the dashboard shows for the CNAME.');
  return request;
}

/**
 * Checks the options of a check or a watch.
 *
 * @throws InvalidInputError for an unknown or invalid option.
 */
export function checkOptions(options: CheckOptions): void {
  checkFields(options, OPTIONS, 'option');
}

/** @throws InvalidInputError for an unknown, missing or invalid field. */
export function checkCertificateRequest(request: CertificateRequest): void {
  checkFields(request, CERTIFICATE_REQUEST, 'field');
  requireText(request, 'domain', 'Pass the custom domain, such as shop.example.com.');
}

/** @throws InvalidInputError unless the value has a list of redirect entries, and a valid probe target if any. */
export function checkRedirectsRequest(value: unknown): void {
  const { redirects, probe } = (value ?? {}) as Partial<Record<'redirects' | 'probe', unknown>>;
  checkArgument(redirects, 'redirects', redirectEntries);
  if (probe !== undefined) checkArgument(probe, 'probe', probeOptions);
}

/** @throws InvalidInputError unless the value is a list or another iterable, but not a string. */
export function checkRequests(value: unknown): void {
  const isList = isObject(value)
    ? Symbol.iterator in value || Symbol.asyncIterator in value
    : Array.isArray(value);
  if (!isList) throw new InvalidInputError('The requests must be a list', { field: 'requests' });
}

/** @throws InvalidInputError unless the value is a string. */
export function checkName(value: unknown): void {
  checkArgument(value, 'name', mustBeText);
}

const flag = mustBe('true or false', (value) => typeof value === 'boolean');
const texts = mustBeListOf('an array of strings', (entry) => typeof entry === 'string');
const port = mustBe('a port from 1 to 65535', isPort);
const duration = mustBe(
  'a number of milliseconds of at least 0',
  (value) => typeof value === 'number' && value >= 0,
);
const count = mustBe('a whole number of at least 1', (value) => isWhole(value) && value >= 1);

const REDIRECT: FieldChecks<RedirectEntry> = {
  from: mustBeText,
  to: mustBeText,
  status: mustBe('a whole number', isWhole),
};

function redirectEntries(value: unknown, field: string): Problem | undefined {
  return findListProblem(value, REDIRECT, {
    field,
    description: 'a list of entries with from, to and status',
  });
}

const servers = mustBeListOf('a list of servers with address, port and transport', (entry) => {
  const { address, port: number, transport } = Object(entry) as Partial<Record<keyof DnsServer, unknown>>;
  return typeof address === 'string' && typeof transport === 'string' && isPort(number);
});

const plan = mustBe(`one of ${PLANS.join(', ')}`, (value) => {
  const name = isObject(value) ? (value as Partial<KnownPlan>).name : value;
  return typeof name === 'string' && PLANS.includes(name.trim().toLowerCase());
});

/** RFC 3339, section 5.6, as `Date.prototype.toJSON` writes it. A date without a time zone has no certain instant. */
const RFC_3339 = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?(?:Z|[+-]\d\d:\d\d)$/i;

const time = mustBe('a date or its RFC 3339 text, such as 2026-11-21T14:00:00Z', (value) => {
  const isTime =
    value instanceof Date || (typeof value === 'string' && RFC_3339.test(value) && hasValidDay(value));
  return isTime && !Number.isNaN(new Date(value).getTime());
});

const REQUEST: FieldChecks<CheckRequest> = {
  domain: mustBeText,
  target: mustBeText,
  redirects: redirectEntries,
  plan,
  deployed: flag,
  certificate: flag,
  thorough: flag,
  probe: probeOptions,
  kind: mustBeOneOf('apex', 'subdomain'),
  issuer: mustBeText,
  verifiedAt: time,
  verifiedAtSource: mustBeOneOf('given', 'earlier-check', 'this-check'),
};

const { domain, target, probe, verifiedAt, verifiedAtSource } = REQUEST;
const CERTIFICATE_REQUEST: FieldChecks<CertificateRequest> = {
  domain,
  target,
  probe,
  verifiedAt,
  verifiedAtSource,
};

function probeOptions(value: unknown, field: string): Problem | undefined {
  return findProblem(value, PROBE, { what: field, noun: 'field', prefix: `${field}.` });
}

const PROBE: FieldChecks<ProbeOptions> = {
  connect: mustBe(
    'an IP address or a host name, without a port',
    (value) => typeof value === 'string' && isConnectHost(value),
  ),
  httpsPort: port,
  httpPort: port,
  ca: mustBeText,
  platform: flag,
};

/** A watch has `onPause` too. */
const OPTIONS: FieldChecks<CheckOptions & { onPause: unknown }> = {
  resolvers: texts,
  doh: mustBeText,
  usePublic: flag,
  authoritativePort: port,
  trace: flag,
  signal: mustBeSignal,
  timeoutMs: duration,
  clock: mustBeFullClock,
  random: mustBeFunction,
  dns: mustHaveMethods('an object with the methods query and close', 'query', 'close'),
  systemResolvers: servers,
  concurrency: count,
  attached: texts,
  projectRedirects: redirectEntries,
  route: mustBeFunction,
  until: mustBeOneOf('verified', 'active'),
  onPause: mustBeFunction,
};

function checkFields(
  given: unknown,
  checks: Readonly<Record<string, Check>>,
  noun: 'field' | 'option',
): void {
  const whole = noun === 'field' ? 'The request' : 'The options';
  if (!isObject(given)) throw new InvalidInputError(`${whole} must be an object`);
  const problem = findProblem(given, checks, { noun });
  if (problem !== undefined) throw invalidInput(problem);
}

function requireText(request: CertificateRequest, field: 'domain' | 'target', hint: string): void {
  if ((request[field] as unknown) === undefined) {
    throw new InvalidInputError(`${field} is missing`, { field, hint });
  }
}

function isPort(value: unknown): boolean {
  return isWhole(value) && value >= 1 && value <= 65_535;
}

function isWhole(value: unknown): value is number {
  return typeof value === 'number' && Number.isInteger(value);
}
