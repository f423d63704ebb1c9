import { type ApiError, isPetStoreError } from '../../errors.js';
import { foreignMessage } from '../../foreign-error.js';
import type { StopReason } from '../job/import-job.js';

/** Why a call of `pets.create` returned no pet. */
export type CreateFailure =
  /** The service rejected this row, and would reject it again. */
  | { kind: 'rejected'; reason: string }
  /** The pet may or may not have been created. */
  | { kind: 'unknown'; reason: string; error: unknown }
  /** The pet was not created for a reason that affects all rows. */
  | { kind: 'not-created'; stop: ImportStop };

/** Why no more rows are sent. */
export interface ImportStop {
  reason: StopReason;
  error?: unknown;
  retryAt?: Date;
}

/** Statuses for problems of the key, the account, the address or the proxy, which affect all rows. */
const ALL_ROWS_STATUSES = new Set([401, 402, 403, 404, 405, 407, 410]);

/** Maximum length of a reason in UTF-16 units. The journal and the memory have up to 4,096 of them. */
const REASON_LENGTH_MAX = 1_000;

/** Classifies an error of `pets.create`. */
export function classifyFailure(error: unknown): CreateFailure {
  const failure = classify(error);
  if (failure.kind === 'not-created' || failure.reason.length <= REASON_LENGTH_MAX) return failure;
  return { ...failure, reason: `${failure.reason.slice(0, REASON_LENGTH_MAX)}…` };
}

function classify(error: unknown): CreateFailure {
  // The request may have been sent before an unexpected error.
  if (!isPetStoreError(error)) return { kind: 'unknown', reason: foreignMessage(error), error };
  if (error.outcome === 'unknown') return { kind: 'unknown', reason: error.message, error };
  // By the type, because the client can be one of another copy of this package.
  if (error.type === 'rate-limit') {
    const { retryAt } = error;
    const stop: ImportStop = { reason: 'rate-limited', error };
    if (retryAt !== undefined) stop.retryAt = retryAt;
    return { kind: 'not-created', stop };
  }
  const { status } = error as Partial<ApiError>;
  if (status !== undefined && !ALL_ROWS_STATUSES.has(status))
    return { kind: 'rejected', reason: explainRejection(error as ApiError) };
  if (error.type === 'invalid-input') return { kind: 'rejected', reason: error.message };
  return { kind: 'not-created', stop: { reason: stopReason(error.type), error } };
}

function stopReason(type: string): StopReason {
  if (type === 'aborted') return 'aborted';
  return type === 'connection' || type === 'timeout' ? 'unavailable' : 'rejected';
}

function explainRejection({ message, status, code }: ApiError): string {
  return `${message} (${code === undefined ? '' : `${code}, `}HTTP ${String(status)})`;
}
