import { InvalidInputError } from '../../errors.js';
import type { CallSettings, RetryOptions } from '../contract/options.js';
import { DEFAULT_RETRY_POLICY, type RetryPolicy } from './backoff.js';

/** `CallSettings` with all defaults. */
export interface Settings {
  timeoutMs: number;
  deadlineMs: number;
  bodyMaxBytes: number;
  reservePercent: number;
  retry: RetryPolicy;
}

/** The defaults of `CallSettings`. */
export const DEFAULT_SETTINGS: Settings = {
  timeoutMs: 30_000,
  deadlineMs: Number.POSITIVE_INFINITY,
  bodyMaxBytes: 16 * 1024 * 1024,
  reservePercent: 0,
  retry: DEFAULT_RETRY_POLICY,
};

/**
 * Overrides the settings of a client with those of a call. Settings that are `undefined` are not overridden.
 *
 * @throws InvalidInputError for an invalid value.
 */
export function resolveSettings(base: Settings, own: CallSettings | undefined): Settings {
  if (own === undefined) return base;
  return {
    timeoutMs: positive('timeoutMs', own.timeoutMs) ?? base.timeoutMs,
    deadlineMs: positive('deadlineMs', own.deadlineMs) ?? base.deadlineMs,
    bodyMaxBytes: positive('bodyMaxBytes', own.bodyMaxBytes) ?? base.bodyMaxBytes,
    reservePercent: percent('reservePercent', own.reservePercent) ?? base.reservePercent,
    retry: resolveRetry(base.retry, own.retry),
  };
}

function resolveRetry(base: RetryPolicy, own: RetryOptions | undefined): RetryPolicy {
  if (own === undefined) return base;
  const { attemptsMax } = own;
  if (attemptsMax !== undefined && (!Number.isSafeInteger(attemptsMax) || attemptsMax < 1)) {
    throw new InvalidInputError('retry.attemptsMax must be a whole number of at least 1', {
      field: 'retry.attemptsMax',
    });
  }
  return {
    attemptsMax: attemptsMax ?? base.attemptsMax,
    baseDelayMs: notNegative('retry.baseDelayMs', own.baseDelayMs) ?? base.baseDelayMs,
    capDelayMs: notNegative('retry.capDelayMs', own.capDelayMs) ?? base.capDelayMs,
    waitMaxMs: notNegative('retry.waitMaxMs', own.waitMaxMs) ?? base.waitMaxMs,
  };
}

function positive(field: string, value: number | undefined): number | undefined {
  if (value === undefined || (typeof value === 'number' && value > 0)) return value;
  throw new InvalidInputError(`${field} must be a number above 0`, { field });
}

function notNegative(field: string, value: number | undefined): number | undefined {
  if (value === undefined || (typeof value === 'number' && value >= 0)) return value;
  throw new InvalidInputError(`${field} must be a number of at least 0`, { field });
}

function percent(field: string, value: number | undefined): number | undefined {
  if (value === undefined || (typeof value === 'number' && value >= 0 && value < 100)) return value;
  throw new InvalidInputError(`${field} must be a number of at least 0 and below 100`, { field });
}
