import { accessSync, constants, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { KnownBudget } from '../../../client/index.js';
import type { Session } from '../../action.js';
import type { Context } from '../../context.js';
import { chosenGate, openGate } from '../../gate.js';
import { whyUnread } from '../../regular-file.js';
import { resolvePath } from '../../resolve-path.js';
import { stateDirectory } from '../../state-directory.js';
import type { GateFact, KnownFault } from './facts.js';
import { faultOf, foundOrFault, isFault } from './fault.js';
import { withinTime } from './time-limit.js';

const REDIS_TIMEOUT_MS = 30_000;
/** The budget of nobody: whether it can be read tells as much as one of somebody's. */
const NO_BUDGET = '0'.repeat(32);

/** Where the rate budget is kept, and what stands in the way of that. */
export async function lookAtGate(session: Session, offline: boolean): Promise<GateFact | KnownFault> {
  const { context, global } = session;
  const place = await foundOrFault(() => placeOf(context));
  if (isFault(place)) return place;
  const { reservePercent } = global;
  const fact: GateFact = { ...place, ...(reservePercent === undefined ? {} : { reservePercent }) };
  const isAsked = fact.kind === 'redis' && !offline && !global.mock && session.recorder === undefined;
  const obstacle = isAsked ? await whyUnanswered(context) : undefined;
  return obstacle === undefined ? fact : { ...fact, obstacle };
}

/** What is known of the budget; `undefined` where it can't be had. Sends nothing to the service. */
export async function lookAtBudget(session: Session): Promise<KnownBudget | undefined> {
  try {
    const store = await session.client({ once: true, mayAsk: false });
    return await withinTime(REDIS_TIMEOUT_MS, session.context, () => store.budget());
  } catch {
    // What is wrong with the way to it is told by the checks of that.
    return undefined;
  }
}

function placeOf(context: Context): GateFact {
  const gate = chosenGate(context);
  if (gate === 'memory') return { kind: 'memory' };
  if (gate !== 'file') return { kind: 'redis', address: new URL(gate.redisUrl).host };
  const directory = resolvePath(join(stateDirectory(context), 'gate'), context);
  const obstacle = whyUnwritable(directory);
  return { kind: 'file', directory, ...(obstacle === undefined ? {} : { obstacle }) };
}

/** Asked as every command asks it: a Redis that takes connections may still refuse the password. */
async function whyUnanswered(context: Context): Promise<string | undefined> {
  try {
    const store = await openGate(chosenGate(context), context);
    if (store === 'memory') return undefined;
    try {
      await withinTime(REDIS_TIMEOUT_MS, context, async () => store.open(NO_BUDGET).read());
    } finally {
      await store.close();
    }
    return undefined;
  } catch (error) {
    return error instanceof Error ? error.message : faultOf(error).fault;
  }
}

/** Looks at the nearest directory that there is: what is missing below it is made when it is needed. */
function whyUnwritable(directory: string): string | undefined {
  for (let nearest = directory; ; nearest = dirname(nearest)) {
    const found = ifAllowed(() => statSync(nearest, { throwIfNoEntry: false }));
    if (found === undefined && dirname(nearest) !== nearest) continue;
    if (found?.isDirectory() === false) return `${nearest} is no directory`;
    try {
      accessSync(nearest, constants.W_OK | constants.X_OK);
      return undefined;
    } catch (error) {
      return `${nearest} can't be written to (${whyUnread(error)})`;
    }
  }
}

/** `undefined` also where one may not look. */
function ifAllowed<T>(look: () => T): T | undefined {
  try {
    return look();
  } catch {
    return undefined;
  }
}
