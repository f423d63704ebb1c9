import type { Command } from 'commander';
import type { Bind, Session } from '../../session/action.js';
import { findProfile, selectProfile } from '../../config/settings.js';
import {
  addTrustedUrl,
  type ConfigDraft,
  type DraftProfile,
  editConfig,
  profileIn,
} from '../../config/config-editor.js';
import { type ConfigFile, readConfigFile, readProjectFile } from '../../config/config-files.js';
import { variable } from '../../system/context.js';
import { addExamples } from '../../help/examples.js';
import { keepToOwner } from '../../files/ownership.js';
import { refuseRequestFlags } from '../../session/request-flags.js';
import { UsageError } from '../../errors/usage-error.js';
import { redactKeyInData } from '../../credentials/redaction.js';
import { checkProfileName } from '../auth/profile-name.js';
import { warnIfProfileOverridden } from '../auth/overrides.js';
import { checkConfigKey, CONFIG_KEYS, type ConfigKey, checkValue, type ProfileKey } from './keys.js';
import { printValue } from './print-value.js';

export function registerSet(config: Command, bind: Bind): void {
  const set = config
    .command('set')
    .description('Change a setting of the profile in use, or of --profile, which is made where it is new.')
    .argument('<setting>', CONFIG_KEYS.join(', '))
    .argument('<value>', 'checked before it is written')
    .action((word: string, value: string) => bind(setSetting, { key: checkConfigKey(word), value }));
  addExamples(set, [
    'petstore config set output json',
    'petstore config set stagingUrl https://HOST/v1 --profile shop',
    'petstore config set profile staging',
    'petstore config set output json --dry-run',
  ]);
}

export function registerUnset(config: Command, bind: Bind): void {
  const unset = config
    .command('unset')
    .description('Take a setting out of the profile in use, or of --profile.')
    .argument('<setting>', CONFIG_KEYS.join(', '))
    .action((word: string) => bind(unsetSetting, { key: checkConfigKey(word) }));
  addExamples(unset, ['petstore config unset output', 'petstore config unset trustedUrls --profile shop']);
}

async function setSetting(
  { key, value }: { key: ConfigKey; value: string },
  session: Session,
): Promise<undefined> {
  const { context, global } = session;
  refuseRequestFlags('config set', session, ['curl']);
  const config = ownConfig(session);
  if (key === 'profile') {
    findProfile(config, value);
    if (global.dryRun) return tellPlan([`would set profile to ${value}`], session);
    await editConfig(context, (draft) => {
      draft.profile = value;
    });
    warnIfProfileOverridden(value, session);
    return;
  }
  const checked = checkValue(key, value);
  const name = nameInUse(session, config);
  const isForAll = name === undefined && key === 'trustedUrls';
  const profile = isForAll ? undefined : checkProfileName(name ?? noProfile());
  if (global.dryRun) return tellPlan(plannedChanges({ key, checked, profile }, config), session);
  await editConfig(context, (draft) => {
    const holder = profile === undefined ? draft : namedOrNew(draft, profile);
    if (key === 'trustedUrls') addTrustedUrl(holder, checked);
    else Object.assign(holder, { [key]: checked });
  });
  warnOfStronger(key, session);
}

/** The first profile is the one in use. */
function namedOrNew(draft: ConfigDraft, name: string): DraftProfile {
  const profile = profileIn(draft, name) ?? {};
  draft.profiles = { ...draft.profiles, [name]: profile };
  draft.profile ??= name;
  return profile;
}

async function unsetSetting({ key }: { key: ConfigKey }, session: Session): Promise<undefined> {
  const { context, global } = session;
  refuseRequestFlags('config unset', session, ['curl']);
  const config = ownConfig(session);
  const profile = key === 'profile' ? undefined : nameInUse(session, config);
  if (profile === undefined && key !== 'profile' && key !== 'trustedUrls') noProfile();
  const entry = profile === undefined ? undefined : findProfile(config, profile);
  if (global.dryRun) {
    const ofProfile = key === 'profile' ? undefined : entry?.[key];
    const ofAll = key === 'profile' || key === 'trustedUrls' ? config[key] : undefined;
    const name = ofProfile === undefined && ofAll !== undefined ? key : placeOf(key, profile);
    const isSet = ofProfile !== undefined || ofAll !== undefined;
    return tellPlan([isSet ? `would take out ${name}` : `${name} is not set: nothing would change`], session);
  }
  await editConfig(context, (draft) => {
    remove(draft, key, profile);
  });
}

/** As it is, once it is kept to its owner. */
function ownConfig(session: Session): ConfigFile {
  const config = readConfigFile(session.context);
  keepToOwner(config.openToOthers, session);
  return config;
}

function plannedChanges(
  { key, checked, profile }: { key: ProfileKey; checked: string; profile: string | undefined },
  config: ConfigFile,
): string[] {
  const name = placeOf(key, profile);
  const change =
    key === 'trustedUrls' ? `would add ${checked} to ${name}` : `would set ${name} to ${checked}`;
  return profile !== undefined && config.profile === undefined
    ? [change, `would set profile to ${profile}`]
    : [change];
}

/** In config.json. */
function placeOf(key: ConfigKey, profile: string | undefined): string {
  return profile === undefined ? key : `profiles.${profile}.${key}`;
}

/** What --dry-run was asked for is data: it goes to stdout, in the format in force. */
async function tellPlan(changes: readonly string[], session: Session): Promise<undefined> {
  await printValue(redactKeyInData(changes, session.context), session);
  session.note('nothing was written');
}

function remove(draft: ConfigDraft, key: ConfigKey, profile: string | undefined): void {
  const entry = profileIn(draft, profile);
  if (key === 'profile') delete draft.profile;
  // As `config get` finds them: those of the profile, else those of all.
  else if (key === 'trustedUrls' && entry?.trustedUrls === undefined) delete draft.trustedUrls;
  else delete entry?.[key];
}

/** By name alone: it may be new. */
function nameInUse({ global, context }: Session, config: ConfigFile): string | undefined {
  const files = {
    config,
    get project() {
      return readProjectFile(context.currentDirectory);
    },
  };
  return selectProfile(global, context, files)?.name;
}

function noProfile(): never {
  throw new UsageError('no profile is in use', 'pass --profile NAME; one that is new is made');
}

function warnOfStronger(key: ProfileKey, session: Session): void {
  const names = { baseUrl: 'PETSTORE_BASE_URL', output: 'PETSTORE_OUTPUT', color: 'PETSTORE_COLOR' } as const;
  const name = key in names ? names[key as keyof typeof names] : undefined;
  if (name !== undefined && variable(session.context, name) !== undefined) {
    session.warn(`${name} is set, and wins over this setting`);
  }
}
