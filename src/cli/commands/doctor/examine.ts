import type { Session } from '../../session/action.js';
import { startTimeLimit } from '../../system/time-limit.js';
import { lookAtAnswer } from './answer.js';
import type { Check } from './check.js';
import { lookAtConnection, lookAtResolvers } from './connection.js';
import { diagnose } from './diagnose.js';
import type { MachineFacts, NetworkFacts } from './facts.js';
import { isFault, isTold, notAsked } from './fault.js';
import { lookAtBudget, lookAtGate } from './gate-place.js';
import { lookAtMachine } from './machine.js';
import { soundSession, type Unsound } from './sound-session.js';

/** Without --timeout. Each look that may take long has a shorter limit of its own, but for the request. */
const WHOLE_TIMEOUT_MS = 30_000;

/** What is asked for, and what was looked at first. */
export interface Examination extends Pick<MachineFacts, 'openPlaces'> {
  offline: boolean;
  unsound: Unsound;
}

/**
 * Looks at everything, and is stopped by nothing that it finds. What is unsound is told once and left out for the rest.
 *
 * @throws Interruption on ^C, and with --curl or --dry-run what ends the command there.
 */
export async function examine(
  { offline, openPlaces, unsound }: Examination,
  asked: Session,
): Promise<Check[]> {
  const { context, global } = asked;
  const { signal, cancel } = startTimeLimit(global.timeoutMs ?? WHOLE_TIMEOUT_MS, context);
  const sessions: Session[] = [];
  const open = (isGateUsable?: boolean): Session => {
    const session = soundSession(asked, unsound, signal, isGateUsable);
    if (session !== asked) sessions.push(session);
    return session;
  };
  try {
    const session = open();
    const machine = await lookAtMachine({ unsound, openPlaces, session });
    const network = await lookAtNetwork({ machine, unsound, offline, session, open });
    context.signal.throwIfAborted();
    return diagnose({ ...machine, ...network });
  } finally {
    cancel();
    await Promise.allSettled(sessions.map((session) => session.close()));
  }
}

interface Way {
  machine: MachineFacts;
  unsound: Unsound;
  offline: boolean;
  session: Session;
  /** Opens one that leaves out what is unsound, and the place of the rate budget where it is told to. */
  open: (isGateUsable?: boolean) => Session;
}

/** Side by side, but for the request: it is sent only where the rest says that it may be. */
async function lookAtNetwork({ machine, unsound, offline, session, open }: Way): Promise<NetworkFacts> {
  const [connection, resolvers, gate] = await Promise.all([
    offline ? notAsked('--offline') : lookAtConnection(machine, session),
    lookAtResolvers(machine, offline, session),
    unsound.gate ?? lookAtGate(session, offline),
  ]);
  const obstacle = isFault(gate) ? undefined : gate.obstacle;
  // Told of already: the request would only wait for it once more.
  const asking = obstacle === undefined ? session : open(false);
  const service = offline ? notAsked('--offline') : await lookAtAnswer(machine, connection, asking);
  const isReadable = isTold(machine.destination) && obstacle === undefined;
  if (!isReadable || isFault(gate) || gate.kind === 'memory' || (offline && gate.kind === 'redis'))
    return { connection, resolvers, gate, service };
  const budget = await lookAtBudget(asking);
  const known = budget === undefined ? gate : { ...gate, budget };
  return { connection, resolvers, gate: known, service };
}
