import type { Session } from '../../action.js';
import { quoted } from '../../flag-values.js';
import { UsageError } from '../../usage-error.js';

/** What a profile is called where nobody names one. */
export const FIRST_PROFILE = 'default';

/** @throws UsageError for what could not be typed again, or would be taken for a flag. */
export function checkProfileName(name: string): string {
  if (/^[\p{L}\p{N}_][\p{L}\p{N}_.@-]{0,63}$/u.test(name) && name !== '__proto__') return name;
  throw new UsageError(
    `${quoted(name)} can't be the name of a profile`,
    'letters, digits, and . _ @ - within it, 64 at most',
  );
}

/** The profile in use. @throws UsageError where there is none. */
export function requireProfile({ settings }: Pick<Session, 'settings'>): string {
  if (settings.profile !== undefined) return settings.profile;
  throw new UsageError('no profile is in use', 'pass --profile NAME; petstore auth list shows them');
}
