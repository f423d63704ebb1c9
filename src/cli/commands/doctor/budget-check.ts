import { readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { BUDGET_FOLDER_PATTERN, fileGate, type GateStore, redisGate } from '../../../client/internal.js';
import type { Session } from '../../session/session.js';
import type { Context } from '../../system/context.js';
import { gateDirectory, gateSetting } from '../../settings/config/gate.js';
import { unsafety } from '../../system/files/ownership.js';
import { systemErrorCode } from '../../../security/system-error.js';
import { withTimeLimit } from '../../system/time-limit.js';
import type { Result } from './check.js';

const STORE_TIMEOUT_MS = 5_000;
/** The name of a budget of no key, which shows whether a store works. */
const UNUSED_BUDGET = '0'.repeat(32);

const OTHER_DIRECTORY = 'export PETSTORE_STATE_DIR=DIRECTORY';
const DIRECTORY_REMEDY = `Make it writable, or name another directory: ${OTHER_DIRECTORY}`;
const REDIS_REMEDY =
  'Start Redis or correct PETSTORE_GATE. PETSTORE_GATE=file stores the budget on this machine.';

/**
 * Finds out whether the budget is stored where it should be, by a trial write. With --mock and --dry-run nothing is
 * written: no command then uses the store.
 *
 * @returns a warning if the store does not work.
 * @throws UsageError for an invalid `PETSTORE_GATE`.
 */
export async function checkBudget(session: Session, offline: boolean): Promise<Result> {
  const { context, global } = session;
  const gate = gateSetting(context);
  if (gate === 'memory')
    return { state: 'ok', finding: 'rate budget in memory: each process has its own (PETSTORE_GATE)' };
  const isUsed = !global.mock && session.recorder === undefined;
  if (gate !== 'file') {
    const { host } = new URL(gate.redisUrl);
    if (!isUsed || offline) return { state: 'ok', finding: `rate budget in Redis at ${host}, not tested` };
    const obstacle = await findObstacle(redisGate({ url: gate.redisUrl }), context, REDIS_REMEDY);
    return obstacle === undefined
      ? { state: 'ok', finding: `rate budget in Redis at ${host}` }
      : notStored(obstacle, 'this machine');
  }
  const location = gateDirectory(context);
  const unsafe = unsafety(location, context.userId);
  const remedy = `Name a directory that only you can write: ${OTHER_DIRECTORY}`;
  if (unsafe !== undefined) return notStored({ reason: unsafe.message, remedy }, 'each process');
  if (!isUsed) return { state: 'ok', finding: `rate budget in ${location}, not tested` };
  const obstacle = await findObstacle(fileGate({ directory: location }), context, DIRECTORY_REMEDY);
  removeTrial(location);
  return obstacle === undefined
    ? { state: 'ok', finding: `rate budget in ${location}` }
    : notStored(obstacle, 'each process');
}

/** Why a budget can't be stored, and what helps. */
interface Obstacle {
  reason: string;
  remedy: string;
}

function notStored({ reason, remedy }: Obstacle, owner: string): Result {
  return { state: 'warn', finding: `${reason}, so ${owner} keeps its own rate budget`, remedy };
}

function removeTrial(location: string): void {
  try {
    for (const name of readdirSync(location))
      if (BUDGET_FOLDER_PATTERN.test(name) && name.endsWith(UNUSED_BUDGET))
        rmSync(join(location, name), { recursive: true, force: true });
  } catch {
    // The folder could not be created.
  }
}

/**
 * Uses a store as every command does. Redis may accept a connection and still reject the password; a disk may be full, or
 * have no hard links.
 */
async function findObstacle(
  store: GateStore,
  context: Context,
  remedy: string,
): Promise<Obstacle | undefined> {
  try {
    await withTimeLimit(STORE_TIMEOUT_MS, context, async () => {
      const budgetStore = store.open(UNUSED_BUDGET);
      const { swapped } = await budgetStore.swap(await budgetStore.read(), '', 1);
      if (!swapped) throw new Error('A trial write was not stored');
    });
    return undefined;
  } catch (error) {
    const isFull = error instanceof Error && systemErrorCode(error.cause) === 'ENOSPC';
    return {
      reason: error instanceof Error ? error.message : String(error),
      remedy: isFull ? `Free some space, or name another directory: ${OTHER_DIRECTORY}` : remedy,
    };
  } finally {
    await store.close();
  }
}
