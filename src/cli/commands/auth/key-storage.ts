import { editConfig, profileIn } from '../../config/config-editor.js';
import type { KeyLocation } from '../../config/config-values.js';
import { notStored, reasonOf, storedKeys } from '../../credentials/stored-keys.js';
import { UsageError } from '../../errors/usage-error.js';
import type { Session } from '../../session/action.js';
import { KeychainAbsentError } from '../../system/keychain.js';

/** Where login stores a key. */
export interface KeyStorage {
  location: KeyLocation;
  /** Why the system has no keychain. */
  absence?: string;
  /** Whether the keychain has just refused or not responded, so that it is not tried again. */
  hasFailed?: boolean;
}

/**
 * Chooses where login stores a key. Tries the keychain before the key is sent, because its prompt may be open.
 *
 * @param isInsecure whether the user asked for a file.
 * @throws UsageError if the keychain refuses or does not respond, and the user does not choose a file.
 */
export async function chooseStorage(isInsecure: boolean, session: Session): Promise<KeyStorage> {
  if (isInsecure) return { location: 'file' };
  const { context } = session;
  try {
    await (await context.keychain()).check();
    return { location: 'keychain' };
  } catch (error) {
    context.signal.throwIfAborted();
    if (error instanceof KeychainAbsentError) return { location: 'file', absence: error.message };
    await confirmFile(error, session);
    return { location: 'file', hasFailed: true };
  }
}

/** @throws UsageError if the user declines or can't be prompted. */
async function confirmFile(error: unknown, session: Session): Promise<void> {
  if (!session.canPrompt) throw notStored(error);
  session.note(`The keychain can't be used: ${reasonOf(error)}.`);
  const prompter = await session.prompter();
  const answer = await prompter.choose(
    'Store the key in a file instead? Programs that run as you can read it.',
    [
      { name: 'No', value: 'no' },
      { name: 'Yes, in a file with mode 600', value: 'yes' },
    ],
  );
  if (answer !== 'yes')
    throw new UsageError('Nothing was stored', 'Unlock the keychain, then log in again.', error);
}

/** Removes a copy of a key, unless another process has stored the key of the profile there in the meantime. */
export async function removeUnusedKey(
  profile: string,
  location: KeyLocation,
  { context }: Pick<Session, 'context'>,
): Promise<void> {
  await editConfig(context, async (draft) => {
    if (profileIn(draft, profile)?.keyIn === location) return;
    await storedKeys(context, () => context.keychain()).remove(profile, location);
  });
}
