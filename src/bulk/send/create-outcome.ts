import { ApiError, isPetStoreError, RateLimitError } from '../../errors.js';
import type { StopReason } from '../import-job.js';

/** Why no more rows are taken. */
export interface Stop {
  reason: StopReason;
  error?: unknown;
  retryAt?: Date;
}

/** What an attempt to create ended in, if not in an animal. */
export type FailedOutcome =
  /** The service said no to this row, and would say so again. */
  | { kind: 'refused'; reason: string }
  /** Nobody knows whether it was carried out. */
  | { kind: 'unknown'; reason: string; error: unknown }
  /** It was not carried out, and not for a fault of the row: the next one would fare no better. */
  | { kind: 'undone'; stop: Stop };

/** Refusals that are about the key or the address, and so about every row. */
const ABOUT_ALL_ROWS = new Set([401, 403, 404, 405, 410]);

/** Tells what follows from an error of `pets.create`. */
export function judgeFailure(error: unknown): FailedOutcome {
  // An error of nobody's making, in the middle of a write: it may have been sent.
  if (!isPetStoreError(error)) return { kind: 'unknown', reason: messageOf(error), error };
  if (error.outcome === 'unknown') return { kind: 'unknown', reason: error.message, error };
  if (error instanceof RateLimitError)
    return { kind: 'undone', stop: { reason: 'rate-limited', error, retryAt: error.retryAt } };
  if (error instanceof ApiError && !ABOUT_ALL_ROWS.has(error.status))
    return { kind: 'refused', reason: refusal(error) };
  if (error.type === 'invalid-input') return { kind: 'refused', reason: error.message };
  return { kind: 'undone', stop: { reason: stopReason(error.type), error } };
}

function stopReason(type: string): StopReason {
  if (type === 'aborted') return 'aborted';
  return type === 'connection' || type === 'timeout' ? 'unavailable' : 'rejected';
}

function refusal({ message, status, code }: ApiError): string {
  return `${message} (${code === undefined ? '' : `${code}, `}HTTP ${String(status)})`;
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : 'it ended in an unknown way';
}
