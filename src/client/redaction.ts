/** Keeps secrets out of everything that is shown. By allow-list: what is not known to be harmless is not shown. */

const SHOWN_HEADERS = new Set([
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
export function showHeaders(
  headers: Readonly<Record<string, string>>,
  secret: string,
): Readonly<Record<string, string>> {
  return mapValues(headers, (value, name) => (SHOWN_HEADERS.has(name) ? scrub(value, secret) : REDACTED));
}

/** Takes the key out of text that came from outside: a service may echo what it was sent. */
export function scrub(text: string, secret: string): string {
  return secret !== '' && text.includes(secret) ? text.replaceAll(secret, REDACTED) : text;
}

/** Headers of an answer, with the key taken out where the service echoed it. */
export function scrubHeaders(
  headers: Readonly<Record<string, string>>,
  secret: string,
): Readonly<Record<string, string>> {
  return mapValues(headers, (value) => scrub(value, secret));
}

/** A cause to keep on an error: itself, or a copy without the key where its text held it. */
export function scrubCause(cause: unknown, secret: string): unknown {
  if (!(cause instanceof Error)) return typeof cause === 'string' ? scrub(cause, secret) : cause;
  const text = `${cause.message}\n${cause.stack ?? ''}`;
  if (secret === '' || !text.includes(secret)) return cause;
  const copy = new Error(scrub(cause.message, secret));
  copy.name = cause.name;
  copy.stack = scrub(cause.stack ?? '', secret);
  return copy;
}

function mapValues(
  headers: Readonly<Record<string, string>>,
  change: (value: string, name: string) => string,
): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, change(value, name)]));
}
