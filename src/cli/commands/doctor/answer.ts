import { AuthenticationError, RateLimitError } from '../../../errors.js';
import type { Session } from '../../session/action.js';
import { type Context, Interruption } from '../../system/context.js';
import { type Handshake, HandshakeFailure } from '../../system/inspector.js';
import type { Answered, ConnectionFact, MachineFacts, ServiceFact } from './facts.js';
import { faultOf, isFault, isNotAsked, notAsked } from './fault.js';
import { TimeLimitError } from '../../system/time-limit.js';

/** What comes of one request: it is sent only where the key may go there, and the way is open. */
export async function lookAtAnswer(
  { key, destination }: Pick<MachineFacts, 'key' | 'destination'>,
  connection: ConnectionFact,
  session: Session,
): Promise<ServiceFact> {
  if (session.recorder === undefined) {
    if (key === 'none' || isFault(key) || isNotAsked(key)) return notAsked('there is no key to ask with');
    if (isFault(destination)) return notAsked('nobody has confirmed that the key may go there');
    if (!session.global.mock && 'notAsked' in connection) return notAsked(connection.notAsked);
    if ('seen' in connection && isClosed(connection.seen)) return notAsked('there is no way to it');
  }
  const startedAt = session.context.clock.now();
  try {
    const store = await session.client({ once: true, mayPrompt: false });
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
  const reason: unknown = context.signal.aborted ? context.signal.reason : error;
  // --dry-run and --curl show the request, and that is all.
  if (recorder !== undefined || reason instanceof Interruption) throw error;
  if (reason instanceof TimeLimitError) return faultOf(reason);
  if (error instanceof AuthenticationError) return answered('refused', error.headers, startedAt, context);
  if (error instanceof RateLimitError) {
    if (error.outcome !== 'refused') return notAsked('the rate limit is used up: petstore limits');
    return { ...answered('accepted', error.headers, startedAt, context), isLimited: true };
  }
  return faultOf(error);
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
