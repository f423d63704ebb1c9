import type { ProbeRoute, RedirectEntry } from '../request/options.js';
import type { ProbeRequest } from './probe-request.js';
import { probeAddresses } from './probe-addresses.js';
import { hostOf, type HttpResult, requestHttp } from './request-http.js';
import {
  CONNECTION_CLOSED,
  CONNECTION_REFUSED,
  type ProbeFailure,
  type ProbeLimits,
} from './probe-failure.js';
import { secureContextFor } from './probe-tls.js';
import { HTTPS_PORT } from './probe-certificate.js';
import { createLimiter } from '../dns/concurrency/limiter.js';

/** Results of probing one redirect entry. */
export interface RedirectFacts {
  /** Hosts in ASCII. */
  entry: RedirectEntry;
  /** Milliseconds since the epoch. */
  checkedAt: number;
  /** Requested path and query, such as `/petstore-check/4f?probe=4f`. */
  path: string;
  ports: Ports;
  /** One that starts with http, one that starts with https. */
  walks: readonly RedirectWalk[];
}

const HTTP_PORT = 80;
const CONCURRENCY = 4;
/** Tries more than one address, as browsers do. */
const ADDRESSES_TRIED_MAX = 3;

/**
 * Requests each entry over http and https, with a path and a query, and follows its redirects. A failed request is a
 * fact too.
 *
 * @param entries Hosts in ASCII.
 * @param token Letters and digits that make path and query unique.
 * @throws InvalidInputError if the certificate authorities of `ca` can't be read.
 */
export async function probeRedirects(
  entries: readonly RedirectEntry[],
  probed: ProbeRequest,
  limits: ProbeLimits,
  token: string,
): Promise<RedirectFacts[]> {
  const { now, probe } = probed;
  const ports = { http: probe.httpPort ?? HTTP_PORT, https: probe.httpsPort ?? HTTPS_PORT };
  const path = `/petstore-check/${token}?probe=${token}`;
  const request = createRequester(probed, ports, limits);
  const limiter = createLimiter(CONCURRENCY);
  return Promise.all(
    entries.map((entry) =>
      limiter.run(async () => {
        const walks = await Promise.all([
          walk('http', entry, path, ports, request),
          walk('https', entry, path, ports, request),
        ]);
        return { entry, checkedAt: now.getTime(), path, ports, walks };
      }),
    ),
  );
}

type RequestUrl = (url: URL) => Promise<Omit<RedirectHop, 'url'>>;

/** The addresses of a host that may be probed. */
interface HostAddresses {
  addresses: readonly string[];
  /** Why there is no address, if `addresses` is empty. */
  failure: ProbeFailure;
}

/** Creates a function that requests a URL at its host's addresses. Looks up each host once. */
function createRequester(probed: ProbeRequest, ports: Ports, limits: ProbeLimits): RequestUrl {
  const { target, probe } = probed;
  const trust = secureContextFor(probe.ca);
  const { route } = limits;
  const known = new Map<string, Promise<HostAddresses>>();
  return async (url) => {
    const host = hostOf(url);
    const found = known.get(host) ?? findAddresses(host, probed, ports, route);
    known.set(host, found);
    const { addresses, failure } = await found;
    const port = url.protocol === 'https:' ? ports.https : ports.http;
    const failed: Omit<RedirectHop, 'url'>[] = [];
    for (const address of addresses) {
      const options = { url, ...(route({ address, port }) ?? { address, port }), target, trust };
      const first = await requestHttp(options, limits);
      const result = first.response === CONNECTION_CLOSED ? await requestHttp(options, limits) : first;
      const hop = { endpoint: { address, port }, ...result };
      if (!isWithoutConnection(hop)) return hop;
      failed.push(hop);
      // An address without a route says nothing.
      if (failed.filter(({ response }) => response.kind !== 'no-route').length >= ADDRESSES_TRIED_MAX) break;
    }
    return mostTelling(failed) ?? { response: failure };
  };
}

/** Whether there was no connection, so that browsers try the next address. */
function isWithoutConnection({ response }: Omit<RedirectHop, 'url'>): boolean {
  const { kind } = response;
  return kind === 'unreachable' || kind === 'no-route' || response === CONNECTION_REFUSED;
}

/** Only if no address may respond elsewhere, the refused connection counts. */
function mostTelling(failed: readonly Omit<RedirectHop, 'url'>[]): Omit<RedirectHop, 'url'> | undefined {
  return (
    failed.find(({ response }) => response.kind === 'unreachable') ??
    failed.find(({ response }) => response.kind === 'refused') ??
    failed[0]
  );
}

async function findAddresses(
  host: string,
  probed: ProbeRequest,
  { http, https }: Ports,
  route: ProbeRoute,
): Promise<HostAddresses> {
  const { connect } = probed.probe;
  const found = connect === undefined ? await probed.addressesOf(host) : undefined;
  const { allowed, refused } = await probeAddresses(
    probed,
    () => found?.addresses ?? [],
    [http, https],
    route,
  );
  const noAddress: ProbeFailure =
    found?.outcome === 'missing'
      ? { kind: 'no-address', detail: `${host} has no address` }
      : found?.ranOut === true
        ? { kind: 'aborted', detail: `the time limit ended the lookup of ${host}` }
        : { kind: 'unreachable', detail: `no address of ${connect ?? host} was found` };
  return { addresses: allowed, failure: refused[0]?.failure ?? noAddress };
}

async function walk(
  scheme: RedirectWalk['scheme'],
  entry: RedirectEntry,
  path: string,
  ports: Ports,
  request: RequestUrl,
): Promise<RedirectWalk> {
  const hops: RedirectHop[] = [];
  let url: URL | undefined = new URL(`${scheme}://${entry.from}${path}`);
  while (url !== undefined) {
    hops.push({ url: url.href, ...(await request(url)) });
    url = nextUrl({ scheme, hops }, entry, ports);
  }
  return { scheme, hops };
}

/** Ports of the requests. */
export interface Ports {
  http: number;
  https: number;
}

/** The requests of a visitor who follows the redirects of `from`, up to a limit. */
export interface RedirectWalk {
  scheme: 'http' | 'https';
  hops: readonly RedirectHop[];
}

/** One request of a walk, with its result. */
export interface RedirectHop extends HttpResult {
  url: string;
  /** Absent if no address could be connected to. */
  endpoint?: { address: string; port: number };
}

/** Statuses that browsers follow (RFC 9110, section 15.4). */
export const REDIRECT_STATUSES: ReadonlySet<number> = new Set([301, 302, 303, 307, 308]);

/** Browsers follow 20 redirects. */
const HOPS_MAX = 21;

/** The URL that a hop redirects to; `undefined` if it does not redirect. */
export function redirectUrl({ url, response }: RedirectHop): URL | undefined {
  if (response.kind !== 'response' || response.location === undefined) return undefined;
  if (!REDIRECT_STATUSES.has(response.status) || !URL.canParse(response.location, url)) return undefined;
  const target = new URL(response.location, url);
  return target.protocol === 'http:' || target.protocol === 'https:' ? target : undefined;
}

/** The hop that redirects from `from` to another host. Its status and target are compared with the entry. */
export function leavingHop(walk: RedirectWalk, { from }: RedirectEntry): RedirectHop | undefined {
  return walk.hops.find((hop) => {
    const target = redirectUrl(hop);
    return target !== undefined && hostOf(new URL(hop.url)) === from && hostOf(target) !== from;
  });
}

/**
 * The URL to request next; `undefined` at the end. Only the hosts of the entry, at the probed ports: a response must
 * not send the probe to other hosts.
 */
function nextUrl(walk: RedirectWalk, entry: RedirectEntry, ports: Ports): URL | undefined {
  const last = walk.hops.at(-1);
  const target = last === undefined ? undefined : redirectUrl(last);
  if (target === undefined || walk.hops.length >= HOPS_MAX || isLoop(walk, entry)) return undefined;
  const isOwnHost = hostOf(target) === entry.from || hostOf(target) === entry.to;
  return isOwnHost && isProbedPort(target, ports) ? target : undefined;
}

/** Whether a walk returns to a requested URL, returns to `from`, or exceeds the limit. */
export function isLoop({ hops }: RedirectWalk, { from }: RedirectEntry): boolean {
  const last = hops.at(-1);
  const target = last === undefined ? undefined : redirectUrl(last);
  if (last === undefined || target === undefined) return false;
  if (hops.some(({ url }) => new URL(url).href === withoutHash(target))) return true;
  if (hostOf(target) === from && hostOf(new URL(last.url)) !== from) return true;
  return hops.length >= HOPS_MAX;
}

/** Whether a URL has no port, or the one that is probed for its scheme. */
export function isProbedPort({ protocol, port }: URL, ports: Ports): boolean {
  return port === '' || Number(port) === (protocol === 'https:' ? ports.https : ports.http);
}

/** The URL without its fragment, which is never sent. */
function withoutHash(url: URL): string {
  const copy = new URL(url);
  copy.hash = '';
  return copy.href;
}
