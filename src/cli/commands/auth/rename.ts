import type { Command } from 'commander';
import { editConfig, profileIn } from '../../config/config-editor.js';
import { readConfigFile } from '../../config/config-files.js';
import type { KeyLocation } from '../../config/config-values.js';
import { findProfile } from '../../config/settings.js';
import { reasonOf, storedKeys } from '../../credentials/stored-keys.js';
import { UsageError } from '../../errors/usage-error.js';
import { addExamples } from '../../help/examples.js';
import type { Bind, Session } from '../../session/action.js';
import { rejectRequestFlags } from '../../session/request-flags.js';
import { shellWord } from '../../text/shell-word.js';
import { removeUnusedKey } from './key-storage.js';
import { warnIfStillSelected } from './overrides.js';
import { checkProfileName } from './profile-name.js';

/** Options of `auth rename`. */
export interface RenameOptions {
  from: string;
  to: string;
}

export function registerRename(auth: Command, bind: Bind): void {
  const rename = auth
    .command('rename')
    .description('Rename a profile. Its settings and its key stay.')
    .argument('<profile>', 'Current name of the profile')
    .argument('<name>', 'New name')
    .action((from: string, to: string) => bind(renameProfile, { from, to }));
  addExamples(rename, ['petstore auth rename shop counter']);
}

async function renameProfile({ from, to }: RenameOptions, session: Session): Promise<undefined> {
  const { context } = session;
  rejectRequestFlags('auth rename', session);
  const config = readConfigFile(context);
  findProfile(config, from);
  checkProfileName(to);
  if (to === from) throw new UsageError(`Profile "${from}" already has this name`, 'Choose another name.');
  if (Object.hasOwn(config.profiles, to)) throw profileExists(to);
  const keys = storedKeys(context, () => context.keychain());
  let keyIn: KeyLocation | undefined;
  try {
    await editConfig(context, async (draft) => {
      if (profileIn(draft, to) !== undefined) throw profileExists(to);
      const entry = profileIn(draft, from);
      if (entry === undefined) throw profileGone(from);
      const key = isKeyLocation(entry.keyIn) ? await keys.find(from, entry.keyIn) : undefined;
      if (key === undefined || key === '') delete entry.keyIn;
      else if (isKeyLocation(entry.keyIn)) await keys.save(to, key, (keyIn = entry.keyIn));
      draft.profiles = Object.fromEntries(
        Object.entries(draft.profiles ?? {}).map(([name, other]) => [name === from ? to : name, other]),
      );
      if (draft.profile === from) draft.profile = to;
    });
  } catch (error) {
    // A key without a profile is hard to find.
    if (keyIn !== undefined) await removeUnusedKey(to, keyIn, session).catch(() => undefined);
    throw error;
  }
  // The old key goes last, so that a failure loses nothing.
  if (keyIn !== undefined) await removeOldKey(from, keyIn, session);
  session.note(`Renamed profile "${from}" to "${to}".`);
  warnIfStillSelected(from, `Change it to "${to}".`, session);
}

function isKeyLocation(keyIn: unknown): keyIn is KeyLocation {
  return keyIn === 'keychain' || keyIn === 'file';
}

async function removeOldKey(profile: string, location: KeyLocation, session: Session): Promise<void> {
  try {
    await removeUnusedKey(profile, location, session);
  } catch (error) {
    session.warn(`The old copy of the key can't be removed: ${reasonOf(error)}.`);
  }
}

function profileGone(name: string): UsageError {
  return new UsageError(
    `Another process has removed profile "${name}"`,
    'Run "petstore auth list" to see the profiles.',
  );
}

function profileExists(name: string): UsageError {
  return new UsageError(
    `Profile "${name}" already exists`,
    `Choose another name, or run "petstore auth delete ${shellWord(name)}" first.`,
  );
}
