import { AuthenticationError, isPetStoreError, RateLimitError } from '../../../errors.js';
import type { Session } from '../../action.js';
import { type Context, Interruption } from '../../context.js';
import { chosenGate } from '../../gate.js';
import { type Door, type Handshake, HandshakeFailure } from '../../inspector.js';
import { networkWay } from '../../proxy.js';
import type { Answered, ConnectionFact, DoctorFacts, GateFact, NotAsked, ServiceFact } from './facts.js';
import { faultOf, foundOrFault, isFault } from './fault.js';
import type { MachineFacts } from './machine.js';

const KNOCK_TIMEOUT_MS = 10_000;

/** What only the network tells: one connection to look at, and one request. */
export async function lookAtService(
  machine: MachineFacts,
  offline: boolean,
  session: Session,
): Promise<Pick<DoctorFacts, 'connection' | 'service' | 'gate'>> {
  const { gate } = machine;
  if (offline) return { connection: notAsked('--offline'), service: notAsked('--offline'), gate };
  const connection = await lookAtConnection(machine, session);
  const service = await lookAtAnswer(machine, connection, session);
  return { connection, service, gate: await withRedis(gate, session) };
}

async function lookAtConnection({ baseUrl }: MachineFacts, session: Session): Promise<ConnectionFact> {
  if (session.global.mock) return notAsked('the mock is in this very process');
  if (session.recorder !== undefined) return notAsked('nothing is sent');
  if (typeof baseUrl === 'string' || isFault(baseUrl)) return notAsked('there is no base URL');
  const { hostname, port, protocol } = new URL(baseUrl.url);
  const isTls = protocol === 'https:';
  const place = { host: hostname.replace(/^\[(.*)\]$/, '$1'), port: Number(port) || (isTls ? 443 : 80) };
  const url = baseUrl.url;
  const way = await foundOrFault(() => networkWay(url, session));
  if (isFault(way)) return notAsked(way.fault);
  return { ...place, seen: await knock({ ...place, isTls, ...way }, session) };
}

/** Within a time of its own, so that a silent host is found out. */
async function knock(door: Door, { context, global }: Session): Promise<Handshake | HandshakeFailure> {
  const late = new AbortController();
  const cancel = context.clock.setTimeout(() => {
    late.abort(new HandshakeFailure('connection', 'no answer in time'));
  }, global.timeoutMs ?? KNOCK_TIMEOUT_MS);
  try {
    const inspector = await context.inspector();
    return await inspector.shakeHands(door, AbortSignal.any([context.signal, late.signal]));
  } catch (error) {
    context.signal.throwIfAborted();
    return error instanceof HandshakeFailure ? error : new HandshakeFailure('connection', error);
  } finally {
    cancel();
  }
}

async function lookAtAnswer(
  { key }: MachineFacts,
  connection: ConnectionFact,
  session: Session,
): Promise<ServiceFact> {
  if (session.recorder === undefined) {
    if (key === 'none' || isFault(key)) return notAsked('there is no key to ask with');
    if (!session.global.mock && 'notAsked' in connection) return notAsked(connection.notAsked);
    if ('seen' in connection && isClosed(connection.seen)) return notAsked('there is no way to it');
  }
  const startedAt = session.context.clock.now();
  try {
    const store = await session.client({ once: true });
    const { response } = await store.pets
      .list({ limit: 1 }, { signal: session.context.signal })
      .withResponse();
    return answered('accepted', response.headers, startedAt, session.context);
  } catch (error) {
    return refusal(error, startedAt, session);
  }
}

/** Nothing is sent to somebody whose certificate is not trusted: the request would end there. */
function isClosed(seen: Handshake | HandshakeFailure): boolean {
  return seen instanceof HandshakeFailure || seen.certificate?.distrust !== undefined;
}

function refusal(error: unknown, startedAt: number, { context, recorder }: Session): ServiceFact {
  // --dry-run and --curl show the request, and that is all.
  if (recorder !== undefined || error instanceof Interruption || context.signal.aborted) throw error;
  if (error instanceof AuthenticationError) return answered('refused', error.headers, startedAt, context);
  if (error instanceof RateLimitError) {
    if (error.outcome !== 'refused') return notAsked('the rate limit is used up: petstore limits');
    return { ...answered('accepted', error.headers, startedAt, context), isLimited: true };
  }
  if (!isPetStoreError(error) && !(error instanceof Error)) throw error;
  return { fault: faultOf(error) };
}

function answered(
  key: Answered['key'],
  headers: Readonly<Record<string, string>>,
  startedAt: number,
  { clock }: Context,
): Answered {
  const date = Date.parse(headers.date ?? '');
  const middle = (startedAt + clock.now()) / 2;
  // The header leaves out the fraction of a second.
  return { key, isLimited: false, ...(Number.isNaN(date) ? {} : { skewMs: date + 500 - middle }) };
}

/** Whether a Redis that is to keep the budget answers at all. */
async function withRedis(
  gate: DoctorFacts['gate'],
  session: Session,
): Promise<GateFact | DoctorFacts['gate']> {
  if (isFault(gate) || gate.kind !== 'redis' || session.recorder !== undefined) return gate;
  const choice = chosenGate(session.context);
  if (typeof choice === 'string') return gate;
  const { hostname, port, protocol } = new URL(choice.redisUrl);
  const door = {
    host: hostname.replace(/^\[(.*)\]$/, '$1'),
    port: Number(port) || 6_379,
    isTls: protocol === 'rediss:',
  };
  const seen = await knock(door, session);
  return seen instanceof HandshakeFailure ? { ...gate, obstacle: seen.message } : gate;
}

function notAsked(why: string): NotAsked {
  return { notAsked: why };
}
