import { type Context, variable } from './context.js';

/** What stands for a key that came where it does not belong. */
const KEY_PLACE = '[key]';
/** In a shorter one's place anything might be found. */
const LENGTH_MIN = 8;

/**
 * Takes the key of the environment out of what is told to people. The client takes it out of what the service says; this
 * is for a person who has put it into a flag, a path or a file, and whose mistake is quoted to a log.
 */
export function withoutKey(text: string, context: Pick<Context, 'env'>): string {
  const key = variable(context, 'PETSTORE_API_KEY');
  if (key === undefined || key.length < LENGTH_MIN) return text;
  // As it is, within a quoted word, and within a URL.
  const forms = [key, JSON.stringify(key).slice(1, -1), encodeURIComponent(key)];
  return forms.reduce((rest, form) => rest.replaceAll(form, KEY_PLACE), text);
}
