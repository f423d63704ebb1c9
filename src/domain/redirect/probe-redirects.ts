import type { ProbeContext, RedirectEntry } from '../report/options.js';
import { probeAddresses } from '../probe/probe-addresses.js';
import { requestHttp } from './request-http.js';
import type { ProbeLimits } from '../probe/probe-failure.js';
import type { ProbeFailure } from '../probe/probe-failure.js';
import { secureContextFor } from '../probe/probe-tls.js';
import { nextUrl, type ProbePorts, type RedirectHop, type RedirectWalk } from './redirect-walk.js';
import { HTTPS_PORT } from '../certificate/probe-certificate.js';
import { createLimiter } from '../concurrency/limiter.js';

/** Results of probing one redirect entry. */
export interface RedirectFacts {
  /** Hosts in ASCII. */
  entry: RedirectEntry;
  /** Milliseconds since the epoch. */
  checkedAt: number;
  /** Requested path and query, such as `/petstore-check/4f?probe=4f`. */
  path: string;
  ports: ProbePorts;
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
  context: ProbeContext,
  limits: ProbeLimits,
  token: string,
): Promise<RedirectFacts[]> {
  const { now, probe } = context;
  const ports = { http: probe.httpPort ?? HTTP_PORT, https: probe.httpsPort ?? HTTPS_PORT };
  const path = `/petstore-check/${token}?probe=${token}`;
  const request = createRequester(context, ports, limits);
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
function createRequester(context: ProbeContext, ports: ProbePorts, limits: ProbeLimits): RequestUrl {
  const { target, probe } = context;
  const trust = secureContextFor(probe.ca);
  const { route } = limits;
  const hasRoute = (address: string): boolean =>
    [ports.http, ports.https].some((port) => route?.({ address, port }) !== undefined);
  const known = new Map<string, Promise<HostAddresses>>();
  return async (url) => {
    const found = known.get(url.hostname) ?? findAddresses(url.hostname, context, hasRoute);
    known.set(url.hostname, found);
    const { addresses, failure } = await found;
    const port = url.protocol === 'https:' ? ports.https : ports.http;
    let hop: Omit<RedirectHop, 'url'> = { response: failure };
    for (const address of addresses.slice(0, ADDRESSES_TRIED_MAX)) {
      hop = {
        endpoint: { address, port },
        ...(await requestHttp(
          { url, ...(route?.({ address, port }) ?? { address, port }), target, trust },
          limits,
        )),
      };
      if (hop.response.kind !== 'unreachable' && hop.response.kind !== 'no-route') break;
    }
    return hop;
  };
}

async function findAddresses(
  host: string,
  context: ProbeContext,
  hasRoute: (address: string) => boolean,
): Promise<HostAddresses> {
  const { connect } = context.probe;
  const found = connect === undefined ? await context.addressesOf(host) : undefined;
  const { allowed, refused } = await probeAddresses(context, () => found?.addresses ?? [], hasRoute);
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
  ports: ProbePorts,
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
