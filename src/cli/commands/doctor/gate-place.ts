import { accessSync, constants, statSync } from 'node:fs';
import { dirname } from 'node:path';
import type { KnownBudget } from '../../../client/index.js';
import type { Session } from '../../session/action.js';
import type { Context } from '../../system/context.js';
import { gateSetting, gateDirectory, openGate } from '../../config/gate.js';
import type { GateFact, GateObstacle } from './facts.js';
import { faultOf } from './fault.js';
import { withTimeLimit } from '../../system/time-limit.js';
import { systemErrorCode } from '../../errors/why-failed.js';
import { ifAllowed } from './if-allowed.js';

const REDIS_TIMEOUT_MS = 5_000;
/** The budget of nobody: whether it can be read tells as much as one of somebody's. */
const NO_BUDGET = '0'.repeat(32);

/**
 * Where the rate budget is kept, and what stands in the way of that.
 *
 * @throws UsageError where nobody understands what names the place.
 */
export async function lookAtGate(session: Session, offline: boolean): Promise<GateFact> {
  const { context, global } = session;
  const { reservePercent } = global;
  const fact: GateFact = { ...placeOf(context), ...(reservePercent === undefined ? {} : { reservePercent }) };
  const isAsked = fact.kind === 'redis' && !offline && !global.mock && session.recorder === undefined;
  const obstacle = isAsked ? await whyUnanswered(context) : undefined;
  return obstacle === undefined ? fact : { ...fact, obstacle };
}

/** What is known of the budget; `undefined` where it can't be had. Sends nothing to the service. */
export async function lookAtBudget(session: Session): Promise<KnownBudget | undefined> {
  try {
    const store = await session.client({ once: true, mayPrompt: false });
    return await withTimeLimit(REDIS_TIMEOUT_MS, session.context, () => store.budget());
  } catch {
    // What is wrong with the way to it is told by the checks of that.
    return undefined;
  }
}

function placeOf(context: Context): GateFact {
  const gate = gateSetting(context);
  if (gate === 'memory') return { kind: 'memory' };
  if (gate !== 'file') return { kind: 'redis', address: new URL(gate.redisUrl).host };
  const directory = gateDirectory(context);
  const obstacle = whyUnwritable(directory);
  return { kind: 'file', directory, ...(obstacle === undefined ? {} : { obstacle }) };
}

/** Asked as every command asks it: a Redis that takes connections may still refuse the password. */
async function whyUnanswered(context: Context): Promise<GateObstacle | undefined> {
  try {
    const store = await openGate(gateSetting(context), context);
    if (store === 'memory') return undefined;
    try {
      await withTimeLimit(REDIS_TIMEOUT_MS, context, async () => store.open(NO_BUDGET).read());
    } finally {
      await store.close();
    }
    return undefined;
  } catch (error) {
    return { kind: 'unanswered', reason: error instanceof Error ? error.message : faultOf(error).fault };
  }
}

/** Looks at the nearest directory that there is: what is missing below it is made when it is needed. */
function whyUnwritable(directory: string): GateObstacle | undefined {
  for (let nearest = directory; ; nearest = dirname(nearest)) {
    const found = ifAllowed(() => statSync(nearest, { throwIfNoEntry: false }));
    if (found === undefined && dirname(nearest) !== nearest) continue;
    if (found?.isDirectory() === false) return { kind: 'no-directory', path: nearest };
    try {
      accessSync(nearest, constants.W_OK | constants.X_OK);
      return undefined;
    } catch (error) {
      return { kind: 'unwritable', path: nearest, code: systemErrorCode(error) };
    }
  }
}
