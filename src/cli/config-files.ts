import { chmodSync, fchmodSync, type Stats, statSync } from 'node:fs';
import { dirname, isAbsolute, join } from 'node:path';
import { findJsonFault } from '../schema/json-fault.js';
import { type Context, variable } from './context.js';
import { keepToOwner } from './file-owner.js';
import { choice } from './flag-values.js';
import { findJsonDuplicate } from './json-duplicate.js';
import { findKeyLike, isKeyLike } from './key-like-name.js';
import { COLOR_CHOICES, type ColorChoice, OUTPUT_FORMATS, type OutputFormat } from './output/index.js';
import { readRegularFile, whyUnread } from './regular-file.js';
import { suggest } from './suggest.js';
import { UsageError } from './usage-error.js';

/** The nearest `petstore.config.json`: what a project says. */
export interface ProjectFile {
  path: string;
  /** The user whose file it is. */
  ownerId: number;
  profile?: string;
  baseUrl?: string;
  /** All that it holds: the domain commands read entries of their own. */
  content: Readonly<Record<string, unknown>>;
}

/** A named set of settings. */
export interface Profile {
  baseUrl?: string;
  stagingUrl?: string;
  output?: OutputFormat;
  color?: ColorChoice;
  /** Where its key is; absent where none is stored. */
  keyIn?: KeyPlace;
  /** Addresses besides its own that its key may be sent to: confirmed for base URLs that project files name. */
  trustedUrls?: readonly string[];
}

/** Where a stored key is. */
const KEY_PLACES = ['keychain', 'file'] as const;
export type KeyPlace = (typeof KEY_PLACES)[number];

/** The person's own `config.json`. */
export interface ConfigFile {
  path: string;
  /** The profile in use when nothing else names one. */
  profile?: string;
  profiles: Readonly<Record<string, Profile>>;
  /** Addresses that a key from the environment may be sent to where a project file names them. */
  trustedUrls?: readonly string[];
  /** What to tell of the file itself. */
  warnings: readonly string[];
}

/** What a project's file is called. */
export const PROJECT_FILE = 'petstore.config.json';
const PROJECT_FIELDS = [
  '$schema',
  'profile',
  'baseUrl',
  'domains',
  'redirects',
  'target',
  'plan',
  'deployed',
];
const PROFILE_FIELDS = ['baseUrl', 'stagingUrl', 'output', 'color', 'keyIn', 'trustedUrls'];

type Directories = Pick<Context, 'env' | 'homeDirectory' | 'platform'>;
/** Without a user nothing is judged of the file itself. */
type Reader = Directories & Partial<Pick<Context, 'userId'>>;

/**
 * Where the person's configuration lives: `PETSTORE_CONFIG_DIR`, else `petstore` under an absolute `XDG_CONFIG_HOME`,
 * else the system's own place.
 */
export function configDirectory(context: Directories): string {
  const own = variable(context, 'PETSTORE_CONFIG_DIR');
  if (own !== undefined) return own;
  const shared = variable(context, 'XDG_CONFIG_HOME');
  // The XDG base directory specification: a relative path is invalid and to be ignored.
  if (shared !== undefined && isAbsolute(shared)) return join(shared, 'petstore');
  if (context.platform === 'darwin') return join(context.homeDirectory, 'Library', 'Preferences', 'petstore');
  if (context.platform === 'win32') {
    return join(
      variable(context, 'APPDATA') ?? join(context.homeDirectory, 'AppData', 'Roaming'),
      'petstore',
    );
  }
  return join(context.homeDirectory, '.config', 'petstore');
}

/** Reads the nearest project file, from the current directory upward; none where that is gone. */
export function readProjectFile(currentDirectory: string | undefined): ProjectFile | undefined {
  if (currentDirectory === undefined) return undefined;
  for (let directory = currentDirectory; ; directory = dirname(directory)) {
    const path = join(directory, PROJECT_FILE);
    let ownerId = 0;
    const content = readObject(path, ({ uid }) => (ownerId = uid));
    if (content !== undefined) return checkProjectFile(path, ownerId, content);
    if (dirname(directory) === directory) return undefined;
  }
}

/**
 * Reads the person's own configuration; an absent file is an empty one.
 *
 * @throws UsageError for one that is wrong, and for somebody else's.
 */
export function readConfigFile(context: Reader): ConfigFile {
  const path = join(configDirectory(context), 'config.json');
  const warnings: string[] = [];
  const content =
    readObject(path, (found, descriptor) => warnings.push(...keepConfig(path, found, descriptor, context))) ??
    {};
  refuseUnknown(path, '', content, ['profile', 'profiles', 'trustedUrls']);
  const profiles: [string, Profile][] = [];
  for (const [name, value] of Object.entries(objectAt(path, 'profiles', content.profiles ?? {}))) {
    profiles.push([name, checkProfile(path, name, value)]);
  }
  return {
    path,
    ...textAt(path, 'profile', content.profile),
    profiles: Object.fromEntries(profiles),
    ...trustedUrlsAt(path, 'trustedUrls', content.trustedUrls),
    warnings,
  };
}

/** The file that was opened, and the directory it is in; but one that somebody names may be shared. */
function keepConfig(path: string, found: Stats, descriptor: number, context: Reader): string[] {
  const directory = dirname(path);
  const isOursAlone = variable(context, 'PETSTORE_CONFIG_DIR') === undefined;
  const told = [
    isOursAlone && context.userId !== undefined
      ? keepToOwner(
          directory,
          statSync(directory),
          (mode) => {
            chmodSync(directory, mode);
          },
          context,
        )
      : undefined,
    keepToOwner(
      path,
      found,
      (mode) => {
        fchmodSync(descriptor, mode);
      },
      context,
    ),
  ];
  return told.filter((text) => text !== undefined);
}

function checkProjectFile(path: string, ownerId: number, content: Record<string, unknown>): ProjectFile {
  const place = findKeyLike(content);
  if (place !== undefined) throw misplacedKey(path, place);
  refuseUnknown(path, '', content, PROJECT_FIELDS);
  return {
    path,
    ownerId,
    ...textAt(path, 'profile', content.profile),
    ...textAt(path, 'baseUrl', content.baseUrl),
    content,
  };
}

function checkProfile(path: string, name: string, value: unknown): Profile {
  const where = `profiles.${name}`;
  const profile = objectAt(path, where, value);
  refuseUnknown(path, `${where}.`, profile, PROFILE_FIELDS);
  const output = textAt(path, 'output', profile.output, where).output;
  const color = textAt(path, 'color', profile.color, where).color;
  const keyIn = textAt(path, 'keyIn', profile.keyIn, where).keyIn;
  return {
    ...textAt(path, 'baseUrl', profile.baseUrl, where),
    ...textAt(path, 'stagingUrl', profile.stagingUrl, where),
    ...(output === undefined ? {} : { output: choice(`${where}.output in ${path}`, OUTPUT_FORMATS, output) }),
    ...(color === undefined ? {} : { color: choice(`${where}.color in ${path}`, COLOR_CHOICES, color) }),
    ...(keyIn === undefined ? {} : { keyIn: choice(`${where}.keyIn in ${path}`, KEY_PLACES, keyIn) }),
    ...trustedUrlsAt(path, `${where}.trustedUrls`, profile.trustedUrls),
  };
}

function trustedUrlsAt(path: string, where: string, value: unknown): Pick<Profile, 'trustedUrls'> {
  if (value === undefined) return {};
  if (Array.isArray(value) && value.every((entry) => typeof entry === 'string'))
    return { trustedUrls: value };
  throw new UsageError(
    `${where} in ${path} must be a list of strings`,
    'petstore help config shows an example',
  );
}

/** Looks at the file that was opened, before it is read. */
type Judge = (found: Stats, descriptor: number) => void;

function readObject(path: string, judge: Judge): Record<string, unknown> | undefined {
  const text = readText(path, judge);
  if (text === undefined) return undefined;
  let content: unknown;
  try {
    content = JSON.parse(text);
  } catch (error) {
    const fault = findJsonFault(text);
    const found = fault === undefined ? '' : `: did not expect ${fault.found}`;
    throw new UsageError(
      `${path}${placeIn(fault)} is not JSON${found}`,
      'correct the file at that place',
      error,
    );
  }
  const twice = findJsonDuplicate(text);
  if (twice === undefined) return objectAt(path, undefined, content);
  throw new UsageError(
    `${path}${placeIn(twice)} says ${JSON.stringify(twice.name)} a second time`,
    'keep one of the two: only the last would count',
  );
}

/** `undefined` where there is no file. */
function readText(path: string, judge: Judge): string | undefined {
  try {
    return readRegularFile(path, judge);
  } catch (error) {
    if (error instanceof UsageError) throw error;
    const why = whyUnread(error);
    if (why === 'ENOENT' || why === 'ENOTDIR') return undefined;
    throw new UsageError(`${path} can't be read (${why})`, 'check the file and its permissions', error);
  }
}

function placeIn(place: { line: number; column: number } | undefined): string {
  return place === undefined ? '' : `, line ${String(place.line)}, column ${String(place.column)}`;
}

function objectAt(path: string, name: string | undefined, value: unknown): Record<string, unknown> {
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) {
    return value as Record<string, unknown>;
  }
  const what = name === undefined ? path : `${name} in ${path}`;
  throw new UsageError(`${what} must be a JSON object`, 'petstore help config shows an example');
}

function textAt<K extends string>(
  path: string,
  name: K,
  value: unknown,
  parent?: string,
): Partial<Record<K, string>> {
  if (value === undefined || value === '') return {};
  if (typeof value === 'string') return { [name]: value } as Record<K, string>;
  const where = parent === undefined ? name : `${parent}.${name}`;
  throw new UsageError(`${where} in ${path} must be a string`, 'petstore help config shows an example');
}

function refuseUnknown(
  path: string,
  prefix: string,
  content: Readonly<Record<string, unknown>>,
  known: readonly string[],
): void {
  for (const name of Object.keys(content)) {
    if (known.includes(name)) continue;
    if (isKeyLike(name)) throw misplacedKey(path, `${prefix}${name}`);
    const meant = suggest(name, known);
    throw new UsageError(
      `${path} holds an unknown field, ${prefix}${name}`,
      meant === undefined ? `known here: ${known.join(', ')}` : `did you mean ${meant}?`,
    );
  }
}

function misplacedKey(path: string, place: string): UsageError {
  return new UsageError(
    `${place} in ${path}: a key does not belong in this file`,
    'remove it there and set PETSTORE_API_KEY; change the key if the file was ever shared',
  );
}
