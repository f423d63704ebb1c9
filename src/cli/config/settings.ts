import { checkAnnotations } from '../progress/annotation.js';
import {
  type ConfigFile,
  PROJECT_FILE,
  type Profile,
  type ProjectFile,
  readConfigFile,
  readProjectFile,
} from './config-files.js';
import { type Context, variable } from '../system/context.js';
import { hasForeignOwner, type OpenToOthers } from '../files/ownership.js';
import { choice, quoted } from '../command-line/flag-values.js';
import { gateSetting, type GateChoice } from './gate.js';
import type { GlobalOptions } from '../command-line/global-options.js';
import { COLOR_CHOICES, type ColorChoice, OUTPUT_FORMATS, type OutputFormat } from '../output/index.js';
import { shellWord } from '../text/shell-word.js';
import { suggest } from '../text/suggest.js';
import { UsageError } from '../errors/usage-error.js';

/** The settings in force: flag, else environment, else project file, else profile, else default. */
export interface Settings {
  /** Checked; `undefined` where nothing names one. */
  baseUrl: string | undefined;
  /** What named it. */
  baseUrlFrom: Origin | undefined;
  /** The name of the profile in use. */
  profile: string | undefined;
  /** What named it. */
  profileFrom: Origin | undefined;
  /** What the profile says; absent where there is none, or it is new. */
  entry: Profile | undefined;
  /** What else there is to choose from. */
  profileNames: readonly string[];
  /** The project file, where there is one, and the user whose it is. */
  project: Pick<ProjectFile, 'path' | 'ownerIds'> | undefined;
  /** Addresses that a key from the environment may go to besides those of the profile. */
  trustedUrls: readonly string[];
  /** `undefined` leaves it to where stdout goes. */
  format: OutputFormat | undefined;
  /** As a flag or `PETSTORE_COLOR` said it: above NO_COLOR and its kin. */
  color: ColorChoice | undefined;
  /** As the profile said it: below NO_COLOR and its kin. */
  profileColor: ColorChoice | undefined;
  /** Where the rate budget is kept. */
  gate: GateChoice;
  /** What others could write to of the configuration: see `keepToOwner`. */
  openToOthers: readonly OpenToOthers[];
}

/** What a setting comes from, the strongest first. */
export type Origin = 'flag' | 'environment' | 'project' | 'profile' | 'config';

/**
 * Finds the settings in force. Reads the two files, if they exist, and nothing else.
 *
 * @param mayBeNew whether the profile need not be there, for login makes it.
 */
export function resolveSettings(global: GlobalOptions, context: Context, mayBeNew = false): Settings {
  checkAnnotations(context);
  const project = readProjectFile(context.currentDirectory);
  const config = readConfigFile(context);
  const { name, from: profileFrom } = selectProfile(global, context, { project, config }) ?? {};
  const isNew = name !== undefined && !Object.hasOwn(config.profiles, name);
  const profile = mayBeNew && isNew ? undefined : findProfile(config, name);
  const output = variable(context, 'PETSTORE_OUTPUT');
  const [baseUrl, baseUrlFrom] = chooseBaseUrl(global, context, project, { name, profile });
  return {
    baseUrl,
    baseUrlFrom,
    profile: name,
    profileFrom,
    entry: profile,
    profileNames: Object.keys(config.profiles),
    project,
    trustedUrls: config.trustedUrls ?? [],
    format:
      global.format ??
      (output === undefined ? profile?.output : choice('PETSTORE_OUTPUT', OUTPUT_FORMATS, output)),
    color: colorSetting(global, context),
    profileColor: profile?.color,
    gate: gateSetting(context),
    openToOthers: config.openToOthers,
  };
}

/** What the two files say of the profile in use. */
export interface ProfileSources {
  readonly project: Pick<ProjectFile, 'path' | 'ownerIds' | 'profile'> | undefined;
  readonly config: { readonly profile?: string };
}

/**
 * The profile that is to be in use, and what names it. It need not be there.
 *
 * @param files each is looked at only where nothing stronger names one.
 * @throws UsageError where another user's project file names one that is not in use anyway: that would choose the key, and
 *   what becomes of whose pets.
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
  const ofAll = files.config.profile;
  return ofAll === undefined ? undefined : { name: ofAll, from: 'config' };
}

function foreignProfile(path: string, name: string): UsageError {
  return new UsageError(
    `${path}, which belongs to another user, names profile ${quoted(name)}`,
    'pass --profile NAME, or set PETSTORE_PROFILE, to choose one yourself',
  );
}

/** What there is to name for each origin. */
export interface OriginNames {
  /** Whose flag and variable are to be named; absent for one that several flags set. */
  setting?: keyof typeof SAID_BY;
  /** The path of the project file. Default: what it is called. */
  project?: string | undefined;
  /** The name of the profile, and what else is to be told of it. */
  profile?: string;
  /** The path of the person's own file. Default: what it is called. */
  config?: string;
}

const SAID_BY = {
  profile: { flag: '--profile', variable: 'PETSTORE_PROFILE' },
  baseUrl: { flag: '--base-url', variable: 'PETSTORE_BASE_URL' },
} as const;

/** What a setting comes from, in words. */
export function describeOrigin(origin: Origin, places: OriginNames): string {
  const { setting, project = PROJECT_FILE, profile, config = 'config.json' } = places;
  switch (origin) {
    case 'flag':
      return setting === undefined ? 'a flag' : SAID_BY[setting].flag;
    case 'environment':
      return setting === undefined ? 'the environment' : SAID_BY[setting].variable;
    case 'project':
      return project;
    case 'profile':
      return profile === undefined ? 'the profile' : `profile ${profile}`;
    case 'config':
      return config;
  }
}

/** The project file, where it is what named the base URL. */
export function projectOfBaseUrl({ baseUrlFrom, project }: Settings): Settings['project'] {
  return baseUrlFrom === 'project' ? project : undefined;
}

/** What `--color` says, else `PETSTORE_COLOR`. */
export function colorSetting(
  global: Pick<GlobalOptions, 'color'>,
  context: Pick<Context, 'env'>,
): ColorChoice | undefined {
  const color = variable(context, 'PETSTORE_COLOR');
  return global.color ?? (color === undefined ? undefined : choice('PETSTORE_COLOR', COLOR_CHOICES, color));
}

/** @throws UsageError with what was probably meant, for a name that no profile has. */
export function findProfile(config: ConfigFile, name: string | undefined): Profile | undefined {
  if (name === undefined) return undefined;
  if (Object.hasOwn(config.profiles, name)) return config.profiles[name];
  const names = Object.keys(config.profiles);
  const meant = suggest(name, names);
  const known = names.length === 0 ? `${config.path} has no profiles` : `known: ${names.join(', ')}`;
  if (config.profile === name && meant === undefined) {
    throw new UsageError(
      `there is no profile ${JSON.stringify(name)}, which ${config.path} names`,
      `${known}; petstore config unset profile forgets it, petstore auth login --profile ${shellWord(name)} makes it`,
    );
  }
  throw new UsageError(
    `there is no profile ${JSON.stringify(name)}`,
    meant === undefined ? known : `did you mean ${meant}?`,
  );
}

function chooseBaseUrl(
  global: GlobalOptions,
  context: Context,
  project: ProjectFile | undefined,
  chosen: { name: string | undefined; profile: Profile | undefined },
): [string?, Origin?] {
  if (global.baseUrl !== undefined) return [checkBaseUrl('--base-url', global.baseUrl), 'flag'];
  if (global.staging) return [stagingUrl(chosen.name, chosen.profile), 'profile'];
  const named = variable(context, 'PETSTORE_BASE_URL');
  if (named !== undefined) return [checkBaseUrl('PETSTORE_BASE_URL', named), 'environment'];
  if (project?.baseUrl !== undefined) {
    return [checkBaseUrl(`baseUrl in ${project.path}`, project.baseUrl), 'project'];
  }
  const own = chosen.profile?.baseUrl;
  if (own === undefined) return [];
  return [checkBaseUrl(`baseUrl of profile ${String(chosen.name)}`, own), 'profile'];
}

function stagingUrl(name: string | undefined, profile: Profile | undefined): string {
  if (name === undefined) {
    throw new UsageError(
      '--staging needs a profile, and none is in use',
      'pass --profile NAME, or give the staging address with --base-url',
    );
  }
  if (profile?.stagingUrl === undefined) {
    throw new UsageError(
      `profile ${name} has no staging address`,
      `petstore config set stagingUrl https://HOST/v1 --profile ${shellWord(name)}, or pass it with --base-url`,
    );
  }
  return checkBaseUrl(`stagingUrl of profile ${name}`, profile.stagingUrl);
}

/** A URL may name hosts of `;`, `$(` and `{}` too, which stand in lines to paste. Names beyond ASCII are punycode by then. */
const NAMES_A_HOST = /^(?:[a-z\d.-]+|\[[\da-f:.]+\])$/;

/**
 * Checks an address before anything is sent. The messages never repeat the whole address: it may hold a password.
 *
 * @param source what named it.
 */
export function checkBaseUrl(source: string, text: string): string {
  const example = 'write it whole, version included, such as https://HOST/v1';
  if (!/^https?:\/\//i.test(text)) {
    throw new UsageError(`${source} must begin with https:// (or http:// for this machine)`, example);
  }
  let url: URL;
  try {
    url = new URL(text);
  } catch (error) {
    throw new UsageError(`${source} is not a URL`, example, error);
  }
  if (url.username !== '' || url.password !== '') {
    throw new UsageError(
      `${source} holds a user name or password`,
      'take it out of the address; the key is read from PETSTORE_API_KEY',
    );
  }
  if (url.search !== '' || url.hash !== '') {
    throw new UsageError(`${source} holds a query or a fragment`, example);
  }
  if (!NAMES_A_HOST.test(url.hostname)) {
    throw new UsageError(`${source} names a host that holds more than letters, digits, . and -`, example);
  }
  if (url.protocol === 'http:' && !isLoopback(url.hostname)) {
    throw new UsageError(
      `${source} is plain http to ${url.hostname}: the key would cross the network readable`,
      'use https://; plain http is for this machine only',
    );
  }
  return url.href;
}

/**
 * Whether a host is this machine, IPv6 with or without the brackets of a URL: what the client allows plain http to, and
 * what no proxy is used for. A name below `localhost` is not: systems ask DNS for it, and whoever answers would be sent
 * the key.
 */
export function isLoopback(hostname: string): boolean {
  return (
    hostname === 'localhost' ||
    hostname === '::1' ||
    hostname === '[::1]' ||
    /^127\.\d+\.\d+\.\d+$/.test(hostname)
  );
}
