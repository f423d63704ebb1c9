import { foreignMessage } from '../foreign-error.js';
import { quote } from '../schema/control-characters.js';
import { suggestionFor } from './suggest.js';

/** What is wrong with an option. */
export interface Problem {
  /** Name of the option, such as `retry.attemptsMax`. */
  field: string;
  message: string;
  hint?: string;
}

/** Checks the value of an option. */
export type Check = (value: unknown, field: string) => Problem | undefined;

/** The options of an object, and the checks of their values. `undefined` is allowed for every option. */
export type Checks = Readonly<Record<string, Check>>;

/** Creates a check from a condition and its description, such as "a number above 0". */
export function mustBe(description: string, isValid: (value: unknown) => boolean): Check {
  return (value, field) =>
    isValid(value) ? undefined : { field, message: `${field} must be ${description}` };
}

/** Accepts every value. */
export const anything: Check = () => undefined;
export const mustBeFunction: Check = mustBe('a function', (value) => typeof value === 'function');
export const mustBeText: Check = mustBe('a string', (value) => typeof value === 'string');
/** Not `instanceof`: a signal may come from another realm. */
export const mustBeSignal: Check = mustBe(
  'an AbortSignal',
  (value) =>
    isObject(value) &&
    typeof (value as Partial<AbortSignal>).aborted === 'boolean' &&
    typeof (value as Partial<AbortSignal>).addEventListener === 'function',
);

/** Creates a check for one of some texts. */
export function mustBeOneOf(...known: readonly string[]): Check {
  return mustBe(`one of ${known.join(', ')}`, (value) => known.some((each) => each === value));
}

/** Creates a check for a list of valid entries. */
export function mustBeListOf(description: string, isEntry: (entry: unknown) => boolean): Check {
  return mustBe(description, (value) => Array.isArray(value) && value.every(isEntry));
}

/** Creates a check for an object with these methods. */
export function mustHaveMethods(description: string, ...methods: string[]): Check {
  return mustBe(
    description,
    (value) =>
      isObject(value) &&
      methods.every((method) => typeof (value as Record<string, unknown>)[method] === 'function'),
  );
}

/** Creates a check for a clock with these methods. Reads it once, because a wrong one would fail in the middle of a call. */
export function mustBeClock(description: string, ...methods: string[]): Check {
  const hasMethods = mustHaveMethods(description, ...methods);
  return (value, field) => {
    const problem = hasMethods(value, field);
    if (problem !== undefined) return problem;
    const clock = value as Record<string, () => unknown>;
    const times = methods.filter((method) => method !== 'setTimeout');
    if (times.every((method) => Number.isFinite(clock[method]?.()))) return undefined;
    return { field, message: `${field} must return times as numbers of milliseconds` };
  };
}

/** Checks a `Clock`. */
export const mustBeFullClock: Check = mustBeClock(
  'an object with the methods now, monotonic and setTimeout',
  'now',
  'monotonic',
  'setTimeout',
);

/**
 * Finds the first problem of an object with options: an unknown name, an invalid value, or a property of the caller that
 * throws when it is read.
 *
 * @param what the name of the object in messages, such as `retry`.
 * @param noun what a name in it is called, such as `option`.
 */
export function findProblem(
  options: unknown,
  checks: Checks,
  { what = 'options', noun = 'option', prefix = '' } = {},
): Problem | undefined {
  if (!isObject(options)) return { field: what, message: `${what} must be an object` };
  if (isSignal(options)) {
    const message = `${what} must be an object with options, not a signal`;
    return { field: what, message, ...('signal' in checks && { hint: 'Pass { signal }.' }) };
  }
  let field = what;
  try {
    for (const name of Object.keys(options)) {
      const check = Object.hasOwn(checks, name) ? checks[name] : undefined;
      if (check === undefined) return unknownName(name, { known: Object.keys(checks), noun, prefix });
      field = prefix + name;
      const value = (options as Record<string, unknown>)[name];
      const problem = value === undefined ? undefined : check(value, field);
      if (problem !== undefined) return problem;
    }
    return undefined;
  } catch (error) {
    return { field, message: `${field} failed (${foreignMessage(error)})` };
  }
}

/** Finds the first problem of a list of objects. None of their fields may be missing. */
export function findListProblem(
  list: unknown,
  checks: Checks,
  { field, description }: { field: string; description: string },
): Problem | undefined {
  if (!Array.isArray(list)) return { field, message: `${field} must be ${description}` };
  for (const [index, entry] of (list as unknown[]).entries()) {
    const what = `${field}[${String(index)}]`;
    const problem = findProblem(entry, checks, { what, noun: 'field', prefix: `${what}.` });
    if (problem !== undefined) return problem;
    const values = entry as Record<string, unknown>;
    const missing = Object.keys(checks).find((name) => values[name] === undefined);
    if (missing !== undefined)
      return { field: `${what}.${missing}`, message: `${what}.${missing} is missing` };
  }
  return undefined;
}

/**
 * Reads options once, with inherited ones: a getter of the caller may return another value the next time. One that throws
 * is left to `findProblem`.
 */
export function readOptions<T extends object>(options: T, checks: Checks): T {
  if (isSignal(options)) return options;
  const inherited = Object.keys(checks).filter((name) => name in options);
  const read = {};
  for (const name of new Set([...Object.keys(options), ...inherited])) {
    const property: PropertyDescriptor = { enumerable: true };
    try {
      property.value = options[name as keyof T];
    } catch (error) {
      property.get = () => {
        throw error;
      };
    }
    Object.defineProperty(read, name, property);
  }
  // Safe: the options keep their types.
  return read as T;
}

/** Describes an unknown name, with the nearest known one. */
export function unknownName(
  name: string,
  { known, noun, prefix = '' }: { known: readonly string[]; noun: string; prefix?: string },
): Problem {
  return {
    field: prefix + name,
    message: `Unknown ${noun} ${quote(prefix + name)}`,
    hint: suggestionFor(name, known),
  };
}

/** Creates the error of APIs whose errors have no separate hint. */
export function problemError({ message, hint }: Problem): TypeError {
  return new TypeError(hint === undefined ? message : `${message}. ${hint}`);
}

/** A signal has no properties of its own, so it would pass as options that are all left out. */
function isSignal(options: object): boolean {
  return 'aborted' in options && 'addEventListener' in options;
}

export function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
