import type { CallOptions, CallSettings } from '../contract/options.js';
import { DEFAULT_RETRY_POLICY, type RetryPolicy } from './backoff.js';
import {
  type Check,
  type Checks,
  findProblem,
  isObject,
  mustBe,
  mustBeFunction,
} from '../../options/check-options.js';
import { invalidInput } from '../../options/check-argument.js';
import { checkHeaders, mergeHeaders } from '../options/headers.js';

/** `CallSettings` with all defaults. */
export interface Settings {
  timeoutMs: number;
  deadlineMs: number;
  bodyMaxBytes: number;
  reservePercent: number;
  retry: RetryPolicy;
  /** Names are in lower case. */
  headers: Readonly<Record<string, string>>;
}

/** The defaults of `CallSettings`. */
export const DEFAULT_SETTINGS: Settings = {
  timeoutMs: 30_000,
  deadlineMs: Number.POSITIVE_INFINITY,
  bodyMaxBytes: 16 * 1024 * 1024,
  reservePercent: 0,
  retry: DEFAULT_RETRY_POLICY,
  headers: {},
};

const aboveZero = mustBe('a number above 0', (value) => typeof value === 'number' && value > 0);
const notNegative = mustBe('a number of at least 0', (value) => typeof value === 'number' && value >= 0);

const RETRY_CHECKS: Checks = {
  attemptsMax: mustBe(
    'a whole number of at least 1',
    (value) => typeof value === 'number' && Number.isSafeInteger(value) && value >= 1,
  ),
  baseDelayMs: notNegative,
  capDelayMs: notNegative,
  waitMaxMs: notNegative,
};

/** Checks of `CallSettings`. */
export const SETTING_CHECKS: Checks = {
  timeoutMs: aboveZero,
  deadlineMs: aboveZero,
  bodyMaxBytes: aboveZero,
  reservePercent: mustBe(
    'a number of at least 0 and below 100',
    (value) => typeof value === 'number' && value >= 0 && value < 100,
  ),
  retry: (value, field) => findProblem(value, RETRY_CHECKS, { what: field, prefix: `${field}.` }),
  headers: checkHeaders,
};

/** Not `instanceof`: a signal may come from another realm. */
const mustBeSignal: Check = mustBe(
  'an AbortSignal',
  (value) =>
    isObject(value) &&
    typeof (value as Partial<AbortSignal>).aborted === 'boolean' &&
    typeof (value as Partial<AbortSignal>).addEventListener === 'function',
);

/** Checks of `CallOptions`. */
export const CALL_CHECKS: Checks = {
  ...SETTING_CHECKS,
  signal: mustBeSignal,
  waitSignal: mustBeSignal,
  beforeSend: mustBeFunction,
};

/**
 * Checks the options of a call.
 *
 * @throws InvalidInputError for an unknown option or an invalid value.
 */
export function checkCallOptions(options: CallOptions | null | undefined, checks = CALL_CHECKS): void {
  if (options === undefined || options === null) return;
  const problem = findProblem(options, checks);
  if (problem !== undefined) throw invalidInput(problem);
}

/** Overrides the settings of a client with those of a call. Settings that are `undefined` are not overridden. */
export function resolveSettings(base: Settings, own: CallSettings | null | undefined): Settings {
  if (own === undefined || own === null) return base;
  const { retry } = own;
  return {
    timeoutMs: own.timeoutMs ?? base.timeoutMs,
    deadlineMs: own.deadlineMs ?? base.deadlineMs,
    bodyMaxBytes: own.bodyMaxBytes ?? base.bodyMaxBytes,
    reservePercent: own.reservePercent ?? base.reservePercent,
    retry: retry === undefined ? base.retry : resolveRetry(base.retry, retry),
    headers: mergeHeaders(base.headers, own.headers),
  };
}

function resolveRetry(base: RetryPolicy, own: NonNullable<CallSettings['retry']>): RetryPolicy {
  return {
    attemptsMax: own.attemptsMax ?? base.attemptsMax,
    baseDelayMs: own.baseDelayMs ?? base.baseDelayMs,
    capDelayMs: own.capDelayMs ?? base.capDelayMs,
    waitMaxMs: own.waitMaxMs ?? base.waitMaxMs,
  };
}
