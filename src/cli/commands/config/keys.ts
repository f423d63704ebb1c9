import { checkBaseUrl } from '../../config/settings.js';
import { choice, quoted } from '../../command-line/flag-values.js';
import { isSecretName } from '../../config/secret-name.js';
import { COLOR_CHOICES, OUTPUT_FORMATS } from '../../output/index.js';
import { suggest } from '../../text/suggest.js';
import { UsageError } from '../../errors/usage-error.js';

/** What can be set in a profile. */
export type ProfileKey = 'baseUrl' | 'stagingUrl' | 'output' | 'color' | 'trustedUrls';

/** What can be set: the profile in use, and what a profile says. */
export type ConfigKey = 'profile' | ProfileKey;

/** All of them, as `config list` shows them. */
export const CONFIG_KEYS = [
  'profile',
  'baseUrl',
  'stagingUrl',
  'output',
  'color',
  'trustedUrls',
] as const satisfies readonly ConfigKey[];

/** @throws UsageError with what was probably meant. */
export function checkConfigKey(word: string): ConfigKey {
  const known = CONFIG_KEYS.find((key) => key === word);
  if (known !== undefined) return known;
  if (isSecretName(word)) {
    throw new UsageError(
      'an API key does not belong in the configuration',
      'store it with petstore auth login, or set PETSTORE_API_KEY',
    );
  }
  const meant = suggest(word, CONFIG_KEYS);
  throw new UsageError(
    `there is no setting ${quoted(word)}`,
    meant === undefined ? `known: ${CONFIG_KEYS.join(', ')}` : `did you mean ${meant}?`,
  );
}

/**
 * Checks a value.
 *
 * @returns it as it is written; of a trusted address, the origin.
 * @throws UsageError that says what would do.
 */
export function checkValue(key: ProfileKey, value: string): string {
  if (key === 'output') return choice('output', OUTPUT_FORMATS, value);
  if (key === 'color') return choice('color', COLOR_CHOICES, value);
  const url = checkBaseUrl(key, value);
  return key === 'trustedUrls' ? new URL(url).origin : url;
}
