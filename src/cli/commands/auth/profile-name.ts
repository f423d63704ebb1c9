import type { Session } from '../../session/action.js';
import { quoted } from '../../command-line/flag-values.js';
import { keyFileName } from '../../credentials/key-file.js';
import { UsageError } from '../../errors/usage-error.js';

/** The name of the first profile. */
export const DEFAULT_PROFILE = 'default';

/** Most file systems allow 255 bytes, encrypted ones fewer. A temporary file needs a few more. */
const FILE_NAME_MAX_BYTES = 200;

/** @throws UsageError for a name that looks like a flag, or that no key file can have. */
export function checkProfileName(name: string): string {
  const isName = /^[\p{L}\p{N}_][\p{L}\p{N}_.@-]{0,63}$/u.test(name) && name !== '__proto__';
  // The file name is ASCII, so each character is one byte.
  if (isName && keyFileName(name).length <= FILE_NAME_MAX_BYTES) return name;
  if (isName) {
    throw new UsageError(
      `Profile name ${quoted(name)} is too long for the name of a key file`,
      'Use a shorter name. Letters other than a to z need several bytes.',
    );
  }
  throw new UsageError(
    `Invalid profile name ${quoted(name)}`,
    'Use at most 64 letters, digits and the characters . _ @ -, starting with a letter, digit or _.',
  );
}

/** The selected profile. @throws UsageError if none is selected. */
export function requireProfile({ settings }: Pick<Session, 'settings'>): string {
  if (settings.profile !== undefined) return settings.profile;
  if (settings.profileNames.length === 0)
    throw new UsageError('There are no profiles yet', 'Run "petstore auth login" to create one.');
  throw new UsageError(
    'No profile selected',
    'Pass --profile NAME. "petstore auth list" shows the profiles.',
  );
}
