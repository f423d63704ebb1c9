import { InvalidInputError } from '../errors.js';
import { type Check, type Checks, isObject, type Problem } from './check-options.js';

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
