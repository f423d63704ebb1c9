import { InvalidInputError } from '../../errors.js';
import { suggestionFor } from '../../options/suggest.js';
import type { CheckOptions, CheckRequest, KnownPlan, ProbeTarget, RedirectEntry } from '../report/options.js';

/** Describes what a field must be. Returns `undefined` for a valid value. Only called for values that are set. */
type FieldCheck = (value: unknown) => string | undefined;

type FieldChecks<T> = Readonly<Record<keyof T, FieldCheck>>;

const PLANS = ['free', 'pro', 'business', 'enterprise'];

/**
 * Checks a request of a caller without TypeScript. The domain's syntax is checked later, and reported as a finding.
 *
 * @returns the request.
 * @throws InvalidInputError for an unknown, missing or invalid field.
 */
export function checkRequest(request: CheckRequest): CheckRequest {
  checkFields(request, REQUEST, { noun: 'field', whole: 'The request' });
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
  checkFields(options, OPTIONS, { noun: 'option', whole: 'The options' });
}

/** @throws InvalidInputError unless the value is a list of redirect entries. */
export function checkRedirectEntries(value: unknown): void {
  const problem = redirectEntries(value);
  if (problem !== undefined) throw new InvalidInputError(`redirects ${problem}`, { field: 'redirects' });
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
  if (typeof value !== 'string') throw new InvalidInputError('name must be a string', { field: 'name' });
}

const text: FieldCheck = (value) => (typeof value === 'string' ? undefined : 'must be a string');
const flag: FieldCheck = (value) => (typeof value === 'boolean' ? undefined : 'must be true or false');
const object: FieldCheck = (value) => (isObject(value) ? undefined : 'must be an object');
const callback: FieldCheck = (value) => (typeof value === 'function' ? undefined : 'must be a function');
const list: FieldCheck = (value) => (Array.isArray(value) ? undefined : 'must be a list');
const texts: FieldCheck = (value) =>
  Array.isArray(value) && value.every((entry) => typeof entry === 'string')
    ? undefined
    : 'must be an array of strings';
const port: FieldCheck = (value) =>
  isWhole(value) && value >= 1 && value <= 65_535 ? undefined : 'must be a port from 1 to 65535';
const duration: FieldCheck = (value) =>
  typeof value === 'number' && value >= 0 ? undefined : 'must be a number of milliseconds of at least 0';
const count: FieldCheck = (value) =>
  isWhole(value) && value >= 1 ? undefined : 'must be a whole number of at least 1';

function oneOf(...known: readonly string[]): FieldCheck {
  return (value) =>
    typeof value === 'string' && known.includes(value) ? undefined : `must be one of ${known.join(', ')}`;
}

function redirectEntries(value: unknown): string | undefined {
  const isEntry = (entry: unknown): boolean => {
    if (!isObject(entry)) return false;
    const { from, to, status } = entry as Partial<Record<keyof RedirectEntry, unknown>>;
    return typeof from === 'string' && typeof to === 'string' && isWhole(status);
  };
  return Array.isArray(value) && value.every(isEntry)
    ? undefined
    : 'must be a list of entries with from, to and status';
}

function plan(value: unknown): string | undefined {
  const name = isObject(value) ? (value as Partial<KnownPlan>).name : value;
  return typeof name === 'string' && PLANS.includes(name.trim().toLowerCase())
    ? undefined
    : `must be one of ${PLANS.join(', ')}`;
}

/** RFC 3339, section 5.6, as `Date.prototype.toJSON` writes it. A date without a time zone has no certain instant. */
const RFC_3339 = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?(?:Z|[+-]\d\d:\d\d)$/i;

function time(value: unknown): string | undefined {
  const isTime =
    value instanceof Date || (typeof value === 'string' && RFC_3339.test(value) && hasValidDay(value));
  return isTime && !Number.isNaN(new Date(value).getTime())
    ? undefined
    : 'must be a date or its RFC 3339 text, such as 2026-11-21T14:00:00Z';
}

/** `Date` reads 31 February as 3 March. RFC 3339, section 5.7, forbids it. */
function hasValidDay(text: string): boolean {
  return new Date(`${text.slice(0, 10)}T00:00:00Z`).getUTCDate() === Number(text.slice(8, 10));
}

function probe(value: unknown): string | undefined {
  if (!isObject(value)) return 'must be an object';
  checkFields(value, PROBE, { noun: 'field', whole: 'probe', prefix: 'probe.' });
  return undefined;
}

const REQUEST: FieldChecks<CheckRequest> = {
  domain: text,
  target: text,
  redirects: redirectEntries,
  plan,
  deployed: flag,
  certificate: flag,
  thorough: flag,
  probe,
  kind: oneOf('apex', 'subdomain'),
  issuer: text,
  verifiedAt: time,
  verifiedAtSource: oneOf('given', 'earlier-check', 'this-check'),
};

const PROBE: FieldChecks<ProbeTarget> = {
  connect: text,
  httpsPort: port,
  httpPort: port,
  ca: text,
  platform: flag,
};

/** A watch has `onPause` too. */
const OPTIONS: FieldChecks<CheckOptions & { onPause: unknown }> = {
  resolvers: texts,
  doh: text,
  usePublic: flag,
  authoritativePort: port,
  trace: flag,
  signal: object,
  timeoutMs: duration,
  clock: object,
  random: callback,
  dns: object,
  systemResolvers: list,
  concurrency: count,
  probes: object,
  until: oneOf('verified', 'active'),
  onPause: callback,
};

interface Subject {
  noun: 'field' | 'option';
  /** The checked value, as the start of a sentence. */
  whole: string;
  prefix?: string;
}

function checkFields(
  given: unknown,
  checks: Readonly<Record<string, FieldCheck>>,
  { noun, whole, prefix = '' }: Subject,
): void {
  if (!isObject(given)) throw new InvalidInputError(`${whole} must be an object`);
  for (const [name, value] of Object.entries(given)) {
    const check = Object.hasOwn(checks, name) ? checks[name] : undefined;
    if (check === undefined) {
      throw new InvalidInputError(`Unknown ${noun} ${JSON.stringify(prefix + name)}`, {
        field: prefix + name,
        hint: suggestionFor(name, Object.keys(checks)),
      });
    }
    const problem = value === undefined ? undefined : check(value);
    if (problem !== undefined) {
      throw new InvalidInputError(`${prefix + name} ${problem}`, { field: prefix + name });
    }
  }
}

function requireText(request: CheckRequest, field: 'domain' | 'target', hint: string): void {
  if ((request[field] as unknown) === undefined) {
    throw new InvalidInputError(`${field} is missing`, { field, hint });
  }
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function isWhole(value: unknown): value is number {
  return typeof value === 'number' && Number.isInteger(value);
}
