import type { Command } from 'commander';
import type { Bind, Session } from '../../session/action.js';
import { readConfigFile } from '../../config/config-files.js';
import { addExamples } from '../../help/examples.js';
import { type Column, isBareTextFormat } from '../../output/index.js';
import { describeFields } from '../../help/describe-fields.js';
import { findProfile } from '../../config/settings.js';
import { type ConfigDraft, editConfig, profileIn } from '../../config/config-editor.js';
import { rejectRequestFlags } from '../../session/request-flags.js';
import { UsageError } from '../../errors/usage-error.js';
import {
  warnIfProfileOverridden,
  warnIfStillSelected,
  checkProfileName,
  requireProfile,
  noProfiles,
  isConfirmed,
} from './selected-profile.js';
import type { KeyLocation } from '../../config/config-values.js';
import { reasonOf, removeUnusedKey, storedKeys, type RemovedKey } from '../../credentials/stored-keys.js';
import { shellWord } from '../../text/shell-word.js';
import { variable } from '../../system/context.js';

const COLUMNS: readonly Column[] = [
  { field: 'current', header: '' },
  { field: 'profile', header: 'profile', fixed: true },
  { field: 'baseUrl', header: 'base URL' },
  { field: 'keyIn', header: 'key stored in' },
];

export function registerAuthList(auth: Command, bind: Bind): void {
  const list = auth
    .command('list')
    .description('List the profiles and where their keys are stored. An asterisk shows the selected profile.')
    .action(() => bind(listProfiles, {}));
  describeFields(list, COLUMNS);
  addExamples(list, ['petstore auth list', 'petstore auth list --json profile,baseUrl']);
}

async function listProfiles(_options: object, session: Session): Promise<undefined> {
  const { context, settings, format } = session;
  const rows = Object.entries(readConfigFile(context).profiles).map(([profile, entry]) => {
    const isCurrent = profile === settings.profile;
    return {
      current: isBareTextFormat(format) ? (isCurrent ? '*' : '') : isCurrent,
      profile,
      baseUrl: entry.baseUrl ?? null,
      keyIn: entry.keyIn ?? null,
    };
  });
  await session.print({ kind: 'list', rows, columns: COLUMNS });
  if (rows.length === 0 && session.terminal.stdout.isTTY)
    session.note('No profiles yet. Run "petstore auth login" to create one.');
}

export function registerSwitch(auth: Command, bind: Bind): void {
  const command = auth
    .command('switch')
    .description('Change the default profile.')
    .argument('[profile]', 'Name of the profile; prompted for on a terminal')
    .action((profile: string | undefined) => bind(switchProfile, { named: profile }));
  addExamples(command, ['petstore auth switch staging', 'petstore auth switch']);
}

async function switchProfile({ named }: { named: string | undefined }, session: Session): Promise<undefined> {
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
  if (names.length === 0) throw noProfiles();
  if (!session.canPrompt) throw new UsageError('No profile given', `Pass one of: ${names.join(', ')}.`);
  const prompter = await session.prompter();
  return prompter.choose(
    'Profile',
    names.map((name) => ({ name, value: name })),
  );
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

async function renameProfile(
  { from, to }: { from: string; to: string },
  session: Session,
): Promise<undefined> {
  const { context } = session;
  rejectRequestFlags('auth rename', session);
  const config = readConfigFile(context);
  findProfile(config, from);
  checkProfileName(to);
  if (to === from) throw new UsageError(`Profile "${from}" already has this name`, 'Choose another name.');
  if (Object.hasOwn(config.profiles, to)) throw profileExists(to);
  const keys = storedKeys(context);
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
    if (keyIn !== undefined) await removeUnusedKey(to, keyIn, context).catch(() => undefined);
    throw error;
  }
  // The old key goes last, so that a failure loses nothing.
  if (keyIn !== undefined) {
    await removeUnusedKey(from, keyIn, context).catch((error: unknown) => {
      session.warn(`The old copy of the key can't be removed: ${reasonOf(error)}.`);
    });
  }
  session.note(`Renamed profile "${from}" to "${to}".`);
  warnIfStillSelected(from, `Change it to "${to}".`, session);
}

function isKeyLocation(keyIn: unknown): keyIn is KeyLocation {
  return keyIn === 'keychain' || keyIn === 'file';
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

export function registerDelete(auth: Command, bind: Bind): void {
  const command = auth
    .command('delete')
    .description('Delete a profile with its settings and its key. Asks for confirmation on a terminal.')
    .argument('<profile>', 'Name of the profile')
    .action((profile: string) => bind(deleteProfile, { profile }));
  addExamples(command, ['petstore auth delete staging', 'petstore auth delete staging --yes']);
}

async function deleteProfile({ profile }: { profile: string }, session: Session): Promise<undefined> {
  const { context } = session;
  rejectRequestFlags('auth delete', session);
  findProfile(readConfigFile(context), profile);
  await confirmDeletion(profile, session);
  // The key goes first: a profile without a key is harmless, but a key without a profile is hard to find.
  const { wasDefault, left, result } = await editConfig(context, async (draft) => {
    const result = await removeKeys(profile, draft, session);
    const { [profile]: _deleted, ...others } = draft.profiles ?? {};
    draft.profiles = others;
    const wasDefault = draft.profile === profile;
    if (wasDefault) delete draft.profile;
    return { wasDefault, left: Object.keys(others), result };
  });
  session.note(`Deleted profile "${profile}"${result.removed ? ' and its key' : ''}.`);
  noteKeychain(result, session);
  if (wasDefault && left.length > 0)
    session.note(`No default profile is left. Choose one with "petstore auth switch": ${left.join(', ')}.`);
  warnIfStillSelected(profile, 'Remove it there, or select another profile.', session);
}

/** @throws UsageError if the user declines or can't be prompted. */
async function confirmDeletion(profile: string, session: Session): Promise<void> {
  if (session.global.yes) return;
  if (!session.canPrompt)
    throw new UsageError(`Deleting profile "${profile}" needs a confirmation`, 'Pass --yes to confirm.');
  if (!(await isConfirmed(`Delete profile "${profile}" and its key?`, 'Yes', session)))
    throw new UsageError('Nothing was deleted');
}

export function registerLogout(auth: Command, bind: Bind): void {
  const logout = auth
    .command('logout')
    .description('Remove the stored key of a profile. The profile stays.')
    .action(() => bind(logOut, {}));
  addExamples(logout, ['petstore auth logout', 'petstore auth logout --profile staging']);
}

async function logOut(_options: object, session: Session): Promise<undefined> {
  const { context } = session;
  rejectRequestFlags('auth logout', session);
  const profile = requireProfile(session);
  // Under the lock of the configuration, so that a concurrent login happens entirely before or after.
  const result = await editConfig(context, async (draft) => {
    const removed = await removeKeys(profile, draft, session);
    delete profileIn(draft, profile)?.keyIn;
    return removed;
  });
  session.note(
    result.removed ? `Removed the key of profile "${profile}".` : `Profile "${profile}" had no stored key.`,
  );
  noteKeychain(result, session);
  if (variable(context, 'PETSTORE_API_KEY') !== undefined) {
    session.warn('PETSTORE_API_KEY is set. Commands continue to use that key.');
  }
}

function removeKeys(profile: string, draft: ConfigDraft, { context }: Session): Promise<RemovedKey> {
  const location = profileIn(draft, profile)?.keyIn === 'keychain' ? 'keychain' : undefined;
  return storedKeys(context).removeAll(profile, location);
}

function noteKeychain({ keychainProblem }: RemovedKey, session: Session): void {
  if (keychainProblem !== undefined)
    session.note(`The keychain can't be used (${keychainProblem}). It may still hold an older key.`);
}
