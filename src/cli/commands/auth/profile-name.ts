import type { Session } from '../../session/action.js';
import { quoted } from '../../command-line/flag-values.js';
import { keyFileName } from '../../credentials/key-file.js';
import { UsageError } from '../../errors/usage-error.js';

/** What a profile is called where nobody names one. */
export const FIRST_PROFILE = 'default';

/** A file's name may have 255 bytes on most systems, and less on those that encrypt it; a draft of it has a few more. */
const FILE_NAME_MAX_BYTES = 200;

/** @throws UsageError for what could not be typed again, would be taken for a flag, or could name no file. */
export function checkProfileName(name: string): string {
  const isName = /^[\p{L}\p{N}_][\p{L}\p{N}_.@-]{0,63}$/u.test(name) && name !== '__proto__';
  // Of ASCII alone, so that each character is a byte.
  if (isName && keyFileName(name).length <= FILE_NAME_MAX_BYTES) return name;
  if (isName) {
    throw new UsageError(
      `${quoted(name)} is too long for the name of a profile: its key could need a file of that name`,
      'take a shorter one; letters beyond a to z count several times',
    );
  }
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
