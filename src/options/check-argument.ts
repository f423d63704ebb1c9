import { InvalidInputError } from '../errors.js';
import {
  type Check,
  type Checks,
  findProblem,
  isObject,
  type Problem,
  readOptions,
} from './check-options.js';

/** Creates the error for an invalid argument. */
export function invalidInput({ message, field, hint }: Problem): InvalidInputError {
  return new InvalidInputError(message, { field, hint });
}

/** @throws InvalidInputError unless the argument is valid. `undefined` is checked too. */
export function checkArgument(value: unknown, name: string, check: Check): void {
  const problem = check(value, name);
  if (problem !== undefined) throw invalidInput(problem);
}

/**
 * Checks the options of a call.
 *
 * @returns the options, read once.
 * @throws InvalidInputError for an unknown option or an invalid value.
 */
export function checkOptions<T extends object>(options: T, checks: Checks): T {
  const read = isObject(options) ? readOptions(options, checks) : options;
  const problem = findProblem(read, checks);
  if (problem !== undefined) throw invalidInput(problem);
  return read;
}

/**
 * Checks the fields of an argument. Other fields are allowed.
 *
 * @param whole the argument, as the start of a sentence.
 * @throws InvalidInputError for a field that is missing or invalid.
 */
export function requireFields(value: unknown, checks: Checks, whole: string): void {
  if (!isObject(value)) throw new InvalidInputError(`${whole} must be an object`);
  for (const [name, check] of Object.entries(checks))
    checkArgument((value as Record<string, unknown>)[name], name, check);
}
