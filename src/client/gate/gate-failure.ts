import { printable } from '../response/printable.js';

/** The stored budget is unreadable. The next write replaces it, so that the gate works again. */
export class DamagedBudgetError extends Error {
  override readonly name = 'DamagedBudgetError';
}

const REASON_LENGTH_MAX = 300;

/** Describes a failure of the gate for a warning. */
export function describeGateFailure(error: unknown, hasFallback: boolean): string {
  const reason = error instanceof Error ? printable(error.message, REASON_LENGTH_MAX) : '';
  const details = reason === '' ? '' : ` (${reason})`;
  return error instanceof DamagedBudgetError
    ? `The stored rate budget was damaged${details}. A new one replaces it.`
    : `The gate failed${details}. The rate budget is now limited to this ${hasFallback ? 'machine' : 'process'}.`;
}
