import type { Session } from '../../session/session.js';
import { followUp } from '../../session/follow-up.js';
import { checkBaseUrl } from '../../settings/config/base-url.js';
import { describeOrigin } from '../../settings/config/settings.js';
import { readConfigFile } from '../../settings/config/config-files.js';
import { variable } from '../../system/context.js';
import { readInput } from '../../system/files/input-file.js';
import { toTerminalLine } from '../../output/index.js';
import { shellWord } from '../../errors/shell-word.js';
import { UsageError } from '../../errors/usage-error.js';
import { isConfirmed, checkProfileName, DEFAULT_PROFILE } from './selected-profile.js';
import { keyProblem, misspelledHint } from '../../settings/credentials/api-key.js';
import type { KeyLocation } from '../../settings/config/config-values.js';
import { notStored, reasonOf } from '../../settings/credentials/stored-keys.js';
import { KeychainAbsentError } from '../../system/keychain.js';

/** The profile that login stores a key in. */
export type LoginProfile = ReturnType<typeof chooseLoginProfile>;

/** Returns the selected profile, which need not exist, otherwise the profile "default". */
export function chooseLoginProfile({ settings, context }: Session) {
  const { path, profiles } = readConfigFile(context);
  const name = checkProfileName(settings.profile ?? DEFAULT_PROFILE);
  /** Its current settings; `undefined` if it is new. */
  const entry = Object.hasOwn(profiles, name) ? profiles[name] : undefined;
  const { profileFrom, project } = settings;
  const names = { setting: 'profile', project: project?.path, config: path } as const;
  /** The flag, variable or file that selected it; `undefined` for the default name. */
  const selectedBy = profileFrom === undefined ? undefined : describeOrigin(profileFrom, names);
  return { name, entry, selectedBy };
}

/**
 * The address from the flag or variable, otherwise from the profile, otherwise from a prompt. On a terminal, asks about a
 * missing version, because the service would respond with 404 only after the key is typed.
 */
export async function chooseLoginUrl(profile: LoginProfile, session: Session): Promise<string> {
  const url = await readLoginUrl(profile, session);
  const { pathname } = new URL(url);
  if (!session.canPrompt || /\/v\d+\/?$/.test(pathname)) return url;
  const prompter = await session.prompter();
  const versioned = `${url.replace(/\/$/, '')}/v1`;
  return prompter.choose(
    'The base URL has no version. Which one?',
    [versioned, url].map((value) => ({ name: value, value })),
  );
}

async function readLoginUrl({ name, entry }: LoginProfile, session: Session): Promise<string> {
  const { context, global } = session;
  const named = global.baseUrl ?? variable(context, 'PETSTORE_BASE_URL');
  if (named !== undefined)
    return checkBaseUrl(global.baseUrl === undefined ? 'PETSTORE_BASE_URL' : '--base-url', named);
  if (entry?.baseUrl !== undefined) return checkBaseUrl(`baseUrl of profile ${name}`, entry.baseUrl);
  if (!session.canPrompt) {
    throw new UsageError(
      'No base URL: a key is stored together with it',
      `${misspelledHint('PETSTORE_BASE_URL', context.env)}Pass --base-url https://HOST/v1.`,
    );
  }
  const prompter = await session.prompter();
  const answer = await prompter.text('Base URL, including /v1', (text) => {
    try {
      checkBaseUrl('The base URL', text);
      return true;
    } catch (error) {
      return error instanceof Error ? error.message : 'Not a URL';
    }
  });
  return checkBaseUrl('The base URL', answer);
}

/**
 * Confirms before login replaces the key or the address of a profile that a project file selected. The author of that
 * file may not know what the profile is for.
 *
 * @throws UsageError if the user declines or can't be prompted.
 */
export async function confirmReplacement(
  { name, entry }: LoginProfile,
  baseUrl: string,
  session: Session,
): Promise<void> {
  const { profileFrom, project } = session.settings;
  if (profileFrom !== 'project' || project === undefined || entry === undefined) return;
  const hasOtherAddress = entry.baseUrl !== undefined && !isSameUrl(entry.baseUrl, baseUrl);
  if (entry.keyIn === undefined && !hasOtherAddress) return;
  const content = entry.keyIn === undefined ? `another base URL, ${String(entry.baseUrl)}` : 'a key';
  const known = toTerminalLine(`${project.path} selects profile ${name}, which already has ${content}`);
  if (!session.canPrompt) {
    throw new UsageError(known, `To replace it, run "petstore auth login --profile ${shellWord(name)}".`);
  }
  const yes = `Yes, replace the settings of profile ${name}`;
  if (await isConfirmed(`${known}. Replace it?`, yes, session)) return;
  throw new UsageError('Nothing was stored', 'Use "petstore auth login --profile NAME" for another profile.');
}

function isSameUrl(one: string, other: string): boolean {
  return URL.canParse(one) && new URL(one).href === new URL(other).href;
}

/** Longer than any key: longer input is probably the wrong file. */
const KEY_LENGTH_MAX = 8_192;

/** The flags that decide where the key is sent and stored. */
const LOGIN_FLAGS = ['--profile', '--base-url', '--ca', '--insecure-storage'];

function pipeHint({ given }: Session): string {
  return `Pipe it in: COMMAND | ${followUp(['auth', 'login', '--with-key'], given, LOGIN_FLAGS)}`;
}

/** Reads a key from stdin, or prompts for it without showing it. */
export async function readKey(withKey: boolean, session: Session): Promise<string> {
  const { context } = session;
  if (withKey) {
    const key = (await readInput('-', context)).text.trim();
    if (key === '') throw new UsageError('No key on stdin', pipeHint(session));
    if (key.length <= KEY_LENGTH_MAX) return checkKey(key, session);
    throw new UsageError(
      `${key.length.toLocaleString('en')} characters are too long for a key`,
      pipeHint(session),
    );
  }
  if (!session.canPrompt) throw new UsageError("Can't prompt for the key: no terminal", pipeHint(session));
  const prompter = await session.prompter();
  const answer = await prompter.secret('API key', (text) => {
    if (text.trim() === '') return 'Enter a key.';
    const problem = keyProblem(text.trim());
    return problem === undefined || `The key ${problem}.`;
  });
  return checkKey(answer.trim(), session);
}

function checkKey(key: string, { context }: Session): string {
  context.keyMask?.add(key);
  const problem = keyProblem(key);
  if (problem === undefined) return key;
  throw new UsageError(`The key ${problem}, so it is not sent`, 'Copy it again.');
}

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
 * @param isInsecure whether the user requested a file.
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
  const question = 'Store the key in a file instead? Programs that run as you can read it.';
  if (!(await isConfirmed(question, 'Yes, in a file with mode 600', session)))
    throw new UsageError('Nothing was stored', 'Unlock the keychain, then log in again.', error);
}
