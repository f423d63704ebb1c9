import { findApiKey, type FoundKey } from '../settings/credentials/api-key.js';
import type { Session } from './session.js';

/** A command meets one login at most, unless it is suspended between two reads. */
const READS_MAX = 4;

/**
 * Finds the API key of a command, without a lock. A login or rename that runs at the same time removes the key that the
 * settings name, after config.json names another one. So if the key is missing, the settings are read again.
 */
export async function findSessionKey(
  session: Pick<Session, 'settings' | 'context' | 'readSettingsAgain'>,
): Promise<FoundKey | undefined> {
  for (let reads = 1; ; reads += 1) {
    const { settings } = session;
    const key = await findApiKey(settings, session.context);
    const isNamed = settings.entry?.keyIn !== undefined;
    if (key !== undefined || !isNamed || reads === READS_MAX || !session.readSettingsAgain()) return key;
  }
}
