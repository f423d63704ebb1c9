import type { Notes, Prompts, Session } from './session.js';
import type { FoundKey } from '../settings/credentials/api-key.js';
import { isLoopback } from '../../client/internal.js';
import { originsOfKey } from '../settings/credentials/key-place.js';
import type { ProjectFile } from '../settings/config/config-files.js';
import type { Settings } from '../settings/config/settings.js';
import { addTrustedUrl, editConfig, profileIn } from '../settings/config/config-editor.js';
import { hasForeignOwner } from '../system/files/ownership.js';
import { quoted } from '../command-line/flag-values.js';
import { toTerminalLine } from '../output/index.js';
import { shellWord } from '../errors/shell-word.js';
import { UsageError } from '../errors/usage-error.js';

/** A key, and the project file that sets the address for it. */
export interface Destination {
  key: Pick<FoundKey, 'from'>;
  /** From the project file. */
  baseUrl: string;
  project: Pick<ProjectFile, 'path' | 'ownerIds'>;
}

type DestinationSession = Notes & Prompts & Pick<Session, 'context' | 'settings'>;

/**
 * Checks that a key may be sent to an address from a project file, because the author of the file may not own the key.
 *
 * - An address of the profile in use is allowed. For a stored key, that is the origin that it was given for, the staging URL
 *   and the trusted URLs.
 * - Otherwise the user confirms the address once, in a terminal. A confirmation for the key of a profile does not hold for
 *   the key in PETSTORE_API_KEY, and the other way round.
 * - If no person can be asked, the key is not sent: cron jobs, git hooks and CI jobs run in folders of other people.
 * - A key from the environment is then sent to a loopback address, with a warning, unless the file belongs to another
 *   user.
 *
 * @param mayPrompt whether the command may prompt for confirmation.
 * @throws UsageError if the key may not be sent. Nothing has been sent.
 */
export async function checkDestination(
  destination: Destination,
  mayPrompt: boolean,
  session: DestinationSession,
): Promise<void> {
  const { settings, canPrompt } = session;
  if (isTrusted(destination, settings)) return;
  if (canPrompt && mayPrompt) {
    await confirm(destination, session);
    return;
  }
  const { project, baseUrl } = destination;
  const isOwnMachine = isLoopback(new URL(baseUrl).hostname) && !hasForeignOwner(project, session.context);
  if (!isFromEnvironment(destination) || !isOwnMachine || canPrompt)
    throw destinationError(destination, session);
  session.warn(
    `The key in PETSTORE_API_KEY is sent to ${originOf(destination)}, as ${project.path} says. To confirm the host, ${trustAdvice(destination, session)}`,
  );
}

function isTrusted(destination: Destination, { entry, trustedUrls }: Settings): boolean {
  const origin = originOf(destination);
  if (!isFromEnvironment(destination)) return originsOfKey(entry).includes(origin);
  return [entry?.baseUrl, entry?.stagingUrl, ...trustedUrls].some(
    (url) => url !== undefined && URL.canParse(url) && new URL(url).origin === origin,
  );
}

function isFromEnvironment({ key }: Destination): boolean {
  return key.from === 'environment';
}

async function confirm(destination: Destination, session: DestinationSession): Promise<void> {
  const origin = originOf(destination);
  const prompter = await session.prompter();
  const answer = await prompter.choose(`${describe(destination, session)}. Send the key?`, [
    { name: 'No', value: 'no' },
    { name: `Yes, and do not ask again for ${origin}`, value: 'yes' },
  ]);
  if (answer !== 'yes') {
    throw new UsageError(
      'The key was not sent',
      `Pass --base-url, or remove baseUrl from ${destination.project.path}.`,
    );
  }
  await storeConfirmation(destination, session);
}

/** Settings that must not change during the prompt: otherwise the stored key may be another one. */
const CONFIRMED_SETTINGS = ['baseUrl', 'keyIn', 'keyOrigin'] as const;

async function storeConfirmation(destination: Destination, session: DestinationSession): Promise<void> {
  const origin = originOf(destination);
  const { context, settings } = session;
  let isUnchanged = true;
  try {
    await editConfig(context, (draft) => {
      if (isFromEnvironment(destination)) {
        addTrustedUrl(draft, origin);
        return;
      }
      const entry = profileIn(draft, settings.profile);
      if (entry === undefined || CONFIRMED_SETTINGS.some((name) => entry[name] !== settings.entry?.[name]))
        isUnchanged = false;
      else addTrustedUrl(entry, origin);
    });
  } catch (error) {
    if (!(error instanceof UsageError)) throw error;
    session.warn(`Your answer could not be saved, so you will be asked again: ${error.message}`);
  }
  if (!isUnchanged)
    throw new UsageError(
      `The key was not sent, because profile ${quoted(String(settings.profile))} has changed`,
      'Run the command again.',
    );
}

function destinationError(destination: Destination, session: DestinationSession): UsageError {
  const otherwise = isFromEnvironment(destination) ? [] : ['Otherwise pass --base-url.'];
  return new UsageError(describe(destination, session), [
    `If you trust the host, ${trustAdvice(destination, session)}`,
    ...otherwise,
  ]);
}

/** The text of errors and prompts. Escapes the path, which is not trusted. */
function describe(destination: Destination, { settings, context }: DestinationSession): string {
  const { project } = destination;
  const { profile } = settings;
  const keyText = isFromEnvironment(destination) ? 'in PETSTORE_API_KEY' : `of profile ${String(profile)}`;
  const reason =
    profile === undefined ? 'a host that you have not confirmed' : "which is not the profile's host";
  const owner = hasForeignOwner(project, context) ? '; the file belongs to another user' : '';
  return toTerminalLine(
    `${project.path} would send the key ${keyText} to ${originOf(destination)}, ${reason}${owner}`,
  );
}

function trustAdvice(destination: Destination, { settings }: DestinationSession): string {
  const command = `petstore config set trustedUrls ${shellWord(originOf(destination))}`;
  if (isFromEnvironment(destination)) return `set PETSTORE_BASE_URL or run: ${command}`;
  return `run: ${command} --profile ${shellWord(String(settings.profile))}`;
}

function originOf({ baseUrl }: Destination): string {
  return new URL(baseUrl).origin;
}
