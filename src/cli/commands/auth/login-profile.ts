import type { Session } from '../../session/action.js';
import { checkBaseUrl } from '../../config/base-url.js';
import { describeOrigin } from '../../config/settings.js';
import { type Profile, readConfigFile } from '../../config/config-files.js';
import { variable } from '../../system/context.js';
import { toTerminalLine } from '../../output/index.js';
import { shellWord } from '../../text/shell-word.js';
import { UsageError } from '../../errors/usage-error.js';
import { checkProfileName, DEFAULT_PROFILE } from './profile-name.js';

/** The profile that login stores a key in. */
export interface LoginProfile {
  name: string;
  /** Its current settings; `undefined` if it is new. */
  entry: Profile | undefined;
  /** The flag, variable or file that selected it; `undefined` for the default name. */
  selectedBy: string | undefined;
}

/** Returns the selected profile, which need not exist, otherwise the profile "default". */
export function chooseLoginProfile({ settings, context }: Session): LoginProfile {
  const { path, profiles } = readConfigFile(context);
  const name = checkProfileName(settings.profile ?? DEFAULT_PROFILE);
  const entry = Object.hasOwn(profiles, name) ? profiles[name] : undefined;
  const { profileFrom, project } = settings;
  const names = { setting: 'profile', project: project?.path, config: path } as const;
  const selectedBy = profileFrom === undefined ? undefined : describeOrigin(profileFrom, names);
  return { name, entry, selectedBy };
}

/** The address from the flag or variable, otherwise from the profile, otherwise from a prompt. */
export async function chooseLoginUrl({ name, entry }: LoginProfile, session: Session): Promise<string> {
  const { context, global } = session;
  const named = global.baseUrl ?? variable(context, 'PETSTORE_BASE_URL');
  if (named !== undefined)
    return checkBaseUrl(global.baseUrl === undefined ? 'PETSTORE_BASE_URL' : '--base-url', named);
  if (entry?.baseUrl !== undefined) return checkBaseUrl(`baseUrl of profile ${name}`, entry.baseUrl);
  if (!session.canPrompt) {
    throw new UsageError(
      'No base URL: a key is stored together with the address of its service',
      'Pass --base-url https://HOST/v1.',
    );
  }
  const prompter = await session.prompter();
  const answer = await prompter.text('Base URL, including /v1', (text) => {
    try {
      checkBaseUrl('The address', text);
      return true;
    } catch (error) {
      return error instanceof Error ? error.message : 'Not a URL';
    }
  });
  return checkBaseUrl('The address', answer);
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
  const content = entry.keyIn === undefined ? `another address, ${String(entry.baseUrl)}` : 'a key';
  const known = toTerminalLine(`${project.path} selects profile ${name}, which already has ${content}`);
  if (!session.canPrompt) {
    throw new UsageError(known, `To replace it, run "petstore auth login --profile ${shellWord(name)}".`);
  }
  const prompter = await session.prompter();
  const answer = await prompter.choose(`${known}. Replace it?`, [
    { name: 'No', value: 'no' },
    { name: `Yes, replace the settings of profile ${name}`, value: 'yes' },
  ]);
  if (answer === 'yes') return;
  throw new UsageError('Nothing was stored', 'Use "petstore auth login --profile NAME" for another profile.');
}

function isSameUrl(one: string, other: string): boolean {
  return URL.canParse(one) && new URL(one).href === new URL(other).href;
}
