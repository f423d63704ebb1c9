import type { Session } from '../../action.js';
import { lookAtAnswer } from './answer.js';
import type { Check } from './check.js';
import { lookAtConnection, lookAtResolvers } from './connection.js';
import { diagnose } from './diagnose.js';
import type { KnownFault, MachineFacts, NetworkFacts } from './facts.js';
import { isFault, isTold, notAsked } from './fault.js';
import { lookAtBudget, lookAtGate } from './gate-place.js';
import { lookAtAuthorities, lookAtMachine } from './machine.js';
import { faultySettings, gateFault, soundSession } from './sound-session.js';
import { TimeIsUp } from './time-limit.js';

/** Without --timeout. Each look that may take long has a shorter limit of its own, but for the request. */
const WHOLE_TIMEOUT_MS = 30_000;

/** What is asked for, and what was looked at first. */
export interface Examination extends Pick<MachineFacts, 'openPlaces'> {
  offline: boolean;
}

/**
 * Looks at everything, and is stopped by nothing that it finds. What is wrong in flags and variables is told once and
 * left out for the rest.
 *
 * @throws Interruption on ^C, and with --curl or --dry-run what ends the command there.
 */
export async function examine({ offline, openPlaces }: Examination, asked: Session): Promise<Check[]> {
  const { context, global } = asked;
  const limitMs = global.timeoutMs ?? WHOLE_TIMEOUT_MS;
  const late = new AbortController();
  const cancel = context.clock.setTimeout(() => {
    late.abort(new TimeIsUp(limitMs));
  }, limitMs);
  const signal = AbortSignal.any([context.signal, late.signal]);
  const sessions: Session[] = [];
  try {
    const settings = faultySettings(context);
    const authorities = await lookAtAuthorities(asked);
    const wrongGate = gateFault(context);
    const open = (isGateFaulty: boolean): Session => {
      const isCaFileFaulty = authorities.some((file) => file.source === '--ca' && isFault(file));
      const session = soundSession(asked, { settings, isCaFileFaulty, isGateFaulty, signal });
      if (session !== asked) sessions.push(session);
      return session;
    };
    const session = open(wrongGate !== undefined);
    const machine = await lookAtMachine({ settings, authorities, openPlaces, session });
    const network = await lookAtNetwork({ machine, wrongGate, offline, session, open });
    context.signal.throwIfAborted();
    return diagnose({ ...machine, ...network });
  } finally {
    cancel();
    await Promise.allSettled(sessions.map((session) => session.close()));
  }
}

interface Way {
  machine: MachineFacts;
  wrongGate: KnownFault | undefined;
  offline: boolean;
  session: Session;
  open: (isGateFaulty: boolean) => Session;
}

/** Side by side, but for the request: it is sent only where the rest says that it may be. */
async function lookAtNetwork({ machine, wrongGate, offline, session, open }: Way): Promise<NetworkFacts> {
  const [connection, resolvers, gate] = await Promise.all([
    offline ? notAsked('--offline') : lookAtConnection(machine, session),
    lookAtResolvers(machine, offline, session),
    wrongGate ?? lookAtGate(session, offline),
  ]);
  // Told of already: the request would only wait for it once more.
  const asking = !isFault(gate) && gate.obstacle !== undefined ? open(true) : session;
  const service = offline ? notAsked('--offline') : await lookAtAnswer(machine, connection, asking);
  const isReadable = isTold(machine.destination) && !isFault(gate) && gate.obstacle === undefined;
  if (!isReadable || gate.kind === 'memory' || (offline && gate.kind === 'redis'))
    return { connection, resolvers, gate, service };
  const budget = await lookAtBudget(asking);
  const known = budget === undefined ? gate : { ...gate, budget };
  return { connection, resolvers, gate: known, service };
}
