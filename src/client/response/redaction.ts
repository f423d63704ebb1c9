import { inspect } from 'node:util';

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

/** Redacts the API key in text: a service may echo it. */
export function redact(text: string, secret: string): string {
  return secret !== '' && text.includes(secret) ? text.replaceAll(secret, REDACTED) : text;
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

/** Redacts the API key in a path or a query, where any of its characters may be percent-encoded. */
export function redactPath(path: string, secret: string): string {
  if (secret === '' || !path.includes('%')) return redact(path, secret);
  const characters = Array.from(secret, (character) => {
    const plain = character.replace(/[$(-+./?[-^{|}]/g, '\\$&');
    const encoded = Array.from(new TextEncoder().encode(character), percentEncodedPattern).join('');
    return `(?:${plain}|${encoded})`;
  });
  return path.replace(new RegExp(characters.join(''), 'gu'), REDACTED);
}

/** The pattern accepts hexadecimal digits of either case. */
function percentEncodedPattern(byte: number): string {
  const digits = byte.toString(16).padStart(2, '0');
  return `%${digits.replace(/[a-f]/g, (digit) => `[${digit}${digit.toUpperCase()}]`)}`;
}

/** Redacts the API key in response headers. Returns the same object if the key does not occur. */
export function redactHeaders(
  headers: Readonly<Record<string, string>>,
  secret: string,
): Readonly<Record<string, string>> {
  for (const name in headers) {
    if (headers[name]?.includes(secret) === true)
      return mapHeaders(headers, (value) => redact(value, secret));
  }
  return headers;
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
  // Logs print what inspect shows: causes, inner errors and fields such as a request with its headers.
  try {
    const printed = inspect(value, {
      depth: 20,
      showHidden: true,
      maxArrayLength: null,
      maxStringLength: null,
    });
    return printed.includes(secret) || printed.includes(secret.replaceAll('\\', '\\\\'));
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
