import type { KeyLocation } from '../config/config-values.js';
import type { ProfileDraft } from '../config/config-editor.js';
import type { Profile } from '../config/fields.js';

/**
 * Where the key of a profile is stored. The origin is a part of the place, so a key is found only for the origin that it
 * was given for, and config.json, which names the place, is the one switch between an old key and a new one.
 */
export interface KeyPlace {
  profile: string;
  location: KeyLocation;
  /** Absent for a key that an earlier version stored: it belongs to the address of its profile. */
  origin?: string | undefined;
}

/** The place that the configuration names; `undefined` for a profile without a key. */
export function keyPlaceOf(
  profile: string,
  entry: Pick<Profile, 'keyIn' | 'keyOrigin'> | ProfileDraft | undefined,
): KeyPlace | undefined {
  // A draft was validated when it was read.
  const { keyIn, keyOrigin } = (entry ?? {}) as Pick<Profile, 'keyIn' | 'keyOrigin'>;
  return keyIn === undefined ? undefined : { profile, location: keyIn, origin: keyOrigin };
}

/**
 * The origins that may receive the key of a profile: the one that it was given for, and those that the user has set for
 * this profile. A login for another origin drops these.
 */
export function originsOfKey(entry: Profile = {}): string[] {
  const { keyOrigin, baseUrl, stagingUrl, trustedUrls = [] } = entry;
  return [keyOrigin ?? baseUrl, stagingUrl, ...trustedUrls].flatMap((url) =>
    url !== undefined && URL.canParse(url) ? [new URL(url).origin] : [],
  );
}

/**
 * The name of the file of a key: `PROFILE@DIGEST.key`. For a key in the keychain, `PROFILE@DIGEST.keychain` has the name
 * of its entry, because keychains can't be listed.
 */
export function keyFileName({ profile, location, origin }: KeyPlace): string {
  // encodeURIComponent throws on an unpaired surrogate, which JSON may contain.
  const name = encodeURIComponent(profile.replace(/\p{Surrogate}/gu, '\uFFFD'));
  const digest = origin === undefined ? '' : `@${originDigest(origin)}`;
  return `${name}${digest}.${location === 'file' ? 'key' : 'keychain'}`;
}

/** The entry in the keychain. All configurations of a user share one keychain, whose window shows this name. */
export function keychainAccount({ profile, origin }: KeyPlace, directory: string): string {
  return `${profile}${origin === undefined ? '' : ` at ${origin}`} in ${directory}`;
}

/** Short, because file names are limited. Two origins of one user don't meet by chance. */
function originDigest(origin: string): string {
  // Not an import: loading node:crypto takes 1.5 ms of the start.
  const { createHash } = process.getBuiltinModule('node:crypto');
  return createHash('sha256').update(`petstore key origin\n${origin}`).digest('hex').slice(0, 16);
}
