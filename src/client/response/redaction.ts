import { nodeModule } from '../../node-module.js';
import { hasNoSecret, redactSecret, SECRET_LENGTH_MIN } from '../../redact-secret.js';

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
  secret: string,
): Readonly<Record<string, string>> {
  return mapHeaders(headers, (value, name) => (SAFE_HEADERS.has(name) ? redact(value, secret) : REDACTED));
}

/** Redacts the API key in text of a service or of the caller, in any encoding. A service may echo the key, also in part. */
export function redact(text: string, secret: string): string {
  return redactSecret(text, secret, { replacement: REDACTED, isForeign: true });
}

/** Redacts the API key in all texts and names of a JSON value. */
export function redactValue(value: unknown, secret: string): unknown {
  if (typeof value === 'string') return redact(value, secret);
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map((element) => redactValue(element, secret));
  return Object.fromEntries(
    Object.entries(value).map(([name, each]) => [redact(name, secret), redactValue(each, secret)]),
  );
}

/**
 * Redacts the API key in a sentence of this package that quotes other text. A key of less than 8 characters stays, because
 * it could be a word of the sentence.
 */
export function redactSentence(text: string, secret: string): string {
  return redactSecret(text, secret, { replacement: REDACTED, isForeign: false });
}

/** Redacts the API key in a path or a query. */
export const redactPath = redact;

/** Redacts the API key in response headers. Returns the same object if the key does not occur. */
export function redactHeaders(
  headers: Readonly<Record<string, string>>,
  secret: string,
): Readonly<Record<string, string>> {
  // Every response comes here, so one quick check covers all headers.
  let all = '';
  for (const name in headers) all += `${headers[name] ?? ''}\n`;
  if (secret === '' || hasNoSecret(all, secret)) return headers;
  return mapHeaders(headers, (value) => redact(value, secret));
}

/** Maximum length of a chain of causes, because it may be circular. */
const CAUSES_MAX = 10;

/** Returns the cause of an error. Returns a redacted copy if printing the cause would show the key. */
export function redactCause(cause: unknown, secret: string, causesMax = CAUSES_MAX): unknown {
  if (typeof cause === 'string') return redact(cause, secret);
  if (secret === '' || !contains(cause, secret)) return cause;
  if (!(cause instanceof Error)) return REDACTED;
  const inner = causesMax === 0 ? undefined : redactCause(cause.cause, secret, causesMax - 1);
  const copy = new Error(redact(cause.message, secret), inner === undefined ? undefined : { cause: inner });
  copy.name = redact(cause.name, secret);
  copy.stack = redact(cause.stack ?? '', secret);
  const { code } = cause as { code?: unknown };
  return typeof code === 'string' ? Object.assign(copy, { code: redact(code, secret) }) : copy;
}

function contains(value: unknown, secret: string): boolean {
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
    return secret.length < SECRET_LENGTH_MIN
      ? redact(printed, secret) !== printed
      : redactSentence(printed, secret) !== printed;
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
