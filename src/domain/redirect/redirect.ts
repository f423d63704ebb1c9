import type { ProbeContext, RedirectEntry } from '../report/options.js';
import { probeAddresses } from '../probe/probe-addresses.js';
import { requestHttp } from './probe-http.js';
import type { ProbeLimits } from '../probe/probe-time.js';
import type { ProbeFailure } from '../probe/probe-failure.js';
import { secureContextFor } from '../probe/probe-tls.js';
import type { ProbePorts, RedirectFacts, RedirectHop, RedirectWalk } from './redirect-facts.js';
import { nextUrl } from './redirect-view.js';
import { HTTPS_PORT } from '../certificate/probe-certificate.js';
import { createLimiter } from '../concurrency/limiter.js';

const HTTP_PORT = 80;
const ENTRIES_AT_ONCE = 4;
/** Of a host whose first addresses can't be reached, as visitors' browsers go on too. */
const ADDRESSES_TRIED_MAX = 3;

/**
 * Walks each entry from http and from https, as a visitor would, with a path and a query. What could not be asked is a
 * fact as well.
 *
 * @param entries Hosts in ASCII.
 * @param token Makes path and query such as no site has: letters and digits.
 * @throws InvalidInputError where the authorities to trust can't be read.
 */
export async function probeRedirects(
  entries: readonly RedirectEntry[],
  place: ProbeContext,
  limits: ProbeLimits,
  token: string,
): Promise<RedirectFacts[]> {
  const { now, probe } = place;
  const ports = { http: probe.httpPort ?? HTTP_PORT, https: probe.httpsPort ?? HTTPS_PORT };
  const path = `/petstore-check/${token}?probe=${token}`;
  const ask = createAsker(place, ports, limits);
  const slots = createLimiter(ENTRIES_AT_ONCE);
  return Promise.all(
    entries.map((entry) =>
      slots.run(async () => {
        const walks = await Promise.all([
          walk('http', entry, path, ports, ask),
          walk('https', entry, path, ports, ask),
        ]);
        return { entry, checkedAt: now, path, ports, walks };
      }),
    ),
  );
}

type Ask = (url: URL) => Promise<Omit<RedirectHop, 'url'>>;

/** Where a host is asked. */
interface Doors {
  addresses: readonly string[];
  /** Why there is none. */
  none: ProbeFailure;
}

/** Makes what asks a URL at its host's addresses, which are looked up once. */
function createAsker(place: ProbeContext, ports: ProbePorts, limits: ProbeLimits): Ask {
  const { target, probe } = place;
  const trust = secureContextFor(probe.ca);
  const known = new Map<string, Promise<Doors>>();
  return async (url) => {
    const found = known.get(url.hostname) ?? findDoors(url.hostname, place);
    known.set(url.hostname, found);
    const { addresses, none } = await found;
    const port = url.protocol === 'https:' ? ports.https : ports.http;
    let hop: Omit<RedirectHop, 'url'> = { response: none };
    for (const address of addresses.slice(0, ADDRESSES_TRIED_MAX)) {
      hop = {
        endpoint: { address, port },
        ...(await requestHttp({ url, address, port, target, trust }, limits)),
      };
      if (hop.response.kind !== 'unreachable' && hop.response.kind !== 'no-route') break;
    }
    return hop;
  };
}

async function findDoors(host: string, place: ProbeContext): Promise<Doors> {
  const { connect } = place.probe;
  const found = connect === undefined ? await place.addressesOf(host) : undefined;
  const { allowed, refused } = await probeAddresses(place, () => found?.addresses ?? []);
  const nowhere: ProbeFailure =
    found?.outcome === 'missing'
      ? { kind: 'no-address', detail: `${host} has no address` }
      : found?.ranOut === true
        ? { kind: 'aborted', detail: `the time allowed ran out before ${host} had been looked up` }
        : { kind: 'unreachable', detail: `no address of ${connect ?? host} was found` };
  return { addresses: allowed, none: refused[0]?.failure ?? nowhere };
}

async function walk(
  scheme: RedirectWalk['scheme'],
  entry: RedirectEntry,
  path: string,
  ports: ProbePorts,
  ask: Ask,
): Promise<RedirectWalk> {
  const hops: RedirectHop[] = [];
  let url: URL | undefined = new URL(`${scheme}://${entry.from}${path}`);
  while (url !== undefined) {
    hops.push({ url: url.href, ...(await ask(url)) });
    url = nextUrl({ scheme, hops }, entry, ports);
  }
  return { scheme, hops };
}
