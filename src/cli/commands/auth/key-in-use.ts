import type { Session } from '../../session/action.js';
import { findApiKey, noApiKey } from '../../credentials/api-key.js';
import { keySource } from '../../credentials/masked-key.js';

/** The key that requests of this command contain. */
interface KeyInUse {
  secret: string;
  /** Where it comes from, for people. */
  source: string;
  /** The path, if it is from a file. */
  path?: string;
}

/**
 * Returns the key in use. With `--mock` it is the key of the embedded mock.
 *
 * @throws CommandFailure if there is no key.
 */
export async function keyInUse({
  settings,
  context,
  global,
}: Pick<Session, 'settings' | 'context' | 'global'>): Promise<KeyInUse> {
  if (global.mock) {
    const { DEFAULT_KEY } = await import('../../../mock/index.js');
    return { secret: DEFAULT_KEY, source: '--mock' };
  }
  const found = await findApiKey(settings, context);
  if (found === undefined) throw noApiKey(settings);
  const { secret, path } = found;
  return { secret, source: keySource(found), ...(path === undefined ? {} : { path }) };
}
