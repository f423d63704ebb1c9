import { systemClock, type Clock } from '../time/clock.js';
import { createBudget, hasLimits, resetState } from './budget/budget-state.js';
import { formatBudget, parseBudget } from './budget/budget-text.js';
import { compareAndSwap } from './compare-and-swap.js';
import type { GateStore, Ledger } from './gate-store.js';
import type { LedgerWithFallback } from './guarded-ledger.js';
import { budgetName } from './registry.js';

/**
 * Clears the stored budget of a key, with its waits. Sends no request to the service.
 *
 * @returns whether a budget was stored.
 * @throws Error if the store fails.
 */
export async function resetBudget(
  store: GateStore,
  origin: string,
  key: string,
  clock: Clock = systemClock,
): Promise<boolean> {
  const ledger: LedgerWithFallback = store.open(budgetName(origin, key));
  // The fallback first: it is in use if the ledger fails.
  const wasBelow = ledger.fallback !== undefined && (await resetLedger(ledger.fallback, clock));
  return (await resetLedger(ledger, clock)) || wasBelow;
}

async function resetLedger(ledger: Ledger, clock: Clock): Promise<boolean> {
  let wasStored = false;
  await compareAndSwap(ledger, { clock, random: Math.random }, ({ text, damage }) => {
    const state = text === undefined ? undefined : parseBudget(text);
    const isDamaged = damage !== undefined || (text !== undefined && state === undefined);
    wasStored = isDamaged || (state !== undefined && hasLimits(state));
    // An empty store stays empty.
    return { text: wasStored ? formatBudget(resetState(state ?? createBudget())) : (text as string) };
  });
  return wasStored;
}
