import type { Command } from 'commander';
import { editConfig, profileIn } from '../../config/config-editor.js';
import { readConfigFile } from '../../config/config-files.js';
import { findProfile } from '../../config/settings.js';
import { storedKeys } from '../../credentials/stored-keys.js';
import { UsageError } from '../../errors/usage-error.js';
import { addExamples } from '../../help/examples.js';
import type { Bind, Session } from '../../session/action.js';
import { rejectRequestFlags } from '../../session/request-flags.js';
import { warnIfStillSelected } from './overrides.js';

/** Options of `auth delete`. */
export interface DeleteOptions {
  profile: string;
}

export function registerDelete(auth: Command, bind: Bind): void {
  const command = auth
    .command('delete')
    .description('Delete a profile with its settings and its key. Asks for confirmation on a terminal.')
    .argument('<profile>', 'Name of the profile')
    .action((profile: string) => bind(deleteProfile, { profile }));
  addExamples(command, ['petstore auth delete staging', 'petstore auth delete staging --yes']);
}

async function deleteProfile({ profile }: DeleteOptions, session: Session): Promise<undefined> {
  const { context } = session;
  rejectRequestFlags('auth delete', session);
  findProfile(readConfigFile(context), profile);
  await confirmDeletion(profile, session);
  const keys = storedKeys(context, () => context.keychain());
  // The key goes first: a profile without a key is harmless, but a key without a profile is hard to find.
  const { wasDefault, left, result } = await editConfig(context, async (draft) => {
    const result = await keys.removeAll(
      profile,
      profileIn(draft, profile)?.keyIn === 'keychain' ? 'keychain' : undefined,
    );
    const { [profile]: _deleted, ...others } = draft.profiles ?? {};
    draft.profiles = others;
    const wasDefault = draft.profile === profile;
    if (wasDefault) delete draft.profile;
    return { wasDefault, left: Object.keys(others), result };
  });
  session.note(`Deleted profile "${profile}"${result.removed ? ' and its key' : ''}.`);
  if (result.keychainProblem !== undefined)
    session.note(`The keychain can't be used (${result.keychainProblem}). It may still hold an older key.`);
  if (wasDefault && left.length > 0)
    session.note(`No default profile is left. Choose one with "petstore auth switch": ${left.join(', ')}.`);
  warnIfStillSelected(profile, 'Remove it there, or select another profile.', session);
}

/** @throws UsageError if the user declines or can't be prompted. */
async function confirmDeletion(profile: string, session: Session): Promise<void> {
  if (session.global.yes) return;
  if (!session.canPrompt)
    throw new UsageError(`Deleting profile "${profile}" needs a confirmation`, 'Pass --yes to confirm.');
  const prompter = await session.prompter();
  const answer = await prompter.choose(`Delete profile "${profile}" and its key?`, [
    { name: 'No', value: 'no' },
    { name: 'Yes', value: 'yes' },
  ]);
  if (answer !== 'yes') throw new UsageError('Nothing was deleted');
}
