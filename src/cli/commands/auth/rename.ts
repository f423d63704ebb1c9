import type { Command } from 'commander';
import { editConfig, profileIn } from '../../config/config-editor.js';
import { readConfigFile } from '../../config/config-files.js';
import type { KeyLocation } from '../../config/config-values.js';
import { findProfile } from '../../config/settings.js';
import { type SavedKey, storedKeys } from '../../credentials/stored-keys.js';
import { UsageError } from '../../errors/usage-error.js';
import { addExamples } from '../../help/examples.js';
import type { Bind, Session } from '../../session/action.js';
import { rejectRequestFlags } from '../../session/request-flags.js';
import { shellWord } from '../../text/shell-word.js';
import { noteKeyLocation } from './key-location.js';
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
  let copied: SavedKey | undefined;
  // The old key is removed last, so that a failure loses nothing.
  const moved = await editConfig<Moved>(context, async (draft) => {
    if (profileIn(draft, to) !== undefined) throw profileExists(to);
    const { keyIn, ...settings } = profileIn(draft, from) ?? {};
    const before = keyIn === 'keychain' || keyIn === 'file' ? keyIn : undefined;
    const key = before === undefined ? undefined : await keys.find(from, before);
    const saved = key === undefined || key === '' ? undefined : await keys.save(to, key);
    copied = saved;
    const renamed = saved === undefined ? settings : { ...settings, keyIn: saved.location };
    draft.profiles = Object.fromEntries(
      Object.entries(draft.profiles ?? {}).map(([name, entry]) =>
        name === from ? [to, renamed] : [name, entry],
      ),
    );
    if (draft.profile === from) draft.profile = to;
    return { before, saved };
  }).catch(async (error: unknown) => {
    // A key without a profile is hard to find.
    if (copied !== undefined) await keys.remove(to, copied.location).catch(() => undefined);
    throw error;
  });
  await removeOldKey(from, moved, session);
  session.note(`Renamed profile "${from}" to "${to}".`);
  const { before, saved } = moved;
  if (saved !== undefined && saved.location !== before) noteKeyLocation(saved, session);
  warnIfStillSelected(from, `Change it to "${to}".`, session);
}

/** The key of a renamed profile. */
interface Moved {
  before: KeyLocation | undefined;
  saved: SavedKey | undefined;
}

async function removeOldKey(profile: string, { before }: Moved, session: Session): Promise<void> {
  if (before === undefined) return;
  const { context } = session;
  try {
    await storedKeys(context, () => context.keychain()).remove(profile, before);
  } catch (error) {
    session.warn(
      `The old copy of the key can't be removed: ${error instanceof Error ? error.message : String(error)}.`,
    );
  }
}

function profileExists(name: string): UsageError {
  return new UsageError(
    `Profile "${name}" already exists`,
    `Choose another name, or run "petstore auth delete ${shellWord(name)}" first.`,
  );
}
