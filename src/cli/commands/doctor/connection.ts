import { isIP } from 'node:net';
import type { Session } from '../../session/action.js';
import { type Endpoint, endpointOf } from '../../system/endpoint.js';
import { isLoopback } from '../../config/settings.js';
import { HandshakeFailure } from '../../system/inspector.js';
import { networkSettings } from '../../network/proxy.js';
import type { ConnectionFact, MachineFacts, NotAsked, ResolverAnswer, ResolversFact } from './facts.js';
import { foundOrFault, isFault, isTold, notAsked } from './fault.js';
import { withTimeLimit } from '../../system/time-limit.js';

const KNOCK_TIMEOUT_MS = 10_000;
const RESOLVER_TIMEOUT_MS = 5_000;

/** One connection to look at. No byte of a request is sent on it. */
export async function lookAtConnection(
  { baseUrl }: Pick<MachineFacts, 'baseUrl'>,
  session: Session,
): Promise<ConnectionFact> {
  const place = placeOf(baseUrl, session);
  if ('notAsked' in place) return place;
  const way = await foundOrFault(() => networkSettings(place.url, session.global.caFile, session.context));
  if (isFault(way)) return notAsked(way.fault);
  const { context } = session;
  const { host, port, isTls } = place;
  try {
    const inspector = await context.inspector();
    const seen = await withTimeLimit(KNOCK_TIMEOUT_MS, context, (signal) =>
      inspector.shakeHands({ host, port, isTls, ...way }, signal),
    );
    return { host, port, seen };
  } catch (error) {
    const seen = error instanceof HandshakeFailure ? error : new HandshakeFailure('connection', error);
    return { host, port, seen };
  }
}

/** What each resolver of the machine says of the base URL's host, all of them asked at once. */
export async function lookAtResolvers(
  { baseUrl, proxy }: Pick<MachineFacts, 'baseUrl' | 'proxy'>,
  offline: boolean,
  session: Session,
): Promise<ResolversFact> {
  const { context } = session;
  const inspector = await context.inspector();
  const servers = inspector.resolvers();
  if (offline) return { servers, asked: notAsked('--offline') };
  const place = placeOf(baseUrl, session);
  if ('notAsked' in place) return { servers, asked: place };
  const why = whyUnasked(place, proxy);
  if (why !== undefined) return { servers, asked: notAsked(why) };
  const { host: name } = place;
  const ask = async (resolver: string): Promise<ResolverAnswer> => {
    try {
      const addresses = await withTimeLimit(RESOLVER_TIMEOUT_MS, context, (signal) =>
        inspector.resolve(name, resolver, signal),
      );
      return { resolver, addresses };
    } catch (error) {
      return { resolver, code: error instanceof Error ? error.message : String(error) };
    }
  };
  return { servers, asked: { name, answers: await Promise.all(servers.map(ask)) } };
}

interface Place extends Endpoint {
  url: string;
}

function placeOf(baseUrl: MachineFacts['baseUrl'], session: Session): Place | NotAsked {
  if (session.global.mock) return notAsked('the mock is in this very process');
  if (session.recorder !== undefined) return notAsked('nothing is sent');
  if (!isTold(baseUrl)) return notAsked('there is no base URL');
  return { url: baseUrl.url, ...endpointOf(new URL(baseUrl.url)) };
}

/** Names that a resolver has nothing to do with are not told to it. */
function whyUnasked({ host }: Place, proxy: MachineFacts['proxy']): string | undefined {
  if (isIP(host) !== 0) return 'the base URL names an address';
  if (isLoopback(host)) return 'the base URL is of this machine';
  if (typeof proxy === 'object' && 'address' in proxy) return `the proxy looks up ${host}`;
  return host.includes('.') ? undefined : `${host} is a name of this network alone`;
}
