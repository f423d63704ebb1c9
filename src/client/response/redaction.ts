import { nodeModule } from '../../node-module.js';
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
  return mapHeaders(headers, (value, name) => (SAFE_HEADERS.has(name) ? redact(value, redactor) : REDACTED));
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
  // Every response comes here, so one quick check covers all headers.
  let all = '';
  for (const name in headers) all += `${headers[name] ?? ''}\n`;
  if (redactor.hasNoSecret(all)) return headers;
  return mapHeaders(headers, (value) => redact(value, redactor));
}

/** Maximum length of a chain of causes, because it may be circular. */
const CAUSES_MAX = 10;

/** Returns the cause of an error. Returns a redacted copy if printing the cause would show the key. */
export function redactCause(cause: unknown, redactor: Redactor, causesMax = CAUSES_MAX): unknown {
  if (typeof cause === 'string') return redact(cause, redactor);
  if (!contains(cause, redactor)) return cause;
  if (!(cause instanceof Error)) return REDACTED;
  const inner = causesMax === 0 ? undefined : redactCause(cause.cause, redactor, causesMax - 1);
  const copy = new Error(redact(cause.message, redactor), inner === undefined ? undefined : { cause: inner });
  copy.name = redact(cause.name, redactor);
  copy.stack = redact(cause.stack ?? '', redactor);
  const { code } = cause as { code?: unknown };
  return typeof code === 'string' ? Object.assign(copy, { code: redact(code, redactor) }) : copy;
}

function contains(value: unknown, redactor: Redactor): boolean {
  // Logs print what inspect shows: causes, inner errors and fields such as a request with its headers. In a runtime
  // without inspect every value is replaced.
  try {
    const printed = nodeModule('node:util').inspect(value, {
      depth: 20,
      showHidden: true,
      maxArrayLength: null,
      maxStringLength: null,
    });
    // Parts of the key don't count, because they could be plain words of a stack.
    return redactor.isShort
      ? redact(printed, redactor) !== printed
      : redactSentence(printed, redactor) !== printed;
  } catch {
    // A value that can't be inspected is redacted.
    return true;
  }
}

function mapHeaders(
  headers: Readonly<Record<string, string>>,
  change: (value: string, name: string) => string,
): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, change(value, name)]));
}
