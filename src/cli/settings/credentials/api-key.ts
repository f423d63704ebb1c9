import { CommandFailure } from '../../errors/command-failure.js';
import type { Origin, Settings } from '../config/settings.js';
import { readConfigFile } from '../config/config-files.js';
import { type Context, isInQuotes, variable } from '../../system/context.js';
import { EXIT } from '../../errors/exit-codes.js';
import { quoted } from '../../command-line/flag-values.js';
import { shellWord } from '../../errors/shell-word.js';
import { keyPlaceOf, originsOfKey } from './key-place.js';
import { storedKeys } from './stored-keys.js';
import { suggest } from '../../../options/suggest.js';
import { UsageError } from '../../errors/usage-error.js';

/** An API key and its source. Never put the secret into a message. */
export interface FoundKey {
  secret: string;
  from: 'environment' | 'keychain' | 'file';
  /** The path, if it is from a file. */
  path?: string;
}

type KeyContext = Pick<
  Context,
  'env' | 'homeDirectory' | 'platform' | 'currentDirectory' | 'userId' | 'keychain' | 'keyMask'
>;

/** What decides which key is used, and where it may be sent. */
export interface KeySettings extends Pick<Settings, 'profile' | 'entry'> {
  /** Where the key is sent; absent if it is not sent. */
  baseUrl?: string | undefined;
  baseUrlFrom?: Origin | undefined;
  profiles?: Settings['profiles'];
}

/**
 * Finds the API key: `PETSTORE_API_KEY`, otherwise the stored key of the profile.
 *
 * @throws UsageError if it can't be read, can't be sent in a header, or is stored for another origin.
 */
export async function findApiKey(settings: KeySettings, context: KeyContext): Promise<FoundKey | undefined> {
  const secret = variable(context, 'PETSTORE_API_KEY');
  if (secret !== undefined) {
    const problem = keyProblem(secret);
    if (problem === undefined) return { secret, from: 'environment' };
    throw new UsageError(
      `PETSTORE_API_KEY ${problem}, so it is not sent`,
      isInQuotes(secret)
        ? 'Remove the quotes. Some files of variables keep them as part of the value.'
        : "Copy the key again, then set it: export PETSTORE_API_KEY='…'",
    );
  }
  const { profile, entry } = settings;
  const place = profile === undefined ? undefined : keyPlaceOf(profile, entry);
  if (profile === undefined || place === undefined) return undefined;
  refuseOtherOrigin(settings);
  const keys = storedKeys(context);
  const stored = await keys.find(place);
  if (stored === undefined || stored === '') return undefined;
  if (keyProblem(stored) !== undefined) {
    throw new UsageError(
      `The stored key of profile ${quoted(profile)} is damaged`,
      `Run "${loginCommand(profile)}" to store it again.`,
    );
  }
  context.keyMask?.add(stored);
  return {
    secret: stored,
    from: place.location,
    ...(place.location === 'file' ? { path: keys.pathOf(place) } : {}),
  };
}

/**
 * Checks that a stored key may be sent to the base URL. The session checks a base URL from a project file, because it may
 * ask.
 *
 * @throws UsageError if the key is stored for another origin.
 */
export function refuseOtherOrigin({
  profile = '',
  entry,
  baseUrl,
  baseUrlFrom,
  profiles = {},
}: KeySettings): void {
  if (baseUrl === undefined || baseUrlFrom === 'project') return;
  const { origin, hostname } = new URL(baseUrl);
  const origins = originsOfKey(entry);
  if (origins.includes(origin)) return;
  const known =
    origins[0] === undefined ? 'has no origin that it was given for' : `was given for ${origins[0]}`;
  const problem = `The stored key of profile ${quoted(profile)} ${known}, so it is not sent to ${origin}`;
  if (baseUrlFrom === 'profile')
    throw new UsageError(problem, `Run "${loginCommand(profile)}" to store a key for this address.`);
  const [other] = Object.entries(profiles).find(([, each]) => originsOfKey(each).includes(origin)) ?? [];
  if (other !== undefined)
    throw new UsageError(problem, `Pass --profile ${shellWord(other)}: it has a key for this address.`);
  const login = `${loginCommand(newProfileName(hostname, Object.keys(profiles)))} --base-url ${shellWord(baseUrl)}`;
  const trust = `petstore config set trustedUrls ${shellWord(origin)} --profile ${shellWord(profile)}`;
  throw new UsageError(
    problem,
    `Run "${login}" to store a key for it. If it may receive the key of profile ${quoted(profile)}, run: ${trust}`,
  );
}

/** A name for the profile of a host that no profile has. */
function newProfileName(hostname: string, names: readonly string[]): string {
  const host =
    hostname
      .replace(/[^a-z\d.-]/g, '')
      .replace(/^[.-]+/, '')
      .slice(0, PROFILE_NAME_MAX) || 'other';
  for (let count = 1; ; count += 1) {
    const name = count === 1 ? host : `${host}-${String(count)}`;
    if (!names.includes(name)) return name;
  }
}

/** Leaves room for a number. */
const PROFILE_NAME_MAX = 60;

/**
 * Redacts the keys that are stored in files from later output. The keychain is skipped: reading it starts a process and
 * may prompt the user.
 */
export async function maskStoredKeys(context: KeyContext): Promise<void> {
  try {
    const { profiles } = readConfigFile(context);
    const keys = storedKeys(context);
    for (const [profile, entry] of Object.entries(profiles)) {
      const place = keyPlaceOf(profile, entry);
      const key = place?.location === 'file' ? await keys.find(place).catch(() => undefined) : undefined;
      if (key !== undefined) context.keyMask?.add(key);
    }
  } catch {
    // Commands that use the configuration report what is wrong with it.
  }
}

/** Why a key is not sent, to follow its name; `undefined` if the key is fine. Shows no more than one character of it. */
export function keyProblem(key: string): string | undefined {
  if (isInQuotes(key)) return 'is in quotes, which would be part of it';
  if (/^Bearer\s/i.test(key)) return 'starts with "Bearer "';
  const at = key.search(/[^\x21-\x7e]/);
  if (at < 0) return undefined;
  if (/^[\r\n]+$/.test(key.slice(at))) return 'ends with a line break';
  const code = key.codePointAt(at) ?? 0;
  const place = Array.from(key.slice(0, at)).length + 1;
  return `has ${CHARACTERS.get(code) ?? `U+${code.toString(16).toUpperCase().padStart(4, '0')}`} at character ${place}`;
}

/** Those that a terminal or a file adds. */
const CHARACTERS: ReadonlyMap<number, string> = new Map([
  [0x09, 'a tab'],
  [0x0a, 'a line break'],
  [0x0d, 'a line break'],
  [0x20, 'a space'],
  [0xa0, 'a no-break space (U+00A0)'],
  [0xfeff, 'a byte order mark (U+FEFF)'],
]);

/** The error if there is no API key. */
export function noApiKey(
  { profile, profileNames }: Pick<Settings, 'profile' | 'profileNames'>,
  { env }: Pick<Context, 'env'>,
): CommandFailure {
  // Such as a secret that CI does not give to a fork.
  const isEmpty = env.PETSTORE_API_KEY === '';
  return new CommandFailure(isEmpty ? 'PETSTORE_API_KEY is set and empty' : 'No API key configured', {
    type: 'no-api-key',
    exitCode: EXIT.auth,
    hint: `${misspelledHint('PETSTORE_API_KEY', env)}${isEmpty ? 'A secret of CI may be missing in this run. ' : ''}${switchHint(profile, profileNames)}Run "${loginCommand(profile)}", set PETSTORE_API_KEY, or try --mock.`,
  });
}

/** Other words for the two variables that a command needs. */
const SYNONYMS = {
  PETSTORE_BASE_URL: /^PETSTORE_(?:API_)?(?:BASE_)?(?:URL|HOST)$/i,
  PETSTORE_API_KEY: /^PETSTORE_(?:API_)?(?:KEY|TOKEN)$/i,
} as const;

/** The start of a hint, if a variable is set whose name is similar to a missing one; otherwise empty. */
export function misspelledHint(name: keyof typeof SYNONYMS, env: Context['env']): string {
  const isSimilar = (other: string): boolean => suggest(other, [name]) === name || SYNONYMS[name].test(other);
  const similar = Object.keys(env).find(
    (other) => other !== name && variable({ env }, other) !== undefined && isSimilar(other),
  );
  return similar === undefined ? '' : `${similar} is set: rename it to ${name}. `;
}

/** The start of a hint, if profiles exist and none is selected; otherwise empty. */
export function switchHint(profile: string | undefined, names: readonly string[]): string {
  const [first] = names;
  if (profile !== undefined || first === undefined) return '';
  return `Choose a profile with "petstore auth switch ${names.length === 1 ? shellWord(first) : 'NAME'}". `;
}

/** The command that stores a key in a profile. */
export function loginCommand(profile: string | undefined): string {
  return `petstore auth login${profile === undefined ? '' : ` --profile ${shellWord(profile)}`}`;
}

/**
 * Formats a key for output as a fingerprint, which two people can compare. Shows no character of the key, because a few
 * characters would narrow down a short key.
 */
export function maskedKey(secret: string): string {
  // Not an import: loading node:crypto takes 1.5 ms of the start.
  const { createHash } = process.getBuiltinModule('node:crypto');
  const digest = createHash('sha256').update(`petstore key fingerprint\n${secret}`).digest('hex');
  return `**** (fingerprint ${digest.slice(0, 8)})`;
}

/** Formats the source of a key for output. */
export function describeKeySource({ from, path }: FoundKey): string {
  if (from === 'environment') return 'PETSTORE_API_KEY';
  return from === 'keychain' ? 'the keychain' : String(path);
}
