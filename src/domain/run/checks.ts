import type { NameAddresses } from '../gather/aliases.js';
import { parseTarget } from '../request/subject.js';
import type {
  CertificateCheck,
  CertificateRequest,
  CheckOptions,
  CheckRequest,
  RedirectsCheck,
  RedirectsRequest,
} from '../request/options.js';
import type { Report } from '../report/report.js';
import {
  checkCertificateRequest,
  checkName,
  checkOptions,
  checkRedirectsRequest,
  checkRequest,
  checkRequests,
} from '../request/check-arguments.js';
import { type Checker, createChecker, type PlannedDomain } from './checker.js';
import { createLimiter } from '../dns/concurrency/limiter.js';

/**
 * Checks a custom domain (interface specification, "What the service does").
 *
 * Finds the zone of the domain and queries each of its name servers. Queries resolvers only if the record is right
 * there, so that no resolver caches its absence. Reports a failed query as unknown, never as a missing record.
 *
 * @returns The report: findings with their fixes, and when the record becomes visible. State `invalid` for an invalid name.
 * @throws InvalidInputError for an unknown or invalid field or option, and if the target is not a host name.
 * @throws AbortedError if `options.signal` is aborted, with its reason as `cause`.
 * @example
 * const report = await checkDomain({ domain: 'shop.example.com', target: 'cname.example.net' });
 * if (report.state !== 'verified') console.log(report.findings.map(({ message }) => message));
 */
export function checkDomain(request: CheckRequest, options: CheckOptions = {}): Promise<Report> {
  return withChecker(options, (checker) => {
    parseTarget(checkRequest(request).target);
    return checker.check(request);
  });
}

/**
 * Checks many domains, several at the same time. Looks up each shared zone, name server and target once.
 *
 * @param requests Read while the checks run, so there may be any number.
 * @returns One report for each request, in their order, as soon as it is ready. State `invalid` for an invalid name or
 * target, which does not end the other checks.
 * @throws InvalidInputError for an unknown or invalid field or option.
 * @throws AbortedError if `options.signal` is aborted, with its reason as `cause`.
 * @example
 * const requests = ['shop.example.com', 'example.com'].map((domain) => ({ domain, target: 'cname.example.net' }));
 * for await (const { domain, state } of checkDomains(requests)) console.log(domain.unicode, state);
 */
export function checkDomains(
  requests: Iterable<CheckRequest> | AsyncIterable<CheckRequest>,
  options: CheckOptions = {},
): AsyncGenerator<Report, void, undefined> {
  return mapInOrder(requests, options, (checker, request) => checker.check(checkRequest(request)));
}

/**
 * Checks the redirect entries of a project (interface specification, "What the service does", 9): first as data, then by
 * HTTP and HTTPS requests.
 *
 * @throws InvalidInputError if the target is not a host name, or a resolver or a CA certificate is invalid.
 * @throws AbortedError if `options.signal` is aborted, with its reason as `cause`.
 * @example
 * const { findings } = await checkRedirects({
 *   redirects: [{ from: 'www.example.com', to: 'example.com', status: 301 }],
 * });
 */
export function checkRedirects(
  request: RedirectsRequest,
  options: CheckOptions = {},
): Promise<RedirectsCheck> {
  return withChecker(options, (checker) => {
    checkRedirectsRequest(request);
    return checker.redirects(request);
  });
}

/**
 * Checks the certificate of a domain at each of its addresses, even if its records are wrong.
 *
 * @throws InvalidInputError if the domain is not a host name, or a resolver or a CA certificate is invalid.
 * @throws AbortedError if `options.signal` is aborted, with its reason as `cause`.
 * @example
 * const { certificate, findings } = await checkCertificate({ domain: 'shop.example.com' });
 */
export function checkCertificate(
  request: CertificateRequest,
  options: CheckOptions = {},
): Promise<CertificateCheck> {
  return withChecker(options, (checker) => {
    checkCertificateRequest(request);
    return checker.certificate(request);
  });
}

/**
 * Plans the DNS records of domains: which to set in which zone, which to remove first, and when they are visible.
 * Makes the same queries as {@link checkDomains}. If no server responds, the public suffix list decides on the zone.
 *
 * @throws As {@link checkDomains}.
 * @example
 * const requests = [{ domain: 'shop.example.com', target: 'cname.example.net' }];
 * for await (const planned of planRecords(requests)) {
 *   if (planned.ok) console.log(planned.plan.zone, planned.plan.expected);
 * }
 */
export function planRecords(
  requests: Iterable<CheckRequest> | AsyncIterable<CheckRequest>,
  options: CheckOptions = {},
): AsyncGenerator<PlannedDomain, void, undefined> {
  return mapInOrder(requests, options, (checker, request) => checker.plan(checkRequest(request)));
}

/**
 * Finds the A and AAAA records of a name at the name servers of its own zone, through aliases and across zones.
 * Queries no resolver for the name.
 *
 * @param name A host name, ASCII or Unicode, such as `shop.example.com` or `müller.example`.
 * @throws InvalidInputError if `name` is not a host name or a resolver is invalid.
 * @throws AbortedError if `options.signal` is aborted, with its reason as `cause`.
 * @example
 * const { outcome, addresses } = await addressesOf('shop.example.com');
 */
export function addressesOf(name: string, options: CheckOptions = {}): Promise<NameAddresses> {
  return withChecker(options, (checker) => {
    checkName(name);
    return checker.addressesOf(name);
  });
}

async function withChecker<T>(options: CheckOptions, work: (checker: Checker) => Promise<T>): Promise<T> {
  checkOptions(options);
  const checker = await createChecker(options);
  try {
    return await work(checker);
  } finally {
    checker.close();
  }
}

const CONCURRENCY = 32;
/** Items that may be started for each one that runs: most of them only wait for a TTL to count down. */
const STARTED_PER_SLOT = 8;

/**
 * Maps items with one checker, several at the same time, and yields the results in the order of the items.
 *
 * @param items Read while the work runs, so there may be any number.
 * @throws InvalidInputError if `items` is no list, or for an unknown or invalid option.
 */
export async function* mapInOrder<T, U>(
  items: Iterable<T> | AsyncIterable<T>,
  options: CheckOptions,
  map: (checker: Checker, item: T) => Promise<U>,
): AsyncGenerator<U, void, undefined> {
  checkRequests(items);
  checkOptions(options);
  const { concurrency = CONCURRENCY } = options;
  const limiter = createLimiter(concurrency);
  const checker = await createChecker(options, { runPause: (pause) => limiter.runReleased(pause) });
  const started: Promise<U>[] = [];
  try {
    for await (const item of items) {
      const result = limiter.run(() => map(checker, item));
      // The failure is thrown in order below, or never if the caller stops before.
      result.catch(() => undefined);
      started.push(result);
      if (started.length >= concurrency * STARTED_PER_SLOT) yield* takeFirst(started);
    }
    while (started.length > 0) yield* takeFirst(started);
  } finally {
    checker.close();
  }
}

async function* takeFirst<U>(started: Promise<U>[]): AsyncGenerator<U, void, undefined> {
  const result = started.shift();
  if (result !== undefined) yield await result;
}
