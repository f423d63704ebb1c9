import { anyText, argument, offering } from '../../command-line/flag.js';
import type { Session } from '../../session/session.js';
import { defineCommand, REJECTS_REQUEST } from '../../session/command.js';
import { type Profile, settingNamed } from '../../settings/config/fields.js';
import { findProfile, selectProfile } from '../../settings/config/settings.js';
import {
  addTrustedUrl,
  type ConfigDraft,
  type ProfileDraft,
  editConfig,
  profileIn,
} from '../../settings/config/config-editor.js';
import { type ConfigFile, readConfigFile, readProjectFile } from '../../settings/config/config-files.js';
import { loginCommand } from '../../settings/credentials/api-key.js';
import { originsOfKey } from '../../settings/credentials/key-place.js';
import { variable } from '../../system/context.js';
import { quoted } from '../../command-line/flag-values.js';
import { shellWord } from '../../errors/shell-word.js';
import { UsageError } from '../../errors/usage-error.js';
import { checkProfileName, DEFAULT_PROFILE, warnIfProfileOverridden } from '../auth/selected-profile.js';
import {
  aSetting,
  CONFIG_KEYS,
  type ConfigKey,
  checkValue,
  type ProfileKey,
  TRUSTED_URLS_NOTE,
} from './keys.js';

const SETTING = argument('<setting>', `One of ${CONFIG_KEYS.join(', ')}`, aSetting);

export const set = defineCommand({
  word: 'set',
  summary: 'Change a setting',
  description:
    'Change a setting of the selected profile. Creates the profile of --profile if it is new, and "default" if there is none. ' +
    TRUSTED_URLS_NOTE,
  arguments: {
    key: SETTING,
    value: argument(
      '<value>',
      'New value; for trustedUrls, a URL to add to the list',
      offering('setting-value', anyText),
    ),
  },
  rejects: REJECTS_REQUEST,
  examples: [
    'petstore config set output json',
    'petstore config set stagingUrl https://HOST/v1 --profile shop',
    'petstore config set profile staging',
  ],
  run: setSetting,
});

export const unset = defineCommand({
  word: 'unset',
  summary: 'Remove a setting',
  description: `Remove a setting from the selected profile. ${TRUSTED_URLS_NOTE}`,
  arguments: { key: SETTING },
  rejects: REJECTS_REQUEST,
  examples: ['petstore config unset output', 'petstore config unset trustedUrls --profile shop'],
  run: unsetSetting,
});

async function setSetting(
  { key, value }: { key: ConfigKey; value: string },
  session: Session,
): Promise<undefined> {
  const { context } = session;
  const config = readConfigFile(context);
  if (key === 'profile') {
    findProfile(config, value);
    await editConfig(context, (draft) => {
      draft.profile = value;
    });
    session.confirm(`Set profile to ${value}.`);
    warnIfProfileOverridden(value, session);
    return;
  }
  const checked = checkValue(key, value);
  const shown = String(checked);
  const name = profileFor(key, session, config);
  const profile = name === undefined ? undefined : checkProfileName(name);
  let isNew = false;
  const entry = await editConfig(context, (draft) => {
    isNew = profile !== undefined && profileIn(draft, profile) === undefined;
    const target = profile === undefined ? draft : findOrAddProfile(draft, profile);
    if (key === 'baseUrl' && profile !== undefined)
      refuseEarlierKey(profile, profileIn(draft, profile), shown);
    if (key === 'trustedUrls') addTrustedUrl(target, shown);
    else Object.assign(target, { [key]: checked });
    return profileIn(draft, profile);
  });
  if (isNew) session.note(`Created profile ${quoted(String(profile))}.`);
  const field = fieldOf(key, profile);
  // Also in a pipe: a key is sent to the host, and there are several lists.
  if (key === 'trustedUrls') session.confirm(`Added ${shown} to ${field}.`, true);
  else session.confirm(`Set ${field} to ${shown}.`);
  noteOtherList(key, session, config);
  warnIfOverridden(key, session);
  if (key === 'baseUrl' && profile !== undefined) warnOfOtherOrigin(profile, entry, session);
}

/**
 * Checks that the new address gives no other origin to a key that an earlier version stored. Such a key belongs to the
 * address of its profile.
 *
 * @throws UsageError
 */
function refuseEarlierKey(name: string, entry: ProfileDraft | undefined, baseUrl: string): void {
  const { keyIn, keyOrigin } = (entry ?? {}) as Profile;
  if (keyIn === undefined || keyOrigin !== undefined) return;
  const { origin } = new URL(baseUrl);
  if (originsOfKey(entry).includes(origin)) return;
  throw new UsageError(
    `The stored key of profile ${quoted(name)} would be sent to ${origin}`,
    `Run "${loginCommand(name)} --base-url ${shellWord(baseUrl)}" to store a key for it.`,
  );
}

/** Warns that the stored key of the profile is not sent to its new address. */
function warnOfOtherOrigin(name: string, entry: ProfileDraft | undefined, session: Session): void {
  const { keyIn, keyOrigin, baseUrl } = (entry ?? {}) as Profile;
  if (keyIn === undefined || keyOrigin === undefined || baseUrl === undefined) return;
  if (originsOfKey(entry).includes(new URL(baseUrl).origin)) return;
  session.warn(
    `The stored key was given for ${keyOrigin}. Run "${loginCommand(name)}" to store one for the new address.`,
  );
}

/** Adds a missing profile. The first profile becomes the default. */
function findOrAddProfile(draft: ConfigDraft, name: string): ProfileDraft {
  const profile = profileIn(draft, name) ?? {};
  draft.profiles = { ...draft.profiles, [name]: profile };
  draft.profile ??= name;
  return profile;
}

async function unsetSetting({ key }: { key: ConfigKey }, session: Session): Promise<undefined> {
  const { context } = session;
  const config = readConfigFile(context);
  const profile = profileFor(key, session, config);
  const isFirst = Object.keys(config.profiles).length === 0 && profile === DEFAULT_PROFILE;
  if (!isFirst) findProfile(config, profile);
  const isRemoved = await editConfig(context, (draft) => remove(draft, key, profile));
  const field = fieldOf(key, profile);
  if (isRemoved) session.confirm(`Removed ${field}.`, key === 'trustedUrls');
  else session.note(`${field} is not set, so nothing changed.`);
  noteOtherList(key, session, config);
}

/** The path of a setting in config.json. */
function fieldOf(key: ConfigKey, profile: string | undefined): string {
  return profile === undefined ? key : `profiles.${profile}.${key}`;
}

/** Returns whether the setting was set. */
function remove(draft: ConfigDraft, key: ConfigKey, profile: string | undefined): boolean {
  const target = profile === undefined ? draft : profileIn(draft, profile);
  return target !== undefined && Object.hasOwn(target, key) && Reflect.deleteProperty(target, key);
}

/** Says which key the list outside the profiles is for. The user may expect the list of a stored key. */
function noteOtherList(key: ConfigKey, { global, note }: Session, { profiles }: ConfigFile): void {
  if (key !== 'trustedUrls' || global.profile !== undefined) return;
  if (Object.values(profiles).some(({ keyIn }) => keyIn !== undefined))
    note('This list is for PETSTORE_API_KEY only. For a stored key, pass --profile NAME.');
}

/**
 * Name of the profile that has the setting: the selected one, which may be new, otherwise the profile "default" if there
 * are no profiles yet. `undefined` for a setting outside of the profiles.
 *
 * @throws UsageError if none of the profiles is selected: a new one would change which key and address commands use.
 */
function profileFor(key: ConfigKey, { global, context }: Session, config: ConfigFile): string | undefined {
  if (key === 'profile') return undefined;
  if (key === 'trustedUrls') return global.profile;
  const files = {
    config,
    get project() {
      return readProjectFile(context.currentDirectory);
    },
  };
  const selected = selectProfile(global, context, files)?.name;
  if (selected !== undefined) return selected;
  const names = Object.keys(config.profiles);
  if (names.length === 0) return DEFAULT_PROFILE;
  throw new UsageError('No profile selected', `Pass --profile NAME. Profiles: ${names.join(', ')}.`);
}

function warnIfOverridden(key: ProfileKey, session: Session): void {
  const name = settingNamed(key)?.variable;
  if (name !== undefined && variable(session.context, name) !== undefined)
    session.warn(`${name} is set and overrides this setting.`);
}
