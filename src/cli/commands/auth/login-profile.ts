import type { Session } from '../../session/action.js';
import { checkBaseUrl, describeOrigin } from '../../config/settings.js';
import { type Profile, readConfigFile } from '../../config/config-files.js';
import { variable } from '../../system/context.js';
import { toTerminalLine } from '../../output/index.js';
import { shellWord } from '../../text/shell-word.js';
import { UsageError } from '../../errors/usage-error.js';
import { checkProfileName, FIRST_PROFILE } from './profile-name.js';

/** The profile that a key is to be kept in. */
export interface LoginProfile {
  name: string;
  /** What it says so far; absent where it is new. */
  entry: Profile | undefined;
  /** Why this one, to be shown. */
  why: string;
}

/** The one that all commands would use, which need not be there yet; else one of our own naming. */
export function chooseLoginProfile({ settings, context }: Session): LoginProfile {
  const { path, profiles } = readConfigFile(context);
  const name = checkProfileName(settings.profile ?? FIRST_PROFILE);
  const entry = Object.hasOwn(profiles, name) ? profiles[name] : undefined;
  const { profileFrom, project } = settings;
  if (profileFrom === undefined) return { name, entry, why: 'none is named: --profile would' };
  const namedBy = describeOrigin(profileFrom, { setting: 'profile', project: project?.path, config: path });
  return { name, entry, why: `named by ${namedBy}` };
}

/** The address of the line, else the profile's, else asked for. */
export async function chooseLoginUrl({ name, entry }: LoginProfile, session: Session): Promise<string> {
  const { context, global } = session;
  const named = global.baseUrl ?? variable(context, 'PETSTORE_BASE_URL');
  if (named !== undefined)
    return checkBaseUrl(global.baseUrl === undefined ? 'PETSTORE_BASE_URL' : '--base-url', named);
  if (entry?.baseUrl !== undefined) return checkBaseUrl(`baseUrl of profile ${name}`, entry.baseUrl);
  if (!session.canPrompt) {
    throw new UsageError(
      'no base URL: the key has to be stored with the address that it belongs to',
      'pass --base-url https://HOST/v1',
    );
  }
  const prompter = await session.prompter();
  const answer = await prompter.text('Base URL, /v1 included', (text) => {
    try {
      checkBaseUrl('it', text);
      return true;
    } catch (error) {
      return error instanceof Error ? error.message : 'not a URL';
    }
  });
  return checkBaseUrl('the base URL', answer);
}

/**
 * Lets a project file choose the profile, but not have a key or an address in it replaced: whoever wrote that file need
 * not know what the profile is for.
 *
 * @throws UsageError where its owner does not say so.
 */
export async function confirmReplacement(
  { name, entry }: LoginProfile,
  baseUrl: string,
  session: Session,
): Promise<void> {
  const { profileFrom, project } = session.settings;
  if (profileFrom !== 'project' || project === undefined || entry === undefined) return;
  const isElsewhere = entry.baseUrl !== undefined && !isSameUrl(entry.baseUrl, baseUrl);
  if (entry.keyIn === undefined && !isElsewhere) return;
  const has = entry.keyIn === undefined ? `another address, ${String(entry.baseUrl)}` : 'a key already';
  const known = toTerminalLine(`${project.path} names profile ${name}, which has ${has}`);
  if (!session.canPrompt) {
    throw new UsageError(known, `if that is the one: petstore auth login --profile ${shellWord(name)}`);
  }
  const prompter = await session.prompter();
  const answer = await prompter.choose(`${known}. Replace it?`, [
    { name: 'No', value: 'no' },
    { name: `Yes, replace what profile ${name} has`, value: 'yes' },
  ]);
  if (answer === 'yes') return;
  throw new UsageError('nothing was stored', 'petstore auth login --profile NAME takes another profile');
}

function isSameUrl(one: string, other: string): boolean {
  return URL.canParse(one) && new URL(one).href === new URL(other).href;
}
