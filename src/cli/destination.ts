import type { Session } from './action.js';
import type { FoundKey } from './api-key.js';
import { isLoopback, type Settings } from './config.js';
import { addTrustedUrl, editConfig, profileIn } from './config-editor.js';
import { isForeign } from './file-owner.js';
import { toTerminalLine } from './output/index.js';
import { shellWord } from './shell-word.js';
import { UsageError } from './usage-error.js';

/**
 * Lets a key go where a project file says. Without a word that is only an address of the profile in use: whoever wrote
 * the file may not be whoever the key belongs to. Else it takes the owner's word, given once, at a terminal. Where
 * nobody can be asked a stored key stays; one from the environment goes, with a warning, for whoever sets it for a run
 * also chose the directory. But no file of another user draws it.
 *
 * @param baseUrl as the project file names it.
 * @param mayAsk whether what the command does is worth a question.
 * @throws UsageError where the word is not given. Nothing has been sent.
 */
export async function checkDestination(
  key: Pick<FoundKey, 'from'>,
  baseUrl: string,
  mayAsk: boolean,
  session: Session,
): Promise<void> {
  const { settings, canAsk } = session;
  const { origin, hostname } = new URL(baseUrl);
  if (isKnown(origin, key, settings)) return;
  if (canAsk && mayAsk) {
    await ask(key, origin, session);
    return;
  }
  if (key.from !== 'environment' || isTheirs(session) || canAsk) throw refusal(key, origin, session);
  if (isLoopback(hostname)) return;
  session.warn(
    `the key in PETSTORE_API_KEY is sent to ${origin}, because ${projectOf(settings)} says so; to confirm it, set PETSTORE_BASE_URL or run ${trustCommand(origin, settings)}`,
  );
}

function isKnown(origin: string, { from }: Pick<FoundKey, 'from'>, settings: Settings): boolean {
  const { entry, trustedUrls } = settings;
  const ofProfile = [entry?.baseUrl, entry?.stagingUrl, ...(entry?.trustedUrls ?? [])];
  const known = from === 'environment' ? [...ofProfile, ...trustedUrls] : ofProfile;
  return known.some((url) => url !== undefined && URL.canParse(url) && new URL(url).origin === origin);
}

async function ask(key: Pick<FoundKey, 'from'>, origin: string, session: Session): Promise<void> {
  const prompter = await session.context.prompter();
  const answer = await prompter.choose(`${wish(key, origin, session)}. Send it?`, [
    { name: 'No', value: 'no' },
    { name: `Yes, and do not ask again for ${origin}`, value: 'yes' },
  ]);
  if (answer !== 'yes') {
    throw new UsageError(
      'the key was not sent',
      `pass --base-url, or take baseUrl out of ${projectOf(session.settings)}`,
    );
  }
  await remember(origin, session);
}

async function remember(origin: string, session: Session): Promise<void> {
  const { context, settings } = session;
  try {
    await editConfig(context, (draft) => {
      addTrustedUrl(profileIn(draft, settings.profile) ?? draft, origin);
    });
  } catch (error) {
    if (!(error instanceof UsageError)) throw error;
    session.warn(`you will be asked again: ${error.message}`);
  }
}

function refusal(key: Pick<FoundKey, 'from'>, origin: string, session: Session): UsageError {
  return new UsageError(
    wish(key, origin, session),
    key.from === 'environment'
      ? 'if you trust it, name it yourself: set PETSTORE_BASE_URL, or pass --base-url'
      : `if you trust it: ${trustCommand(origin, session.settings)}; else pass --base-url`,
  );
}

/** To be shown and asked; the path is somebody else's text. */
function wish({ from }: Pick<FoundKey, 'from'>, origin: string, session: Session): string {
  const { settings } = session;
  const { profile } = settings;
  const which = from === 'environment' ? 'in PETSTORE_API_KEY' : `of profile ${String(profile)}`;
  const but =
    profile === undefined ? 'which you have not named yourself' : "which is not the profile's address";
  const whose = isTheirs(session) ? '; the file belongs to another user' : '';
  return toTerminalLine(`${projectOf(settings)} wants the key ${which} sent to ${origin}, ${but}${whose}`);
}

function isTheirs({ settings, context }: Session): boolean {
  return isForeign(settings.projectOwnerId ?? 0, context);
}

function trustCommand(origin: string, { profile }: Settings): string {
  const flag = profile === undefined ? '' : ` --profile ${shellWord(profile)}`;
  return `petstore config set trustedUrls ${origin}${flag}`;
}

function projectOf({ projectPath = 'the project file' }: Settings): string {
  return projectPath;
}
