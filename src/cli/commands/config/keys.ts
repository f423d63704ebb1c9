import { isReadSetting, PROFILE_FIELDS, type Profile, SETTINGS } from '../../settings/config/fields.js';
import { checkBaseUrl } from '../../settings/config/base-url.js';
import { offering } from '../../command-line/flag.js';
import { quoted } from '../../command-line/flag-values.js';
import { isSecretName } from '../../settings/config/secret-name.js';
import { suggest } from '../../../options/suggest.js';
import { UsageError } from '../../errors/usage-error.js';

/** A setting of a profile. `auth login` sets the others. */
export type ProfileKey = Exclude<keyof Profile, (typeof SET_BY_LOGIN)[number]>;

const SET_BY_LOGIN = ['keyIn', 'keyOrigin'] as const;

/** A setting that `petstore config` reads and changes. */
export type ConfigKey = 'profile' | ProfileKey;

/** All settings, in the order of `config list`. */
export const CONFIG_KEYS: readonly ConfigKey[] = [
  'profile',
  ...Object.keys(PROFILE_FIELDS).filter(
    (field): field is ProfileKey => !SET_BY_LOGIN.some((name) => name === field),
  ),
];

/** Reads the name of a setting. The error has the most similar name. */
export const aSetting = offering(CONFIG_KEYS, (word): ConfigKey => {
  const known = CONFIG_KEYS.find((key) => key === word);
  if (known !== undefined) return known;
  if (isSecretName(word)) {
    throw new UsageError(
      'An API key does not belong in the configuration',
      'Store it with "petstore auth login", or set PETSTORE_API_KEY.',
    );
  }
  const similar = suggest(word, CONFIG_KEYS);
  throw new UsageError(
    `Unknown setting ${quoted(word)}`,
    similar === undefined ? `Settings: ${CONFIG_KEYS.join(', ')}.` : `Did you mean "${similar}"?`,
  );
});

/**
 * The rule for both lists, for help. Only the command line chooses the list: a printed command must have the same effect
 * without the variables of the command that printed it, and in the folder of any project file.
 */
export const TRUSTED_URLS_NOTE =
  'trustedUrls is the list for PETSTORE_API_KEY; with --profile, the list for the stored key of that profile.';

/**
 * Checks a value.
 *
 * @returns the value; for `trustedUrls` its origin.
 * @throws UsageError
 */
export function checkValue(key: ProfileKey, value: string): string | number {
  if (isReadSetting(key)) return SETTINGS[key].read(key, value);
  const url = checkBaseUrl(key, value);
  return key === 'trustedUrls' ? new URL(url).origin : url;
}
