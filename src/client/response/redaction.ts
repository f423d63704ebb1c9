import { inspect } from 'node:util';

/** Keeps secrets out of everything that is shown. By allow-list: what is not known to be harmless is not shown. */

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

/** What stands where something is not shown. */
export const REDACTED = '[redacted]';

/** Headers as events and logs may show them. */
export function headersForLog(
  headers: Readonly<Record<string, string>>,
  secret: string,
): Readonly<Record<string, string>> {
  return mapHeaders(headers, (value, name) => (SAFE_HEADERS.has(name) ? redact(value, secret) : REDACTED));
}

/** Takes the key out of text that came from outside: a service may echo what it was sent. */
export function redact(text: string, secret: string): string {
  return secret !== '' && text.includes(secret) ? text.replaceAll(secret, REDACTED) : text;
}

/** The same for a path or a query, where any character of the key may stand percent-encoded as well: URLs encode fewer than `encodeURIComponent`. */
export function redactPath(path: string, secret: string): string {
  if (secret === '' || !path.includes('%')) return redact(path, secret);
  const characters = Array.from(secret, (character) => {
    const plain = character.replace(/[$(-+./?[-^{|}]/g, '\\$&');
    const encoded = Array.from(new TextEncoder().encode(character), percentEncodedPattern).join('');
    return `(?:${plain}|${encoded})`;
  });
  return path.replace(new RegExp(characters.join(''), 'gu'), REDACTED);
}

/** As a pattern, for the hexadecimal digits may be of either case. */
function percentEncodedPattern(byte: number): string {
  const digits = byte.toString(16).padStart(2, '0');
  return `%${digits.replace(/[a-f]/g, (digit) => `[${digit}${digit.toUpperCase()}]`)}`;
}

/** Headers of an answer, with the key taken out where the service echoed it; the same object where it did not. */
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

/** Deep enough for any chain of causes that is not a circle. */
const CAUSES_MAX = 10;

/** A cause to keep on an error: itself, or a copy without the key where anything that a print of it shows holds it. */
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
  // What inspect shows is what a log shows: causes, inner errors and fields such as a request with its headers.
  try {
    const shown = inspect(value, {
      depth: 20,
      showHidden: true,
      maxArrayLength: null,
      maxStringLength: null,
    });
    return shown.includes(secret) || shown.includes(secret.replaceAll('\\', '\\\\'));
  } catch {
    // It can't be looked at, so it is not shown.
    return true;
  }
}

function mapHeaders(
  headers: Readonly<Record<string, string>>,
  change: (value: string, name: string) => string,
): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, change(value, name)]));
}
