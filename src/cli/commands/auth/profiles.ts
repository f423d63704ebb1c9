import { anyText, argument, offering } from '../../command-line/flag.js';
import type { Session } from '../../session/action.js';
import { defineCommand, outputFields, REJECTS_REQUEST } from '../../session/command.js';
import { readConfigFile } from '../../settings/config/config-files.js';
import { type Column, isBareTextFormat } from '../../output/index.js';
import { findProfile } from '../../settings/config/settings.js';
import { type ConfigDraft, editConfig, profileIn } from '../../settings/config/config-editor.js';
import { UsageError } from '../../errors/usage-error.js';
import {
  warnIfProfileOverridden,
  checkProfileName,
  requireProfile,
  noProfiles,
  isConfirmed,
} from './selected-profile.js';
import type { KeyLocation } from '../../settings/config/config-values.js';
import {
  reasonOf,
  removeUnusedKey,
  storedKeys,
  type RemovedKey,
} from '../../settings/credentials/stored-keys.js';
import { shellWord } from '../../errors/shell-word.js';
import { variable } from '../../system/context.js';

const COLUMNS: readonly Column[] = [
  { field: 'current', header: '' },
  { field: 'profile', header: 'profile', fixed: true },
  { field: 'baseUrl', header: 'base URL' },
  { field: 'keyIn', header: 'key stored in' },
];

export const listCommand = defineCommand({
  word: 'list',
  aliases: ['ls'],
  summary: 'List profiles',
  description: 'List the profiles and where their keys are stored. An asterisk shows the selected profile.',
  fields: outputFields(COLUMNS),
  examples: ['petstore auth list', 'petstore auth list --json profile,baseUrl'],
  run: listProfiles,
});

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

const aProfile = offering('profile', anyText);

export const switchCommand = defineCommand({
  word: 'switch',
  summary: 'Switch to another profile',
  description: 'Change the default profile.',
  arguments: { named: argument('[profile]', 'Name of the profile; prompted for on a terminal', aProfile) },
  rejects: REJECTS_REQUEST,
  examples: ['petstore auth switch staging', 'petstore auth switch'],
  run: switchProfile,
});

async function switchProfile({ named }: { named: string | undefined }, session: Session): Promise<undefined> {
  const { context } = session;
  const config = readConfigFile(context);
  const profile = named ?? (await choose(Object.keys(config.profiles), session));
  findProfile(config, profile);
  await editConfig(context, (draft) => {
    draft.profile = profile;
  });
  session.confirm(`Switched to profile "${profile}".`, true);
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

export const renameCommand = defineCommand({
  word: 'rename',
  summary: 'Rename a profile',
  description: 'Rename a profile. Its settings and its key stay.',
  arguments: {
    from: argument('<profile>', 'Current name of the profile', aProfile),
    to: argument('<name>', 'New name'),
  },
  rejects: REJECTS_REQUEST,
  examples: ['petstore auth rename shop counter'],
  run: renameProfile,
});

async function renameProfile(
  { from, to }: { from: string; to: string },
  session: Session,
): Promise<undefined> {
  const { context } = session;
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
      if (entry === undefined)
        throw new UsageError(
          `Another process has removed profile "${from}"`,
          'Run "petstore auth list" to see the profiles.',
        );
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
  session.confirm(`Renamed profile "${from}" to "${to}".`, true);
}

function isKeyLocation(keyIn: unknown): keyIn is KeyLocation {
  return keyIn === 'keychain' || keyIn === 'file';
}

function profileExists(name: string): UsageError {
  return new UsageError(
    `Profile "${name}" already exists`,
    `Choose another name, or run "petstore auth delete ${shellWord(name)}" first.`,
  );
}

export const deleteCommand = defineCommand({
  word: 'delete',
  summary: 'Delete a profile and its key',
  description: 'Delete a profile with its settings and its key. Asks for confirmation on a terminal.',
  arguments: { profile: argument('<profile>', 'Name of the profile', aProfile) },
  rejects: REJECTS_REQUEST,
  examples: ['petstore auth delete staging', 'petstore auth delete staging --yes'],
  run: deleteProfile,
});

async function deleteProfile({ profile }: { profile: string }, session: Session): Promise<undefined> {
  const { context } = session;
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
  session.confirm(`Deleted profile "${profile}"${result.removed ? ' and its key' : ''}.`, true);
  noteKeychain(result, session);
  if (wasDefault && left.length > 0)
    session.note(`No default profile is left. Choose one with "petstore auth switch": ${left.join(', ')}.`);
}

/** @throws UsageError if the user declines or can't be prompted. */
async function confirmDeletion(profile: string, session: Session): Promise<void> {
  if (session.global.yes) return;
  if (!session.canPrompt)
    throw new UsageError(`Deleting profile "${profile}" needs a confirmation`, 'Pass --yes to confirm.');
  if (!(await isConfirmed(`Delete profile "${profile}" and its key?`, 'Yes', session)))
    throw new UsageError('Nothing was deleted');
}

export const logoutCommand = defineCommand({
  word: 'logout',
  summary: 'Remove the stored key of a profile',
  description: 'Remove the stored key of a profile. The profile stays.',
  rejects: REJECTS_REQUEST,
  examples: ['petstore auth logout', 'petstore auth logout --profile staging'],
  run: logOut,
});

async function logOut(_options: object, session: Session): Promise<undefined> {
  const { context } = session;
  const profile = requireProfile(session);
  // Under the lock of the configuration, so that a concurrent login happens entirely before or after.
  const result = await editConfig(context, async (draft) => {
    const removed = await removeKeys(profile, draft, session);
    delete profileIn(draft, profile)?.keyIn;
    return removed;
  });
  if (result.removed) session.confirm(`Removed the key of profile "${profile}".`, true);
  else session.note(`Profile "${profile}" had no stored key.`);
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
