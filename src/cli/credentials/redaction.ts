import { type Context, type KeyMask, variable } from '../system/context.js';

/** What stands for a key that came where it does not belong. */
const KEY_PLACE = '[key]';
/** In a shorter one's place anything might be found. */
const LENGTH_MIN = 8;

/**
 * The context of a run that repeats no key to people: `stderr` takes out the key of the environment, and the stored one
 * once it is found. The client takes them out of what the service says; this is for a person who has put one into a flag,
 * a path or a file, and whose mistake is quoted to a log. Each write is whole lines, so that none can cut a key in two.
 *
 * What goes to stdout is data, and nobody's to change; what a command repeats there of its own input it has masked itself.
 */
export function redactStderr(context: Context): Context {
  const { stderr } = context;
  const keyMask = createKeyMask(variable(context, 'PETSTORE_API_KEY'));
  const write = (text: string): void => {
    stderr.write(keyMask.apply(text));
  };
  // Whatever else there is stays as it is, and is made when it is asked for: a look at stdin opens it.
  return Object.create(context, {
    stderr: { value: Object.create(stderr, { write: { value: write } }) as typeof stderr },
    keyMask: { value: keyMask },
  }) as Context;
}

/** The text as it may be repeated. */
export function redactKey(text: string, { keyMask }: Pick<Context, 'keyMask'>): string {
  return keyMask?.apply(text) ?? text;
}

/** Every text in data likewise: what is laid out may have a key broken over two lines, or escaped. */
export function redactKeyInData<T>(data: T, context: Pick<Context, 'keyMask'>): T {
  // Texts stay texts, and all else is as it was.
  return redactValue(data, context) as T;
}

function redactValue(data: unknown, context: Pick<Context, 'keyMask'>): unknown {
  if (typeof data === 'string') return redactKey(data, context);
  if (Array.isArray(data)) return data.map((entry) => redactValue(entry, context));
  if (typeof data !== 'object' || data === null) return data;
  return Object.fromEntries(Object.entries(data).map(([name, value]) => [name, redactValue(value, context)]));
}

function createKeyMask(known: string | undefined): KeyMask {
  const forms = new Set(formsOf(known));
  return {
    add(key) {
      for (const form of formsOf(key)) forms.add(form);
    },
    apply(text) {
      let rest = text;
      for (const form of forms) rest = rest.replaceAll(form, KEY_PLACE);
      return rest;
    },
  };
}

/** As it is, within a quoted word, and within a URL. */
function formsOf(key: string | undefined): readonly string[] {
  if (key === undefined || key.length < LENGTH_MIN) return [];
  return [key, JSON.stringify(key).slice(1, -1), encodeURIComponent(key)];
}
