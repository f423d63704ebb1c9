import { type Context, variable } from './context.js';

/**
 * Whether the terminal shows characters outside ASCII, by its locale (POSIX: LC_ALL, LC_CTYPE, LANG).
 *
 * @param ifUnset the result without a locale. POSIX then means ASCII, but most containers set none.
 */
export function supportsUnicode(context: Pick<Context, 'env' | 'platform'>, ifUnset = false): boolean {
  // The classic console of Windows lacks many characters; Windows Terminal sets WT_SESSION.
  if (context.platform === 'win32') return variable(context, 'WT_SESSION') !== undefined;
  const locale = variable(context, 'LC_ALL') ?? variable(context, 'LC_CTYPE') ?? variable(context, 'LANG');
  return locale === undefined ? ifUnset : /utf-?8/i.test(locale);
}
