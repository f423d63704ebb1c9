import { scanJson } from './json-scanner.js';

/**
 * Parses JSON as `JSON.parse` does, but returns an integer outside ±(2^53 − 1) as a `bigint` with every digit.
 * `JSON.parse` rounds such integers: 9007199254740993 becomes 9007199254740992.
 *
 * A number with a fraction, an exponent or more than 308 digits stays a `number`.
 *
 * @throws SyntaxError if the text is not JSON.
 * @example
 * parseJson('{"id":9007199254740993}'); // { id: 9007199254740993n }
 */
export function parseJson(text: string): unknown {
  // Like JSON.parse, also for a value that is not a string.
  const string = String(text);
  return hasLongDigitRun(string) ? parseLossless(string) : JSON.parse(string);
}

/**
 * Writes JSON as `JSON.stringify` does, but writes a `bigint` as a plain integer. `JSON.stringify` throws on a bigint.
 * A value that JSON can't express (`undefined`, a function) becomes `null`.
 *
 * @param space indentation, as in `JSON.stringify`. Default: none.
 * @example
 * stringifyJson({ id: 9007199254740993n }); // '{"id":9007199254740993}'
 */
export function stringifyJson(value: unknown, space?: number | string): string {
  let isPlain = true;
  const replace = function (this: Record<string, unknown>, key: string, value: unknown): unknown {
    const own = unboxed(this[key]);
    const shown = unboxed(value);
    // Use the value before toJSON: a program may have added a toJSON to BigInt.prototype.
    const raw = typeof own === 'bigint' ? own : shown;
    if (typeof raw === 'bigint') {
      isPlain = false;
      return TAG + String(raw);
    }
    if (typeof shown !== 'string' || !shown.startsWith(TAG) || !TAGGED.test(shown)) return shown;
    isPlain = false;
    return TAG + shown;
  };
  const text = (JSON.stringify(value, replace, space) as string | undefined) ?? 'null';
  return isPlain ? text : text.replace(TAGGED_STRING, untag);
}

/** `JSON.stringify` unwraps objects such as `Object(1n)` only after the replacer. */
function unboxed(value: unknown): unknown {
  return value instanceof BigInt || value instanceof String ? value.valueOf() : value;
}

/** Each run of 16 digits includes one of the offsets 15, 31, 47, …, so only these need a check. */
const LONG_DIGITS = 16;
/** `JSON.parse` returns Infinity for integers with more digits. `parseJson` does the same. */
const DIGITS_MAX = 308;
const LONG_INTEGER = new RegExp(`^-?[1-9]\\d{${String(LONG_DIGITS - 1)},${String(DIGITS_MAX - 1)}}$`);

function hasLongDigitRun(text: string): boolean {
  for (let index = LONG_DIGITS - 1; index < text.length; index += LONG_DIGITS) {
    if (isDigit(text, index) && digitRun(text, index) >= LONG_DIGITS) return true;
  }
  return false;
}

function digitRun(text: string, index: number): number {
  let from = index;
  let to = index;
  while (from > 0 && isDigit(text, from - 1)) from -= 1;
  while (to + 1 < text.length && to - from < LONG_DIGITS && isDigit(text, to + 1)) to += 1;
  return to - from + 1;
}

function isDigit(text: string, index: number): boolean {
  const code = text.charCodeAt(index);
  return code >= 0x30 && code <= 0x39;
}

type Container = unknown[] | Record<string, unknown>;

/** Builds the value from the tokens. Slower than `JSON.parse`, so only for texts with long integers. */
function parseLossless(text: string): unknown {
  let root: unknown;
  let name = '';
  let container: Container | undefined;
  const outer: (Container | undefined)[] = [];
  const add = (value: unknown): void => {
    if (container === undefined) root = value;
    else if (Array.isArray(container)) container.push(value);
    else if (name === '__proto__') defineField(container, name, value);
    else container[name] = value;
  };
  const open = (opened: Container): void => {
    add(opened);
    outer.push(container);
    container = opened;
  };
  const errorAt = scanJson(text, {
    openObject: () => open({}),
    openArray: () => open([]),
    close() {
      container = outer.pop();
    },
    name(from, end) {
      name = stringAt(text, from, end);
    },
    string: (from, end) => add(stringAt(text, from, end)),
    literal: (from, end) => add(literalOf(text.slice(from, end))),
  });
  // JSON.parse throws here, with Node's own message.
  return errorAt === undefined ? root : JSON.parse(text);
}

/** Defines a field named `__proto__`. An assignment would set the prototype. */
function defineField(object: object, name: string, value: unknown): void {
  Object.defineProperty(object, name, { value, writable: true, enumerable: true, configurable: true });
}

function stringAt(text: string, from: number, end: number): string {
  const content = text.slice(from + 1, end - 1);
  return content.includes('\\') ? String(JSON.parse(text.slice(from, end))) : content;
}

function literalOf(literal: string): unknown {
  if (literal === 'true') return true;
  if (literal === 'false') return false;
  if (literal === 'null') return null;
  const number = Number(literal);
  if (literal.length < LONG_DIGITS || Number.isSafeInteger(number)) return number;
  return LONG_INTEGER.test(literal) ? BigInt(literal) : number;
}

/**
 * Prefix of the digits of a bigint while `JSON.stringify` runs. A string that already looks like this gets one more
 * tag.
 */
const TAG = '\uE000';
const TAGGED = new RegExp(`^${TAG}+-?\\d+$`);
/** A string value, not the name of a member. */
const TAGGED_STRING = new RegExp(`"${TAG}(${TAG}*)(-?\\d+)"(?!:)`, 'g');

function untag(_: string, tags: string, digits: string): string {
  return tags === '' ? digits : `"${tags}${digits}"`;
}
