import { ConfigurationError } from '../../errors.js';
import type { PetStoreOptions } from '../contract/options.js';
import {
  anything,
  type Checks,
  findProblem,
  isObject,
  mustBe,
  mustBeFunction,
  mustHaveMethods,
  type Problem,
} from '../../options/check-options.js';
import type { Clock } from '../../time/clock.js';
import { SETTING_CHECKS } from './settings.js';

/** Checks of `PetStoreOptions`. Those without a rule here are checked where they are used. */
export const CLIENT_CHECKS: Checks = {
  ...SETTING_CHECKS,
  apiKey: anything,
  baseUrl: anything,
  allowInsecure: mustBe('true or false', (value) => typeof value === 'boolean'),
  pace: mustBe("'auto' or 'off'", (value) => value === 'auto' || value === 'off'),
  gate: anything,
  dispatcher: mustHaveMethods('an undici dispatcher', 'dispatch'),
  fetch: mustBeFunction,
  clock: checkClock,
  random: mustBeFunction,
  logger: mustHaveMethods('an object with the methods debug and warn', 'debug', 'warn'),
  onEvent: mustBeFunction,
  onWarning: mustBeFunction,
};

/**
 * Checks the options of a client.
 *
 * @throws ConfigurationError for an unknown option or an invalid value.
 */
export function checkClientOptions(options: PetStoreOptions): void {
  // Callers without TypeScript can pass anything.
  if (!isObject(options)) {
    throw new ConfigurationError('No options', { hint: 'Pass at least apiKey and baseUrl.' });
  }
  const problem = findProblem(options, CLIENT_CHECKS);
  if (problem !== undefined) throw invalidOption(problem);
}

export function invalidOption({ message, field, hint }: Problem): ConfigurationError {
  return new ConfigurationError(message, { option: field, hint });
}

/** Tries the clock once, because a wrong one would fail in the middle of a call. */
function checkClock(value: unknown, field: string): Problem | undefined {
  const problem = mustHaveMethods(
    'an object with the methods now, monotonic and setTimeout',
    ...['now', 'monotonic', 'setTimeout'],
  )(value, field);
  if (problem !== undefined) return problem;
  const clock = value as Clock;
  try {
    if (!Number.isFinite(clock.now()) || !Number.isFinite(clock.monotonic()))
      return { field, message: `${field} must return times as numbers of milliseconds` };
    const cancel: unknown = clock.setTimeout(() => undefined, 0);
    if (typeof cancel !== 'function')
      return { field, message: `${field}.setTimeout must return a function that cancels the timer` };
    (cancel as () => void)();
    return undefined;
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    return { field, message: `${field} failed (${reason})` };
  }
}
