import { CAUSES_MAX, type ForeignFields } from '../../foreign-error.js';
import { HAS_NODE_MODULES, nodeModule } from '../../node-module.js';
import type { Redactor } from '../../security/redact-secret.js';

/** Headers that logs show. All others are redacted, because they may contain secrets. */
const SAFE_HEADERS = new Set([
  'accept',
  'accept-encoding',
  'allow',
  'connection',
  'content-encoding',
  'content-length',
  'content-type',
  'date',
  'deprecation',
  'keep-alive',
  'link',
  'retry-after',
  'server',
  'sunset',
  'transfer-encoding',
  'user-agent',
  'x-ratelimit-limit',
  'x-ratelimit-remaining',
  'x-ratelimit-reset',
  'x-request-id',
  'request-id',
]);

/** Replaces redacted text. */
export const REDACTED = '[redacted]';

/** Redacts headers for events and logs. */
export function headersForLog(
  headers: Readonly<Record<string, string>>,
  redactor: Redactor,
): Readonly<Record<string, string>> {
  return redactHeaders(
    mapHeaders(headers, (value, name) => (SAFE_HEADERS.has(name) ? value : REDACTED)),
    redactor,
  );
}

/** Redacts the API key in text of a service or of the caller, in any encoding. A service may echo the key, also in part. */
export function redact(text: string, redactor: Redactor): string {
  return redactor.redact(text, { replacement: REDACTED, isForeign: true });
}

/** Redacts the API key in all texts and names of a JSON value. */
export function redactValue(value: unknown, redactor: Redactor): unknown {
  if (typeof value === 'string') return redact(value, redactor);
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map((element) => redactValue(element, redactor));
  return Object.fromEntries(
    Object.entries(value).map(([name, each]) => [redact(name, redactor), redactValue(each, redactor)]),
  );
}

/**
 * Redacts the API key in a sentence of this package that quotes other text. A key of less than 8 characters stays, because
 * it could be a word of the sentence.
 */
export function redactSentence(text: string, redactor: Redactor): string {
  return redactor.redact(text, { replacement: REDACTED, isForeign: false });
}

/** Redacts the API key in response headers. Returns the same object if the key does not occur. */
export function redactHeaders(
  headers: Readonly<Record<string, string>>,
  redactor: Redactor,
): Readonly<Record<string, string>> {
  // Every request and response comes here, so one quick check covers all headers.
  let all = '';
  for (const name in headers) all += `${headers[name] ?? ''}\n`;
  if (redactor.hasNoSecret(all)) return headers;
  return mapHeaders(headers, (value) => redact(value, redactor));
}

/** Headers with cookies or credentials, and `location`, whose target may contain them. */
const SECRET_HEADER =
  /cookie|authorization|authenticat|api-?key|token|secret|password|session|signature|credential|^location$/;

/**
 * Redacts cookies and credentials in response headers. Keeps the scheme of a challenge (RFC 9110, section 11.6.1).
 */
export function withoutCredentials(
  headers: Readonly<Record<string, string>>,
): Readonly<Record<string, string>> {
  return mapHeaders(headers, (value, name) => {
    if (!SECRET_HEADER.test(name)) return value;
    const [scheme = ''] = /^[a-z]+ /i.exec(name.endsWith('-authenticate') ? value : '') ?? [];
    return scheme + REDACTED;
  });
}

/**
 * Returns the cause of an error, or a redacted copy with its causes and inner errors. It copies if printing the cause would
 * show the key, or if the cause can hide a text from this check.
 */
export function redactCause(cause: unknown, redactor: Redactor, budget = { left: CAUSES_MAX }): unknown {
  if (typeof cause === 'string') return redact(cause, redactor);
  budget.left -= 1;
  try {
    // Without node:util, every value is redacted.
    if (HAS_NODE_MODULES && !canHide(cause, new Set()) && !contains(cause, redactor)) return cause;
    return cause instanceof Error && budget.left >= 0 ? copyError(cause, redactor, budget) : REDACTED;
  } catch {
    // A getter or a proxy throws.
    return REDACTED;
  }
}

function copyError(error: Error & ForeignFields, redactor: Redactor, budget: { left: number }): Error {
  const textOf = (value: unknown): string => (typeof value === 'string' ? redact(value, redactor) : '');
  const { message, name, stack, code, cause, errors } = error;
  const inner = cause === undefined ? undefined : { cause: redactCause(cause, redactor, budget) };
  const copy = Object.assign(new Error(textOf(message), inner), { name: textOf(name), stack: textOf(stack) });
  if (Array.isArray(errors)) {
    const value = errors.slice(0, CAUSES_MAX).map((each) => redactCause(each, redactor, budget));
    Object.defineProperty(copy, 'errors', { value });
  }
  return typeof code === 'string' ? Object.assign(copy, { code: textOf(code) }) : copy;
}

/**
 * Checks whether reading an error later can show what inspect does not. Reasons are a proxy, a getter, too many causes and
 * inner errors, or inner errors that are no list.
 */
function canHide(value: unknown, seen: Set<unknown>): boolean {
  if (typeof value !== 'object' || value === null || seen.has(value)) return false;
  seen.add(value);
  if (seen.size > CAUSES_MAX || nodeModule('node:util').types.isProxy(value)) return true;
  if (!(value instanceof Error)) return false;
  const own = Object.getOwnPropertyNames(value).filter((name) => name !== 'stack');
  if ([...own, 'cause', 'errors'].some((name) => isAccessor(value, name))) return true;
  const { cause, errors = [] } = value as ForeignFields;
  if (!Array.isArray(errors) || errors.length > CAUSES_MAX) return true;
  return [cause, ...(errors as unknown[])].some((each) => canHide(each, seen));
}

/** Checks a property of an object or of its prototypes. */
function isAccessor(value: object, name: string): boolean {
  for (
    let owner = value as object | null;
    owner !== null;
    owner = Object.getPrototypeOf(owner) as object | null
  ) {
    const found = Object.getOwnPropertyDescriptor(owner, name);
    if (found !== undefined) return found.get !== undefined;
  }
  return false;
}

function contains(value: unknown, redactor: Redactor): boolean {
  // Logs print what inspect shows, with own formats and without: causes, inner errors and fields such as a request with
  // its headers. Some print JSON.
  try {
    const { inspect } = nodeModule('node:util');
    const whole = { depth: 20, maxArrayLength: null, maxStringLength: null };
    const texts = [
      inspect(value, { ...whole, showHidden: true }),
      inspect(value, { ...whole, getters: true, customInspect: false }),
      jsonOf(value),
    ];
    // Parts of the key don't count, because they could be plain words of a stack.
    const redactText = redactor.isShort ? redact : redactSentence;
    return texts.some((text) => redactText(text, redactor) !== text);
  } catch {
    // A value that can't be inspected is redacted.
    return true;
  }
}

function jsonOf(value: unknown): string {
  try {
    return String(JSON.stringify(value));
  } catch {
    return '';
  }
}

function mapHeaders(
  headers: Readonly<Record<string, string>>,
  change: (value: string, name: string) => string,
): Record<string, string> {
  const changed: Record<string, string> = {};
  for (const name in headers) changed[name] = change(headers[name] ?? '', name);
  return changed;
}
