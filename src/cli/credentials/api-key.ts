import { CommandFailure } from '../errors/command-failure.js';
import type { Settings } from '../config/settings.js';
import { readConfigFile } from '../config/config-files.js';
import { type Context, variable } from '../system/context.js';
import { EXIT } from '../errors/exit-codes.js';
import { quoted } from '../command-line/flag-values.js';
import { shellWord } from '../text/shell-word.js';
import { storedKeys } from './stored-keys.js';
import { UsageError } from '../errors/usage-error.js';

/** An API key and where it comes from. Never put the secret into a message. */
export interface FoundKey {
  secret: string;
  from: 'environment' | 'keychain' | 'file';
  /** Of the file. */
  path?: string;
}

type KeyContext = Pick<
  Context,
  'env' | 'homeDirectory' | 'platform' | 'currentDirectory' | 'userId' | 'keychain' | 'keyMask'
>;

/**
 * Finds the API key in force: `PETSTORE_API_KEY`, else the stored one of the profile.
 *
 * @throws UsageError for one that no request could carry, or that can't be read.
 */
export async function findApiKey(
  settings: Pick<Settings, 'profile' | 'entry'>,
  context: KeyContext,
): Promise<FoundKey | undefined> {
  const secret = variable(context, 'PETSTORE_API_KEY');
  if (secret !== undefined) {
    const fault = keyProblem(secret);
    if (fault === undefined) return { secret, from: 'environment' };
    throw new UsageError(
      `PETSTORE_API_KEY holds ${fault}, which no request header can carry`,
      "set it again, without what came along when it was copied: export PETSTORE_API_KEY='…'",
    );
  }
  const { profile, entry } = settings;
  if (profile === undefined || entry?.keyIn === undefined) return undefined;
  const keys = storedKeys(context, () => context.keychain());
  const stored = await keys.find(profile, entry.keyIn);
  if (stored === undefined || stored === '') return undefined;
  if (keyProblem(stored) !== undefined) {
    throw new UsageError(
      `the stored key of profile ${quoted(profile)} is damaged`,
      `store it anew: ${loginCommand(profile)}`,
    );
  }
  context.keyMask?.add(stored);
  return {
    secret: stored,
    from: entry.keyIn,
    ...(entry.keyIn === 'file' ? { path: keys.pathOf(profile) } : {}),
  };
}

/**
 * Has no stored key repeated, by a mistake of the line that came before any was looked for. The keychain is not asked: that
 * would start a process, which could ask the person.
 */
export async function maskStoredKeys(context: KeyContext): Promise<void> {
  try {
    const { profiles } = readConfigFile(context);
    const keys = storedKeys(context, () => context.keychain());
    for (const [profile, { keyIn }] of Object.entries(profiles)) {
      const key = keyIn === 'file' ? await keys.find(profile, keyIn).catch(() => undefined) : undefined;
      if (key !== undefined) context.keyMask?.add(key);
    }
  } catch {
    // What is wrong with the configuration is for the commands that go by it to say.
  }
}

/** What is wrong with a key, to stand after "holds"; `undefined` where a header can carry it. */
export function keyProblem(key: string): string | undefined {
  if (/^[\x21-\x7e]+$/.test(key)) return undefined;
  return /[\r\n]/.test(key) ? 'a line break' : 'a blank, control or non-ASCII character';
}

/**
 * What is told where there is none.
 *
 * @param settings a profile may be there, and none in use.
 */
export function noApiKey({
  profile,
  profileNames,
}: Pick<Settings, 'profile' | 'profileNames'>): CommandFailure {
  return new CommandFailure('no API key', {
    type: 'no-api-key',
    exitCode: EXIT.auth,
    hint: `${switchHint(profile, profileNames)}log in with ${loginCommand(profile)}, set PETSTORE_API_KEY, or try --mock`,
  });
}

/** What may help where profiles are there and none is in use, to stand before the rest of a hint. */
export function switchHint(profile: string | undefined, names: readonly string[]): string {
  const [first] = names;
  if (profile !== undefined || first === undefined) return '';
  return `choose a profile with petstore auth switch ${names.length === 1 ? shellWord(first) : 'NAME'}, `;
}

/** The line that stores a key in the profile in use, to paste. */
export function loginCommand(profile: string | undefined): string {
  return `petstore auth login${profile === undefined ? '' : ` --profile ${shellWord(profile)}`}`;
}
