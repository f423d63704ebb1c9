import type { Session } from './action.js';
import { editConfig } from './config-editor.js';
import { toTerminalLine } from './output/index.js';
import { UsageError } from './usage-error.js';

/**
 * Lets a stored key go to the addresses of its profile, and to those that its owner names by flag or environment. One
 * that a project file names is another matter: whoever wrote that file is not whoever stored the key. It takes the
 * owner's word, given once, at a terminal.
 *
 * @throws UsageError where that is not given. Nothing has been sent.
 */
export async function checkDestination(baseUrl: string, session: Session): Promise<void> {
  const { settings, context } = session;
  const { profile = '', entry, baseUrlFrom, projectPath = 'the project file' } = settings;
  if (baseUrlFrom !== 'project') return;
  const { origin } = new URL(baseUrl);
  const known = [entry?.baseUrl, entry?.stagingUrl, ...(entry?.trustedUrls ?? [])];
  if (known.some((url) => url !== undefined && originOf(url) === origin)) return;
  // The path is somebody else's text.
  const question = toTerminalLine(`${projectPath} wants the key of profile ${profile} sent to ${origin}`);
  if (!session.canAsk) {
    throw new UsageError(
      `${question}, which is not the profile's address`,
      `if you trust it: petstore config set trustedUrls ${origin} --profile ${profile}; else pass --base-url`,
    );
  }
  const prompter = await context.prompter();
  const answer = await prompter.choose(`${question}, which is not the profile's address. Send it?`, [
    { name: 'No', value: 'no' },
    { name: `Yes, and do not ask again for ${origin}`, value: 'yes' },
  ]);
  if (answer !== 'yes') {
    throw new UsageError('the key was not sent', `pass --base-url, or take baseUrl out of ${projectPath}`);
  }
  await editConfig(context, (draft) => {
    const stored = draft.profiles?.[profile];
    if (stored !== undefined) stored.trustedUrls = [...(entry?.trustedUrls ?? []), origin];
  });
}

function originOf(url: string): string | undefined {
  return URL.canParse(url) ? new URL(url).origin : undefined;
}
