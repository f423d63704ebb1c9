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

/** Creates a check for an object with these methods. */
export function mustHaveMethods(description: string, ...methods: string[]): Check {
  return mustBe(
    description,
    (value) =>
      isObject(value) &&
      methods.every((method) => typeof (value as Record<string, unknown>)[method] === 'function'),
  );
}

/**
 * Finds the first problem of an object with options: an unknown name or an invalid value.
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
  for (const name of Object.keys(options)) {
    const check = Object.hasOwn(checks, name) ? checks[name] : undefined;
    if (check === undefined) return unknownName(name, { known: Object.keys(checks), noun, prefix });
    const value = (options as Record<string, unknown>)[name];
    const problem = value === undefined ? undefined : check(value, prefix + name);
    if (problem !== undefined) return problem;
  }
  return undefined;
}

/** Describes an unknown name, with the nearest known one. */
export function unknownName(
  name: string,
  { known, noun, prefix = '' }: { known: readonly string[]; noun: string; prefix?: string },
): Problem {
  const nearest = nearestName(name, known);
  return {
    field: prefix + name,
    message: `Unknown ${noun} ${JSON.stringify(prefix + name)}`,
    hint: nearest === undefined ? `Known: ${known.join(', ')}.` : `Did you mean ${JSON.stringify(nearest)}?`,
  };
}

export function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Edits after which a name still counts as near. */
const EDITS_MAX = 2;
/** Length of a common start that makes two names near, such as `time` of `timeout` and `timeMs`. */
const START_LENGTH = 4;

function nearestName(name: string, known: readonly string[]): string | undefined {
  const wanted = name.toLowerCase();
  let best: { candidate: string; edits: number } | undefined;
  for (const candidate of known) {
    const other = candidate.toLowerCase();
    const edits = editDistance(wanted, other);
    const contains = wanted.length > 2 && (other.includes(wanted) || wanted.includes(other));
    const startsAlike = other.length >= START_LENGTH && wanted.startsWith(other.slice(0, START_LENGTH));
    const isNear = contains || startsAlike || (edits <= EDITS_MAX && edits < wanted.length / 2);
    if (isNear && (best === undefined || edits < best.edits)) best = { candidate, edits };
  }
  return best?.candidate;
}

/** Levenshtein distance with one row. */
function editDistance(from: string, to: string): number {
  const row = Array.from({ length: to.length + 1 }, (_, column) => column);
  for (let line = 1; line <= from.length; line += 1) {
    let diagonal = line - 1;
    row[0] = line;
    for (let column = 1; column <= to.length; column += 1) {
      const replaced = diagonal + (from[line - 1] === to[column - 1] ? 0 : 1);
      diagonal = row[column] ?? 0;
      row[column] = Math.min(replaced, diagonal + 1, (row[column - 1] ?? 0) + 1);
    }
  }
  return row[to.length] ?? 0;
}
