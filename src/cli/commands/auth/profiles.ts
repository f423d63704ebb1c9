import { anyText, argument, offering } from '../../command-line/flag.js';
import type { Session } from '../../session/session.js';
import { defineCommand, outputFields, REJECTS_REQUEST } from '../../session/command.js';
import { readConfigFile } from '../../settings/config/config-files.js';
import { type Column, isBareTextFormat } from '../../output/index.js';
import { findProfile } from '../../settings/config/settings.js';
import {
  type ConfigLock,
  profileIn,
  type ProfileDraft,
  withConfigLock,
} from '../../settings/config/config-editor.js';
import { UsageError } from '../../errors/usage-error.js';
import {
  warnIfProfileOverridden,
  warnOfUnusedKeys,
  checkProfileName,
  requireProfile,
  noProfiles,
  isConfirmed,
} from './selected-profile.js';
import { switchHint } from '../../settings/credentials/api-key.js';
import { type KeyPlace, keyPlaceOf } from '../../settings/credentials/key-place.js';
import { storedKeys } from '../../settings/credentials/stored-keys.js';
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
  const unused = await withConfigLock(context, (lock) => {
    lock.draft.profile = profile;
    lock.write();
    return storedKeys(context).removeUnused(lock);
  });
  warnOfUnusedKeys(unused, session);
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
  const unused = await withConfigLock(context, async (lock) => {
    const { draft } = lock;
    if (profileIn(draft, to) !== undefined) throw profileExists(to);
    const entry = profileIn(draft, from);
    if (entry === undefined)
      throw new UsageError(
        `Another process has removed profile "${from}"`,
        'Run "petstore auth list" to see the profiles.',
      );
    const place = await copyKey(from, to, lock, keys);
    if (place === undefined) dropKey(entry);
    draft.profiles = Object.fromEntries(
      Object.entries(draft.profiles ?? {}).map(([name, other]) => [name === from ? to : name, other]),
    );
    if (draft.profile === from) draft.profile = to;
    try {
      lock.write();
    } catch (error) {
      if (place !== undefined) await keys.remove(place, lock).catch(() => undefined);
      throw error;
    }
    // The old key goes last, so that a failure loses nothing.
    return keys.removeUnused(lock);
  });
  warnOfUnusedKeys(unused, session);
  session.confirm(`Renamed profile "${from}" to "${to}".`, true);
}

/** Stores the key of a profile for another name too. @returns its place, unless there is no key. */
async function copyKey(
  from: string,
  to: string,
  lock: ConfigLock,
  keys: ReturnType<typeof storedKeys>,
): Promise<KeyPlace | undefined> {
  const entry = profileIn(lock.draft, from);
  const before = keyPlaceOf(from, entry);
  const key = before === undefined ? undefined : await keys.find(before);
  if (before === undefined || key === undefined || key === '') return undefined;
  keys.nameEarlierEntry(from, entry, lock);
  const place = { ...before, profile: to };
  await keys.save(place, key, lock);
  return place;
}

function dropKey(entry: ProfileDraft | undefined): void {
  delete entry?.keyIn;
  delete entry?.keyOrigin;
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
  const { wasDefault, left, isKeyRemoved, unused } = await withConfigLock(context, async (lock) => {
    const { draft } = lock;
    const isKeyRemoved = await removeKey(profile, lock, session);
    const { [profile]: _deleted, ...others } = draft.profiles ?? {};
    draft.profiles = others;
    const wasDefault = draft.profile === profile;
    if (wasDefault) delete draft.profile;
    lock.write();
    const unused = await storedKeys(context).removeUnused(lock);
    return { wasDefault, left: Object.keys(others), isKeyRemoved, unused };
  });
  session.confirm(`Deleted profile "${profile}"${isKeyRemoved ? ' and its key' : ''}.`, true);
  warnOfUnusedKeys(unused, session);
  if (wasDefault && left.length > 0) {
    const names = left.length > 1 ? `Profiles: ${left.join(', ')}.` : '';
    session.note(`There is no default profile now. ${switchHint(undefined, left)}${names}`.trimEnd());
  }
}

/** Removes the key before the configuration changes: a profile without a key is harmless. @returns whether there was one. */
async function removeKey(profile: string, lock: ConfigLock, { context }: Session): Promise<boolean> {
  const keys = storedKeys(context);
  const place = keyPlaceOf(profile, profileIn(lock.draft, profile));
  return place !== undefined && keys.remove(place, lock);
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
  const { isKeyRemoved, unused } = await withConfigLock(context, async (lock) => {
    const isKeyRemoved = await removeKey(profile, lock, session);
    dropKey(profileIn(lock.draft, profile));
    lock.write();
    return { isKeyRemoved, unused: await storedKeys(context).removeUnused(lock) };
  });
  if (isKeyRemoved) session.confirm(`Removed the key of profile "${profile}".`, true);
  else session.note(`Profile "${profile}" had no stored key.`);
  warnOfUnusedKeys(unused, session);
  if (variable(context, 'PETSTORE_API_KEY') !== undefined) {
    session.warn('PETSTORE_API_KEY is set. Commands continue to use that key.');
  }
}
