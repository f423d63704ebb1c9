import { parseJson, stringifyJson } from '../../../schema/json.js';
import { createRedactor, type Redactor } from '../../../security/redact-secret.js';

/** Replaces secrets. The mock accepts any value in its place when it replays the recording. */
export const REDACTED = '[redacted]';

/** Removes keys, cookies and configured fields from a recording. */
export type ExchangeRedactor = ReturnType<typeof createExchangeRedactor>;

/** Headers whose whole value is a secret. */
const SECRET_HEADER =
  /^(?:cookie|set-cookie)$|authorization|api-?key|token|secret|password|session|signature|credential/i;
/** A shorter cookie could be any word. */
const COOKIE_LENGTH_MIN = 8;
/** The keys of this many requests are removed from later entries too. */
const SECRETS_MAX = 1_000;

/**
 * @param fields names of JSON properties, query parameters and headers whose values are removed, in any case.
 * @param onSecret called with each key.
 */
export function createExchangeRedactor(fields: readonly string[], onSecret: (secret: string) => void) {
  const names = new Set(fields.map((field) => field.toLowerCase()));
  const secrets = new Map<string, Redactor>();
  const isField = (name: string): boolean => names.has(name.toLowerCase());

  /** Removes keys and cookies from a text, in any encoding. */
  const text = (value: string): string => {
    let redacted = value;
    for (const secret of secrets.values()) {
      redacted = secret.redact(redacted, { replacement: REDACTED, isForeign: true });
    }
    return redacted;
  };
  /** @param value encoded, without the `?`. */
  const query = (value: string): string =>
    text(
      value
        .split('&')
        .map((pair) => {
          const [name = ''] = pair.split('=', 1);
          return isField(decoded(name)) ? `${name}=${REDACTED}` : pair;
        })
        .join('&'),
    );

  return {
    /** Adds the keys and cookies in these headers to the texts to remove. */
    learn(headers: Readonly<Record<string, string>>): void {
      for (const secret of secretsOf(headers)) {
        if (secrets.size >= SECRETS_MAX) secrets.delete(secrets.keys().next().value as string);
        secrets.set(secret, secrets.get(secret) ?? createRedactor(secret));
        onSecret(secret);
      }
    },
    header(name: string, value: string): string {
      if (isField(name)) return REDACTED;
      if (!SECRET_HEADER.test(name)) return text(value);
      // The scheme stays, because it helps to find errors. WWW-Authenticate also matches, and has no secret.
      return /^(?:bearer|basic) \S/i.test(value) ? value.replace(/ .*$/s, ` ${REDACTED}`) : REDACTED;
    },
    query,
    body(value: string): string {
      if (names.size === 0) return text(value);
      try {
        return text(stringifyJson(withoutFields(parseJson(value), isField)));
      } catch {
        const isForm = /^[^\s{}[\]"]*=[^\s{}[\]"]*$/.test(value);
        if (isForm) return query(value);
        const lowerCase = value.toLowerCase();
        // Its syntax is unknown, so the end of the value is unknown too.
        return [...names].some((name) => lowerCase.includes(name)) ? REDACTED : text(value);
      }
    },
    text,
  };
}

function secretsOf(headers: Readonly<Record<string, string>>): string[] {
  const secrets: string[] = [];
  for (const [name, value] of Object.entries(headers)) {
    if (!SECRET_HEADER.test(name)) continue;
    if (/^(?:set-)?cookie$/i.test(name)) {
      const values = value.split(/[;,\n]/).map((pair) => pair.slice(pair.indexOf('=') + 1).trim());
      secrets.push(...values.filter((each) => each.length >= COOKIE_LENGTH_MIN));
      continue;
    }
    const [, scheme = '', credentials = value] = /^([a-z]+) +(.+)$/is.exec(value) ?? [];
    secrets.push(credentials);
    if (scheme.toLowerCase() === 'basic') {
      const pair = Buffer.from(credentials, 'base64').toString();
      secrets.push(pair.slice(pair.indexOf(':') + 1));
    }
  }
  return secrets.filter((secret) => secret !== '');
}

function withoutFields(value: unknown, isField: (name: string) => boolean): unknown {
  if (Array.isArray(value)) return value.map((each) => withoutFields(each, isField));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, each]) => [
      name,
      isField(name) ? REDACTED : withoutFields(each, isField),
    ]),
  );
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '));
  } catch {
    return text;
  }
}
