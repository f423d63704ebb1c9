import type { Command } from 'commander';
import type { Bind, Session } from '../../session/action.js';
import { findProfile } from '../../config/settings.js';
import { editConfig } from '../../config/config-editor.js';
import { readConfigFile } from '../../config/config-files.js';
import { addExamples } from '../../help/examples.js';
import { rejectRequestFlags } from '../../session/request-flags.js';
import { UsageError } from '../../errors/usage-error.js';
import { warnIfProfileOverridden } from './overrides.js';

/** Options of `auth switch`. */
export interface SwitchOptions {
  profile?: string;
}

export function registerSwitch(auth: Command, bind: Bind): void {
  const command = auth
    .command('switch')
    .description('Change the default profile.')
    .argument('[profile]', 'Name of the profile; prompted for on a terminal')
    .action((profile: string | undefined) => bind(switchProfile, profile === undefined ? {} : { profile }));
  addExamples(command, ['petstore auth switch staging', 'petstore auth switch']);
}

async function switchProfile({ profile: named }: SwitchOptions, session: Session): Promise<undefined> {
  const { context } = session;
  rejectRequestFlags('auth switch', session);
  const config = readConfigFile(context);
  const profile = named ?? (await choose(Object.keys(config.profiles), session));
  findProfile(config, profile);
  await editConfig(context, (draft) => {
    draft.profile = profile;
  });
  session.note(`Switched to profile "${profile}".`);
  warnIfProfileOverridden(profile, session);
}

async function choose(names: readonly string[], session: Session): Promise<string> {
  if (names.length === 0)
    throw new UsageError('There are no profiles yet', 'Run "petstore auth login" to create one.');
  if (!session.canPrompt) throw new UsageError('No profile given', `Pass one of: ${names.join(', ')}.`);
  const prompter = await session.prompter();
  return prompter.choose(
    'Profile',
    names.map((name) => ({ name, value: name })),
  );
}
