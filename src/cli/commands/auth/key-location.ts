import { plainTextWarning } from '../../credentials/key-file.js';
import type { SavedKey } from '../../credentials/stored-keys.js';
import type { Session } from '../../session/action.js';

/** Notes where a key is now, and warns if it is plain text. */
export function noteKeyLocation({ path, reason, mayRemain }: SavedKey, session: Session): void {
  if (path === undefined) session.note("The key is stored in the system's keychain.");
  else {
    session.note(`The keychain can't be used (${String(reason)}).`);
    session.warn(plainTextWarning(path, session.context));
  }
  if (mayRemain === true)
    session.warn(
      'The keychain may still hold an older key of this profile. Log in or out again when it can be used.',
    );
}
