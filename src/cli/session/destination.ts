import type { Session } from './action.js';
import type { FoundKey } from '../credentials/api-key.js';
import { isLoopback, type Settings } from '../config/settings.js';
import { addTrustedUrl, editConfig, profileIn } from '../config/config-editor.js';
import { hasForeignOwner } from '../files/ownership.js';
import { quoted } from '../command-line/flag-values.js';
import { toTerminalLine } from '../output/index.js';
import { shellWord } from '../text/shell-word.js';
import { UsageError } from '../errors/usage-error.js';

/** A key, and the project file that says where it is to go. */
export interface Destination {
  key: Pick<FoundKey, 'from'>;
  /** As the project file names it. */
  baseUrl: string;
  project: NonNullable<Settings['project']>;
}

/**
 * Lets a key go where a project file says. Without a word that is only an address of the profile in use: whoever wrote
 * the file may not be whoever the key belongs to. Else it takes the owner's word, given once, at a terminal. Where
 * nobody can be asked a stored key stays; one from the environment goes, with a warning, for whoever sets it for a run
 * also chose the directory; and to this very machine without a word. But no file of another user draws it.
 *
 * @param mayAsk whether what the command does is worth a question.
 * @throws UsageError where the word is not given. Nothing has been sent.
 */
export async function checkDestination(to: Destination, mayAsk: boolean, session: Session): Promise<void> {
  const { settings, canPrompt: canAsk } = session;
  if (isKnown(to, settings)) return;
  if (canAsk && mayAsk) {
    await ask(to, session);
    return;
  }
  if (to.key.from !== 'environment' || isTheirs(to, session) || canAsk) throw refusal(to, session);
  if (isLoopback(new URL(to.baseUrl).hostname)) return;
  session.warn(
    `the key in PETSTORE_API_KEY is sent to ${originOf(to)}, because ${to.project.path} says so; to confirm it, set PETSTORE_BASE_URL or run ${trustCommand(to, settings)}`,
  );
}

function isKnown(to: Destination, { entry, trustedUrls }: Settings): boolean {
  const ofProfile = [entry?.baseUrl, entry?.stagingUrl, ...(entry?.trustedUrls ?? [])];
  const known = to.key.from === 'environment' ? [...ofProfile, ...trustedUrls] : ofProfile;
  return known.some((url) => url !== undefined && URL.canParse(url) && new URL(url).origin === originOf(to));
}

async function ask(to: Destination, session: Session): Promise<void> {
  const origin = originOf(to);
  const prompter = await session.prompter();
  const answer = await prompter.choose(`${wish(to, session)}. Send it?`, [
    { name: 'No', value: 'no' },
    { name: `Yes, and do not ask again for ${origin}`, value: 'yes' },
  ]);
  if (answer !== 'yes') {
    throw new UsageError(
      'the key was not sent',
      `pass --base-url, or take baseUrl out of ${to.project.path}`,
    );
  }
  await remember(origin, session);
}

/** What the answer was about: another key may be there by now. */
const SAID_OF_KEY = ['baseUrl', 'keyIn'] as const;

async function remember(origin: string, session: Session): Promise<void> {
  const { context, settings } = session;
  let isAsItWas = true;
  try {
    await editConfig(context, (draft) => {
      const entry = profileIn(draft, settings.profile);
      isAsItWas = SAID_OF_KEY.every((name) => (entry?.[name] || undefined) === settings.entry?.[name]);
      if (isAsItWas) addTrustedUrl(entry ?? draft, origin);
    });
  } catch (error) {
    if (!(error instanceof UsageError)) throw error;
    session.warn(`you will be asked again: ${error.message}`);
  }
  if (!isAsItWas)
    throw new UsageError(
      `profile ${quoted(String(settings.profile))} has changed since you were asked: the key was not sent`,
      'run it again, and be asked anew',
    );
}

function refusal(to: Destination, session: Session): UsageError {
  return new UsageError(
    wish(to, session),
    to.key.from === 'environment'
      ? 'if you trust it, name it yourself: set PETSTORE_BASE_URL, or pass --base-url'
      : `if you trust it: ${trustCommand(to, session.settings)}; else pass --base-url`,
  );
}

/** To be shown and asked; the path is somebody else's text. */
function wish(to: Destination, session: Session): string {
  const { profile } = session.settings;
  const which = to.key.from === 'environment' ? 'in PETSTORE_API_KEY' : `of profile ${String(profile)}`;
  const but =
    profile === undefined ? 'which you have not named yourself' : "which is not the profile's address";
  const whose = isTheirs(to, session) ? '; the file belongs to another user' : '';
  return toTerminalLine(`${to.project.path} wants the key ${which} sent to ${originOf(to)}, ${but}${whose}`);
}

function isTheirs({ project }: Destination, { context }: Session): boolean {
  return hasForeignOwner(project, context);
}

function trustCommand(to: Destination, { profile }: Settings): string {
  const flag = profile === undefined ? '' : ` --profile ${shellWord(profile)}`;
  return `petstore config set trustedUrls ${shellWord(originOf(to))}${flag}`;
}

function originOf({ baseUrl }: Destination): string {
  return new URL(baseUrl).origin;
}
