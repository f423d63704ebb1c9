import { createRedactor, type Redactor } from '../../../security/redact-secret.js';
import { type Context, type KeyMask, variable, withWrite } from '../../system/context.js';

const REPLACEMENT = '[key]';
/** A shorter key could match any text. It is found only as a whole value of a path, query, header or JSON body. */
const SPLIT_LENGTH_MIN = 8;

/**
 * Returns a context whose `stderr` redacts the key of the environment, and stored keys after they are read. A user may have
 * put a key into a flag, path or file that an error message quotes. The client redacts the texts of the service. stdout is
 * data and stays unchanged.
 */
export function redactStderr(context: Context): Context {
  const keyMask = createKeyMask(variable(context, 'PETSTORE_API_KEY'));
  // Each write consists of whole lines, so that no write ends within a key.
  const stderr = withWrite(context.stderr, (text) => {
    context.stderr.write(keyMask.apply(text));
  });
  return { ...context, keyMask, stderr };
}

/** Redacts the known keys in a text. */
export function redactKey(text: string, { keyMask }: Pick<Context, 'keyMask'>): string {
  return keyMask?.apply(text) ?? text;
}

/** Redacts the known keys in a shown request. A user may have put a key into its path, headers or body. */
export function redactKeyInRequest(text: string, { keyMask }: Pick<Context, 'keyMask'>): string {
  return keyMask?.apply(keyMask.split(text).join(REPLACEMENT)) ?? text;
}

/** Redacts the known keys in every text of a value, before layout can wrap or escape them. */
export function redactKeyInData<T>(data: T, context: Pick<Context, 'keyMask'>): T;
export function redactKeyInData(data: unknown, context: Pick<Context, 'keyMask'>): unknown {
  if (typeof data === 'string') return redactKey(data, context);
  if (Array.isArray(data)) return data.map((entry: unknown) => redactKeyInData(entry, context));
  if (typeof data !== 'object' || data === null) return data;
  const entries = Object.entries(data) as [string, unknown][];
  return Object.fromEntries(entries.map(([name, value]) => [name, redactKeyInData(value, context)]));
}

function createKeyMask(known: string | undefined): KeyMask {
  const redactors = new Map<string, Redactor>();
  const add = (key: string): void => {
    if (!redactors.has(key)) redactors.set(key, createRedactor(key));
  };
  if (known !== undefined) add(known);
  return {
    add,
    apply(text) {
      let redacted = text;
      for (const redactor of redactors.values())
        redacted = redactor.redact(redacted, { replacement: REPLACEMENT, isForeign: false });
      return redacted;
    },
    split(text) {
      const separators = [...redactors.keys()].map((key) =>
        key.length >= SPLIT_LENGTH_MIN
          ? key
          : new RegExp(String.raw`(?<=[/=;"\s]|^)${key.replace(/\W/g, '\\$&')}(?=[/&?;"\s]|$)`),
      );
      return separators.reduce<string[]>(
        (parts, separator) => parts.flatMap((part) => part.split(separator)),
        [text],
      );
    },
  };
}
