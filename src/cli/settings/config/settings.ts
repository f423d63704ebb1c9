import { checkBaseUrl } from './base-url.js';
import { checkAnnotations } from './annotation.js';
import {
  type ConfigFile,
  PROJECT_FILE,
  type ProjectFile,
  readConfigFile,
  readProjectFile,
} from './config-files.js';
import {
  type Profile,
  type ReadSetting,
  type Setting,
  settingNamed,
  SETTINGS,
  type SettingValue,
} from './fields.js';
import { type Context, isInQuotes, variable } from '../../system/context.js';
import { hasForeignOwner } from '../../system/files/ownership.js';
import { quoted } from '../../command-line/flag-values.js';
import { gateSetting } from './gate.js';
import type { GlobalOptions } from '../../command-line/global-options.js';
import { shellWord } from '../../errors/shell-word.js';
import { UnsafeFolderError } from '../../../security/private-folder.js';
import { suggest } from '../../../options/suggest.js';
import { UsageError } from '../../errors/usage-error.js';

/** The effective settings. Precedence: flag, environment, project file, profile, default. */
export type Settings = ReturnType<typeof resolveSettings>;

/** The source of a setting, highest precedence first. */
export type Origin = 'flag' | 'environment' | 'project' | 'profile' | 'config';

/**
 * Reads the effective settings from the flags, the environment and the two configuration files.
 *
 * @param mayBeNew whether the profile may be missing: `auth login` creates it.
 * @throws UsageError
 */
export function resolveSettings(global: GlobalOptions, context: Context, mayBeNew = false) {
  for (const name of PLAIN_VARIABLES) rejectQuotes(name, context);
  checkAnnotations(context);
  const project = readUnlessMock(global, () => readProjectFile(context.currentDirectory));
  const config = readUnlessMock(global, () => readConfigFile(context)) ?? NO_CONFIG;
  const { name, from: profileFrom } = selectProfile(global, context, { project, config }) ?? {};
  // A named profile needs the file: throws why it is not used.
  if (name !== undefined && config === NO_CONFIG && !global.mock) readConfigFile(context);
  const isNew = name !== undefined && !Object.hasOwn(config.profiles, name);
  const profile = mayBeNew && isNew ? undefined : findProfile(config, name);
  const [baseUrl, baseUrlFrom] = selectBaseUrl(global, context, project, {
    name,
    profile,
    file: config.path,
  });
  return {
    /** Validated; `undefined` if not set. */
    baseUrl,
    baseUrlFrom,
    /** The name of the selected profile. */
    profile: name,
    profileFrom,
    /** The settings of the profile; `undefined` if no profile is selected, or the selected one is new. */
    entry: profile,
    profileNames: Object.keys(config.profiles),
    profiles: config.profiles,
    project,
    /** Addresses that a key from the environment may be sent to, in addition to those of the profile. */
    trustedUrls: config.trustedUrls ?? [],
    /** `undefined`: depends on whether stdout is a terminal. */
    format: readSetting('output', global, context, profile)?.value,
    /** From `--color` or `PETSTORE_COLOR`, which override NO_COLOR and similar variables. */
    color: readSetting('color', global, context)?.value,
    /** From the profile; NO_COLOR and similar variables override it. */
    profileColor: profile?.color,
    gate: gateSetting(context),
  };
}

/** Checked before any other. The key, the base URL and the proxies are checked where they are used. */
export const PLAIN_VARIABLES = [
  'PETSTORE_ANNOTATIONS',
  'PETSTORE_COLOR',
  'PETSTORE_CONFIG_DIR',
  'PETSTORE_GATE',
  'PETSTORE_OUTPUT',
  'PETSTORE_PROFILE',
  'PETSTORE_STATE_DIR',
] as const;

/** @throws UsageError if the value of a variable is in quotes. */
export function rejectQuotes(name: string, context: Pick<Context, 'env'>): void {
  if (isInQuotes(variable(context, name) ?? ''))
    throw new UsageError(`${name} is in quotes, which are part of the value`, 'Remove the quotes.');
}

const NO_CONFIG: ConfigFile = { path: 'config.json', profiles: {} };

/**
 * With --mock an invalid file counts as missing: the command uses neither an address nor a key of it. A file that other
 * users can replace always does; the session warns.
 */
function readUnlessMock<T>({ mock }: Pick<GlobalOptions, 'mock'>, read: () => T): T | undefined {
  try {
    return read();
  } catch (error) {
    const isUnsafe = (error as Error).cause instanceof UnsafeFolderError;
    if ((mock || isUnsafe) && error instanceof UsageError) return undefined;
    throw error;
  }
}

/** The files that may select a profile. A getter reads a file only if nothing with higher precedence selects one. */
export interface ProfileSources {
  readonly project: Pick<ProjectFile, 'path' | 'ownerIds' | 'profile'> | undefined;
  readonly config: { readonly profile?: string };
}

/**
 * The selected profile, which need not exist.
 *
 * @throws UsageError if another user's project file selects a profile other than the default: that user would choose
 *   which key is sent.
 */
export function selectProfile(
  { profile }: Pick<GlobalOptions, 'profile'>,
  context: Pick<Context, 'env'> & Partial<Pick<Context, 'userId'>>,
  files: ProfileSources,
): { name: string; from: Origin } | undefined {
  if (profile !== undefined) return { name: profile, from: 'flag' };
  const fromEnvironment = variable(context, 'PETSTORE_PROFILE');
  if (fromEnvironment !== undefined) return { name: fromEnvironment, from: 'environment' };
  const { project } = files;
  if (project?.profile !== undefined) {
    const { path, profile: name } = project;
    if (hasForeignOwner(project, context) && name !== files.config.profile) throw foreignProfile(path, name);
    return { name, from: 'project' };
  }
  const defaultName = files.config.profile;
  return defaultName === undefined ? undefined : { name: defaultName, from: 'config' };
}

function foreignProfile(path: string, name: string): UsageError {
  return new UsageError(
    `${path} belongs to another user and selects profile ${quoted(name)}`,
    'Choose the profile yourself with --profile NAME or PETSTORE_PROFILE.',
    undefined,
    [{ file: path }],
  );
}

/** Names for {@link describeOrigin}. */
export interface OriginNames {
  /** Selects the names of the flag and the variable. */
  setting: string;
  /** Path of the project file. Default: its file name. */
  project?: string | undefined;
  /** Name of the profile, optionally with its file. */
  profile?: string;
  /** Path of the user's file. Default: its file name. */
  config?: string;
}

/** The origin of a setting, for output. */
export function describeOrigin(origin: Origin, names: OriginNames): string {
  const { setting, project = PROJECT_FILE, profile, config = 'config.json' } = names;
  switch (origin) {
    case 'flag':
      return settingNamed(setting)?.flag ?? setting;
    case 'environment':
      return settingNamed(setting)?.variable ?? setting;
    case 'project':
      return project;
    case 'profile':
      return `profile ${String(profile)}`;
    case 'config':
      return config;
  }
}

/** The project file, if the base URL comes from it. */
export function projectOfBaseUrl({ baseUrlFrom, project }: Settings): Settings['project'] {
  return baseUrlFrom === 'project' ? project : undefined;
}

/**
 * Returns the value of a setting and its source: the flag, the variable, or the profile.
 *
 * @param profile left out: only the flag and the variable.
 * @throws UsageError if the variable is invalid.
 */
export function readSetting<Name extends ReadSetting>(
  name: Name,
  global: Partial<GlobalOptions>,
  context: Pick<Context, 'env'>,
  profile?: Profile,
): { value: SettingValue<Name>; from: Origin } | undefined {
  const { option, variable: named, read }: Setting = SETTINGS[name];
  const text = named === undefined ? undefined : variable(context, named);
  const sources: readonly (readonly [Origin, () => unknown])[] = [
    ['flag', () => option && global[option]],
    ['environment', () => text && read?.(named ?? '', text)],
    ['profile', () => profile?.[name]],
  ];
  for (const [from, valueOf] of sources) {
    const value = valueOf();
    // Flags and profiles are checked, and read() returns the type.
    if (value !== undefined) return { value: value as SettingValue<Name>, from };
  }
  return undefined;
}

/** @throws UsageError with the most similar name if there is no such profile. */
export function findProfile(config: ConfigFile, name: string | undefined): Profile | undefined {
  if (name === undefined) return undefined;
  if (Object.hasOwn(config.profiles, name)) return config.profiles[name];
  const names = Object.keys(config.profiles);
  const similar = suggest(name, names);
  if (similar !== undefined)
    throw new UsageError(`Profile ${quoted(name)} not found`, `Did you mean "${similar}"?`);
  const isDefault = config.profile === name;
  const others = `${isDefault ? 'Run "petstore auth switch NAME" to choose another default. ' : ''}Profiles: ${names.join(', ')}.`;
  throw new UsageError(
    isDefault
      ? `Profile ${quoted(name)}, the default in ${config.path}, does not exist`
      : `Profile ${quoted(name)} not found`,
    names.length > 0
      ? others
      : `There are no profiles yet. Run "petstore auth login --profile ${shellWord(name)}" to create it.`,
  );
}

/** The selected profile, and the file that has it. */
interface SelectedProfile {
  name: string | undefined;
  profile: Profile | undefined;
  file: string;
}

function selectBaseUrl(
  global: GlobalOptions,
  context: Context,
  project: ProjectFile | undefined,
  selected: SelectedProfile,
): [string?, Origin?] {
  if (global.baseUrl !== undefined) return [checkBaseUrl('--base-url', global.baseUrl), 'flag'];
  if (global.staging) return [stagingUrl(selected), 'profile'];
  const named = variable(context, 'PETSTORE_BASE_URL');
  if (named !== undefined) return [checkBaseUrl('PETSTORE_BASE_URL', named), 'environment'];
  return readUnlessMock(global, () => baseUrlOfFiles(project, selected)) ?? [];
}

function baseUrlOfFiles(
  project: ProjectFile | undefined,
  { name, profile, file }: SelectedProfile,
): [string?, Origin?] {
  if (project?.baseUrl !== undefined)
    return [checkBaseUrl(`baseUrl in ${project.path}`, project.baseUrl, project.path), 'project'];
  if (profile?.baseUrl === undefined) return [];
  return [checkBaseUrl(`baseUrl of profile ${String(name)}`, profile.baseUrl, file), 'profile'];
}

function stagingUrl({ name, profile, file }: SelectedProfile): string {
  if (name === undefined) {
    throw new UsageError(
      '--staging needs a profile, and none is selected',
      'Pass --profile NAME, or pass the staging URL with --base-url.',
    );
  }
  if (profile?.stagingUrl === undefined) {
    throw new UsageError(
      `Profile ${name} has no staging URL`,
      `Run "petstore config set stagingUrl https://HOST/v1 --profile ${shellWord(name)}", or pass it with --base-url.`,
    );
  }
  return checkBaseUrl(`stagingUrl of profile ${name}`, profile.stagingUrl, file);
}
