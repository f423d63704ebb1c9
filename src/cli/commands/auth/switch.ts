import type { Command } from 'commander';
import type { Bind, Session } from '../../session/action.js';
import { findProfile } from '../../config/settings.js';
import { editConfig } from '../../config/config-editor.js';
import { readConfigFile } from '../../config/config-files.js';
import { addExamples } from '../../help/examples.js';
import { keepToOwner } from '../../files/ownership.js';
import { refuseRequestFlags } from '../../session/request-flags.js';
import { UsageError } from '../../errors/usage-error.js';
import { warnIfProfileOverridden } from './overrides.js';

/** What `auth switch` is asked for. */
export interface SwitchOptions {
  profile?: string;
}

export function registerSwitch(auth: Command, bind: Bind): void {
  const command = auth
    .command('switch')
    .description('Use another profile from now on.')
    .argument('[profile]', 'its name; asked for on a terminal')
    .action((profile: string | undefined) => bind(switchProfile, profile === undefined ? {} : { profile }));
  addExamples(command, ['petstore auth switch staging', 'petstore auth switch']);
}

async function switchProfile({ profile: named }: SwitchOptions, session: Session): Promise<undefined> {
  const { context } = session;
  refuseRequestFlags('auth switch', session);
  const config = readConfigFile(context);
  keepToOwner(config.openToOthers, session);
  const profile = named ?? (await choose(Object.keys(config.profiles), session));
  findProfile(config, profile);
  await editConfig(context, (draft) => {
    draft.profile = profile;
  });
  session.note(`profile ${profile} is in use from now on`);
  warnIfProfileOverridden(profile, session);
}

async function choose(names: readonly string[], session: Session): Promise<string> {
  if (names.length === 0) throw new UsageError('there are no profiles', 'petstore auth login makes one');
  if (!session.canPrompt) throw new UsageError('no profile is named', `name one of: ${names.join(', ')}`);
  const prompter = await session.prompter();
  return prompter.choose(
    'Profile',
    names.map((name) => ({ name, value: name })),
  );
}
