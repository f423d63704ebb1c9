import { readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { BUDGET_FOLDER_PATTERN, fileGate, type GateStore, redisGate } from '../../../client/index.js';
import type { Session } from '../../session/action.js';
import type { Context } from '../../system/context.js';
import { gateDirectory, gateSetting } from '../../settings/config/gate.js';
import { unsafety } from '../../system/files/ownership.js';
import { systemErrorCode } from '../../../security/system-error.js';
import { withTimeLimit } from '../../system/time-limit.js';
import type { Result } from './check.js';

const STORE_TIMEOUT_MS = 5_000;
/** The name of a budget of no key, which shows whether a store works. */
const UNUSED_BUDGET = '0'.repeat(32);

/** Where the rate budget is stored. */
export interface BudgetStore {
  kind: 'memory' | 'file' | 'redis';
  /** The directory, or host and port. */
  location?: string;
  /** Whether a trial write shows that it works. */
  isTested: boolean;
  /** Why the budget can't be stored there, and what helps. */
  obstacle?: { reason: string; remedy: string } | undefined;
}

/**
 * Finds out whether the store works by a trial write. With --mock and --dry-run nothing is written: no command then uses
 * the store.
 *
 * @throws UsageError for an invalid `PETSTORE_GATE`.
 */
export async function findBudgetStore(session: Session, offline: boolean): Promise<BudgetStore> {
  const { context, global } = session;
  const gate = gateSetting(context);
  if (gate === 'memory') return { kind: 'memory', isTested: false };
  const isUsed = !global.mock && session.recorder === undefined;
  if (gate === 'file') {
    const location = gateDirectory(context);
    const unsafe = unsafety(location, context.userId);
    if (unsafe !== undefined) {
      const remedy = `Name a directory that only you can write: ${OTHER_DIRECTORY}`;
      return { kind: 'file', location, isTested: false, obstacle: { reason: unsafe.message, remedy } };
    }
    if (!isUsed) return { kind: 'file', location, isTested: false };
    const obstacle = await findObstacle(fileGate({ directory: location }), context, DIRECTORY_REMEDY);
    removeTrial(location);
    return { kind: 'file', location, isTested: true, obstacle };
  }
  const isTested = isUsed && !offline;
  const obstacle = isTested
    ? await findObstacle(redisGate({ url: gate.redisUrl }), context, REDIS_REMEDY)
    : undefined;
  return { kind: 'redis', location: new URL(gate.redisUrl).host, isTested, obstacle };
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

export function checkBudget({ kind, location, isTested, obstacle }: BudgetStore): Result {
  if (obstacle !== undefined) {
    const owner = kind === 'redis' ? 'this machine' : 'each process';
    const finding = `${obstacle.reason}, so ${owner} keeps its own rate budget`;
    return { state: 'warn', finding, remedy: obstacle.remedy };
  }
  if (kind === 'memory')
    return { state: 'ok', finding: 'rate budget in memory: each process has its own (PETSTORE_GATE)' };
  const where = kind === 'redis' ? `Redis at ${String(location)}` : String(location);
  return { state: 'ok', finding: `rate budget in ${where}${isTested ? '' : ', not tested'}` };
}

const OTHER_DIRECTORY = 'export PETSTORE_STATE_DIR=DIRECTORY';
const DIRECTORY_REMEDY = `Make it writable, or name another directory: ${OTHER_DIRECTORY}`;
const REDIS_REMEDY =
  'Start Redis or correct PETSTORE_GATE. PETSTORE_GATE=file stores the budget on this machine.';

/**
 * Uses a store as every command does. Redis may accept a connection and still reject the password; a disk may be full, or
 * have no hard links.
 */
async function findObstacle(
  store: GateStore,
  context: Context,
  remedy: string,
): Promise<BudgetStore['obstacle']> {
  try {
    await withTimeLimit(STORE_TIMEOUT_MS, context, async () => {
      const ledger = store.open(UNUSED_BUDGET);
      const { swapped } = await ledger.swap(await ledger.read(), '', 1);
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
