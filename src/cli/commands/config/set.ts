import type { Command } from 'commander';
import type { Bind, Session } from '../../action.js';
import { findProfile } from '../../config.js';
import { type ConfigDraft, editConfig } from '../../config-editor.js';
import { readConfigFile, readProjectFile } from '../../config-files.js';
import { variable } from '../../context.js';
import { addExamples } from '../../examples.js';
import { UsageError } from '../../usage-error.js';
import { checkProfileName } from '../auth/profile-name.js';
import { warnOfStrongerProfile } from '../auth/stronger.js';
import { checkConfigKey, CONFIG_KEYS, type ConfigKey, type ProfileKey, withValue } from './keys.js';

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
  const { context } = session;
  if (key === 'profile') {
    findProfile(readConfigFile(context), value);
    await editConfig(context, (draft) => {
      draft.profile = value;
    });
    warnOfStrongerProfile(value, session);
    return;
  }
  // Checked once before the lock is asked for.
  withValue({}, key, value);
  const name = namedProfile(session);
  if (name === undefined && key === 'trustedUrls') {
    await editConfig(context, (draft) => {
      const { trustedUrls } = draft;
      Object.assign(draft, withValue(trustedUrls === undefined ? {} : { trustedUrls }, key, value));
    });
    return;
  }
  const profile = checkProfileName(name ?? noProfile());
  await editConfig(context, (draft) => {
    const profiles = (draft.profiles ??= {});
    profiles[profile] = withValue(profiles[profile] ?? {}, key, value);
    draft.profile ??= profile;
  });
  warnOfStronger(key, session);
}

async function unsetSetting({ key }: { key: ConfigKey }, session: Session): Promise<undefined> {
  const profile = key === 'profile' ? undefined : namedProfile(session);
  if (profile === undefined && key !== 'profile' && key !== 'trustedUrls') noProfile();
  if (profile !== undefined) findProfile(readConfigFile(session.context), profile);
  await editConfig(session.context, (draft) => {
    remove(draft, key, profile);
  });
}

function remove(draft: ConfigDraft, key: ConfigKey, profile: string | undefined): void {
  const entry = profile === undefined ? undefined : draft.profiles?.[profile];
  if (key === 'profile') delete draft.profile;
  // As `config get` finds them: those of the profile, else those of all.
  else if (key === 'trustedUrls' && entry?.trustedUrls === undefined) delete draft.trustedUrls;
  else delete entry?.[key];
}

/** By name alone: it may be new. */
function namedProfile({ global, context }: Session): string | undefined {
  return (
    global.profile ??
    variable(context, 'PETSTORE_PROFILE') ??
    readProjectFile(context.currentDirectory)?.profile ??
    readConfigFile(context).profile
  );
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
