import { ConfigurationError } from '../../errors.js';
import type { CallSettings } from '../contract/options.js';
import { type Check, type Problem } from '../../options/check-options.js';

/** A token (RFC 9110, section 5.6.2). */
export const HEADER_NAME = /^[\w!#$%&'*+.^`|~-]+$/;
/** A field value (RFC 9110, section 5.5): no line breaks and no other control characters. */
const HEADER_VALUE = /^[\t\x20-\x7e\x80-\xff]*$/;

/** Set by the client or by HTTP itself, like `authorization`. */
export const RESERVED_HEADERS: ReadonlySet<string> = new Set([
  'connection',
  'content-length',
  'expect',
  'host',
  'keep-alive',
  'proxy-connection',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
]);

/** Headers with names in lower case, or a function that returns them for the next request. */
export type HeaderSource =
  Readonly<Record<string, string>> | (() => Promise<Readonly<Record<string, string>>>);

/** Checks the option `headers`. A problem does not show a value, which may be a secret. */
export const checkHeaders: Check = (value, field) => {
  if (typeof value === 'function') return undefined;
  // The checks below would read it to its end, and nothing would be sent.
  if (isIterable(value) && Object.is(value[Symbol.iterator](), value))
    return { field, message: `${field} must be a list instead of an iterator, which can be read only once` };
  return pairsProblem(value, field);
};

function pairsProblem(value: unknown, field: string): Problem | undefined {
  if (!hasPairs(value)) return { field, message: `${field} must be an object of names and values` };
  for (const pair of pairsOf(value)) {
    const problem = Array.isArray(pair) && pair.length === 2 ? pairProblem(pair, field) : 'pair';
    if (problem === 'pair')
      return { field, message: `${field} must have a name and a value for each header` };
    if (problem !== undefined) return problem;
  }
  return undefined;
}

/** Whether a value is an object of names and values, from any realm, or has its own iterator. A `Date` has neither. */
function hasPairs(value: unknown): value is object {
  if (typeof value !== 'object' || value === null) return false;
  return isIterable(value) || Object.prototype.toString.call(value) === '[object Object]';
}

function pairProblem([name, value]: unknown[], field: string): Problem | undefined {
  // An assignment to an object would lose the name __proto__.
  if (typeof name !== 'string' || !HEADER_NAME.test(name) || name.toLowerCase() === '__proto__')
    return { field, message: `${field} has the invalid name ${JSON.stringify(name)}` };
  if (name.toLowerCase() === 'authorization') {
    return {
      field,
      message: `${field} can't replace authorization`,
      hint: 'For another API key, create another client with createPetStore().',
    };
  }
  if (RESERVED_HEADERS.has(name.toLowerCase()))
    return { field, message: `${field} can't set ${name}: HTTP or the client controls it` };
  if (value === undefined || (typeof value === 'string' && HEADER_VALUE.test(value))) return undefined;
  return { field, message: `${field} must have one line of text without control characters as ${name}` };
}

/** Adds headers to others. Functions are called for each request, in this order. */
export function mergeHeaders(base: HeaderSource, own: CallSettings['headers']): HeaderSource {
  if (own === undefined) return base;
  if (typeof base !== 'function' && typeof own !== 'function') return addHeaders(base, own);
  return async () => {
    const first = typeof base === 'function' ? await base() : base;
    return addHeaders(first, typeof own === 'function' ? await own() : own);
  };
}

/**
 * Names become lower case. A header that is `undefined` is left out. Checks what it reads, because the next read can
 * return other headers.
 *
 * @throws ConfigurationError if a header is invalid.
 */
function addHeaders(base: Readonly<Record<string, string>>, own: unknown): Readonly<Record<string, string>> {
  const copyOf = (pair: unknown): unknown => (Array.isArray(pair) ? [...(pair as unknown[])] : pair);
  const pairs = hasPairs(own) ? Array.from(pairsOf(own), copyOf) : own;
  const problem = pairsProblem(pairs, 'headers');
  if (problem !== undefined)
    throw new ConfigurationError(problem.message, { option: 'headers', hint: problem.hint });
  const merged = { ...base };
  for (const [name, value] of pairs as [string, string | undefined][])
    if (value !== undefined) merged[name.toLowerCase()] = value.trim();
  return merged;
}

function pairsOf(headers: object): Iterable<unknown> {
  return isIterable(headers) ? headers : Object.entries(headers);
}

function isIterable(value: unknown): value is Iterable<unknown> {
  return (
    typeof value === 'object' &&
    value !== null &&
    typeof (value as Partial<Iterable<unknown>>)[Symbol.iterator] === 'function'
  );
}
