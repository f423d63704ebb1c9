import { ConfigurationError, InvalidInputError, isPetStoreError } from '../../errors.js';
import { foreignMessage } from '../../foreign-error.js';
import type { CallOptions, CallSettings, PetStoreOptions } from '../contract/options.js';
import { type Complete, DEFAULT_RETRY_POLICY, type RetryPolicy } from './backoff.js';
import {
  anything,
  type Check,
  type Checks,
  findProblem,
  isObject,
  mustBe,
  mustBeFullClock,
  mustBeFunction,
  mustBeSignal,
  mustHaveMethods,
  type Problem,
  readOptions,
} from '../../options/check-options.js';
import { checkOptions } from '../../options/check-argument.js';
import { checkHeaders, type HeaderSource, mergeHeaders } from './request-headers.js';

/** `CallSettings` with all defaults. */
export interface Settings extends Complete<Omit<CallSettings, 'retry' | 'headers'>> {
  retry: RetryPolicy;
  headers: HeaderSource;
}

/** The defaults of `CallSettings`. */
export const DEFAULT_SETTINGS: Settings = {
  timeoutMs: 30_000,
  deadlineMs: Number.POSITIVE_INFINITY,
  bodyMaxBytes: 16 * 1024 * 1024,
  reservePercent: 0,
  pace: 'auto',
  retry: DEFAULT_RETRY_POLICY,
  headers: {},
};

const mustBeNumber = (description: string, isValid: (value: number) => boolean): Check =>
  mustBe(`a ${description}`, (value) => typeof value === 'number' && isValid(value));
const aboveZero = mustBeNumber('number above 0', (value) => value > 0);
const notNegative = mustBeNumber('number of at least 0', (value) => value >= 0);

const RETRY_CHECKS: Checks = {
  attemptsMax: mustBeNumber(
    'whole number of at least 1',
    (value) => Number.isSafeInteger(value) && value >= 1,
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
  reservePercent: mustBeNumber('number of at least 0 and below 100', (value) => value >= 0 && value < 100),
  pace: mustBe("'auto' or 'off'", (value) => value === 'auto' || value === 'off'),
  retry: (value, field) => findProblem(value, RETRY_CHECKS, { what: field, prefix: `${field}.` }),
  headers: checkHeaders,
};

/** Checks of `CallOptions`. */
export const CALL_CHECKS: Checks = {
  ...SETTING_CHECKS,
  signal: mustBeSignal,
  waitSignal: mustBeSignal,
  beforeSend: mustBeFunction,
};

/** Bun replaces undici by classes that have no `dispatch`, even if the package is installed. */
function mustBeDispatcher(value: unknown, field: string): Problem | undefined {
  const problem = mustHaveMethods('an undici dispatcher', 'dispatch')(value, field);
  if (problem === undefined || !('Bun' in globalThis)) return problem;
  return { ...problem, hint: 'In Bun, pass fetch: globalThis.fetch instead. It follows HTTP_PROXY.' };
}

/** Checks of `PetStoreOptions`. Those without a rule here are checked where they are used. */
export const CLIENT_CHECKS: Checks = {
  ...SETTING_CHECKS,
  apiKey: anything,
  baseUrl: anything,
  allowInsecure: mustBe('true or false', (value) => typeof value === 'boolean'),
  gate: anything,
  dispatcher: mustBeDispatcher,
  fetch: mustBeFunction,
  clock: mustBeFullClock,
  random: mustBeFunction,
  logger: mustHaveMethods('an object with the methods debug and warn', 'debug', 'warn'),
  onEvent: mustBeFunction,
  onWarning: mustBeFunction,
};

/**
 * Checks the options of a client.
 *
 * @returns the options, read once.
 * @throws ConfigurationError for an unknown option or an invalid value.
 */
export function checkClientOptions(options: PetStoreOptions): PetStoreOptions {
  // Callers without TypeScript can pass anything.
  if (!isObject(options)) {
    throw new ConfigurationError('No options', { hint: 'Pass at least apiKey and baseUrl.' });
  }
  const read = readOptions(options, CLIENT_CHECKS);
  const problem = findProblem(read, CLIENT_CHECKS);
  if (problem !== undefined) throw invalidOption(problem);
  return read;
}

/**
 * Runs what reads options of the caller. A getter or a proxy may throw also where they were read before.
 *
 * @throws PetStoreError
 */
export function guardOptions<T>(read: () => T): T {
  try {
    return read();
  } catch (error) {
    if (isPetStoreError(error)) throw error;
    throw new ConfigurationError(`An option can't be read (${foreignMessage(error)})`, { cause: error });
  }
}

export function invalidOption({ message, field, hint }: Problem): ConfigurationError {
  return new ConfigurationError(message, { option: field, hint });
}

/**
 * Checks the options of a call.
 *
 * @returns the options, read once.
 * @throws InvalidInputError for an unknown option or an invalid value.
 */
export function checkCallOptions<T extends CallOptions>(
  options: T | null | undefined,
  checks = CALL_CHECKS,
): T | undefined {
  if (options === undefined || options === null) return undefined;
  const name = findClientOption(options, checks);
  if (name === undefined) return checkOptions(options, checks);
  const message = `${name} is an option of the client, not of a call`;
  throw new InvalidInputError(message, { field: name, hint: `Pass ${name} to createPetStore().` });
}

/** Returns the first name that is an option of `createPetStore` only. */
function findClientOption(options: unknown, checks: Checks): string | undefined {
  if (!isObject(options)) return undefined;
  return Object.keys(options).find(
    (name) => Object.hasOwn(CLIENT_CHECKS, name) && !Object.hasOwn(checks, name),
  );
}

/** Overrides the settings of a client with those of a call. Settings that are `undefined` are not overridden. */
export function resolveSettings(base: Settings, own: CallSettings | null | undefined): Settings {
  if (own === undefined || own === null || !hasSetting(base, own)) return base;
  return {
    ...override(base, own),
    retry: override(base.retry, own.retry),
    headers: mergeHeaders(base.headers, own.headers),
  };
}

/** Most calls have a signal at most. */
function hasSetting(base: Settings, own: CallSettings): boolean {
  for (const name in base) if (own[name as keyof Settings] !== undefined) return true;
  return false;
}

function override<T extends object>(base: T, own: { readonly [K in keyof T]?: unknown } = {}): T {
  const names = Object.keys(base) as (keyof T)[];
  // Safe: the options are checked.
  return Object.fromEntries(names.map((name) => [name, own[name] ?? base[name]])) as T;
}
