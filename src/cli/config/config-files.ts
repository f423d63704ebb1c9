import { lstatSync, type Stats, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { findJsonDuplicate, findJsonError } from '../../schema/json-inspect.js';
import { type Context, variable } from '../system/context.js';
import { isSticky, type OpenToOthers, othersCanWrite, refuseForeignConfig } from '../files/ownership.js';
import { fieldPath } from './field-path.js';
import { choice } from '../command-line/flag-values.js';
import { findSecretField, isSecretName } from './secret-name.js';
import { COLOR_CHOICES, type ColorChoice, OUTPUT_FORMATS, type OutputFormat } from '../output/index.js';
import { configPath, type PathContext } from '../files/paths.js';
import { readRegularFile, whyUnreadable } from '../files/regular-file.js';
import { suggest } from '../text/suggest.js';
import { UsageError } from '../errors/usage-error.js';

/** The nearest `petstore.config.json`: what a project says. */
export interface ProjectFile {
  path: string;
  /** The user whose file it is; where it is a link, also the one whose link. */
  ownerIds: readonly number[];
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
  keyIn?: KeyLocation;
  /** Addresses besides its own that its key may be sent to: confirmed for base URLs that project files name. */
  trustedUrls?: readonly string[];
}

/** Where a stored key is. */
const KEY_LOCATIONS = ['keychain', 'file'] as const;
export type KeyLocation = (typeof KEY_LOCATIONS)[number];

/** The person's own `config.json`. */
export interface ConfigFile {
  path: string;
  /** The profile in use when nothing else names one. */
  profile?: string;
  profiles: Readonly<Record<string, Profile>>;
  /** Addresses that a key from the environment may be sent to where a project file names them. */
  trustedUrls?: readonly string[];
  /** The file, and its directory, where others could write to them: see `keepToOwner`. */
  openToOthers: readonly OpenToOthers[];
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

type Reader = PathContext & Pick<Context, 'userId'>;

/** Reads the nearest project file, from the current directory upward; none where that is gone. */
export function readProjectFile(currentDirectory: string | undefined): ProjectFile | undefined {
  if (currentDirectory === undefined) return undefined;
  for (let directory = currentDirectory; ; directory = dirname(directory)) {
    const path = join(directory, PROJECT_FILE);
    const ownerIds: number[] = [];
    const content = readObject(path, ({ uid }) => ownerIds.push(lstatSync(path).uid, uid));
    if (content !== undefined) return checkProjectFile(path, [...new Set(ownerIds)], content);
    if (dirname(directory) === directory) return undefined;
  }
}

/**
 * Reads the person's own configuration; an absent file is an empty one.
 *
 * @throws UsageError for one that is wrong, and for somebody else's.
 */
export function readConfigFile(context: Reader): ConfigFile {
  const path = configPath(context);
  const openToOthers: OpenToOthers[] = [];
  const content = readObject(path, (found) => openToOthers.push(...lookAtOwners(path, found, context))) ?? {};
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
    openToOthers,
  };
}

/**
 * Of the file that was opened, of a link to it, and of the directory it is in. One that somebody names is not this
 * program's to close.
 */
function lookAtOwners(path: string, file: Stats, context: Reader): OpenToOthers[] {
  if (context.userId === undefined) return [];
  const directory = dirname(path);
  const isNamed = variable(context, 'PETSTORE_CONFIG_DIR') !== undefined;
  const places = [
    { path: directory, found: statSync(directory), isNamed },
    { path, found: file },
  ];
  refuseForeignConfig(path, lstatSync(path).uid, context);
  for (const { path: place, found } of places.toReversed()) refuseForeignConfig(place, found.uid, context);
  return places.filter(({ found }) => othersCanWrite(found.mode) && !isSticky(found));
}

function checkProjectFile(
  path: string,
  ownerIds: readonly number[],
  content: Record<string, unknown>,
): ProjectFile {
  const place = findSecretField(content);
  if (place !== undefined) throw misplacedKey(path, place);
  refuseUnknown(path, '', content, PROJECT_FIELDS);
  return {
    path,
    ownerIds,
    ...textAt(path, 'profile', content.profile),
    ...textAt(path, 'baseUrl', content.baseUrl),
    content,
  };
}

function checkProfile(path: string, name: string, value: unknown): Profile {
  const where = fieldPath('profiles', name);
  const profile = objectAt(path, where, value);
  refuseUnknown(path, where, profile, PROFILE_FIELDS);
  const output = textAt(path, 'output', profile.output, where).output;
  const color = textAt(path, 'color', profile.color, where).color;
  const keyIn = textAt(path, 'keyIn', profile.keyIn, where).keyIn;
  return {
    ...textAt(path, 'baseUrl', profile.baseUrl, where),
    ...textAt(path, 'stagingUrl', profile.stagingUrl, where),
    ...(output === undefined ? {} : { output: choice(`${where}.output in ${path}`, OUTPUT_FORMATS, output) }),
    ...(color === undefined ? {} : { color: choice(`${where}.color in ${path}`, COLOR_CHOICES, color) }),
    ...(keyIn === undefined ? {} : { keyIn: choice(`${where}.keyIn in ${path}`, KEY_LOCATIONS, keyIn) }),
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
type Judge = (found: Stats) => void;

function readObject(path: string, judge: Judge): Record<string, unknown> | undefined {
  const text = readText(path, judge);
  if (text === undefined) return undefined;
  let content: unknown;
  try {
    content = JSON.parse(text);
  } catch (error) {
    const fault = findJsonError(text);
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
    return readRegularFile(path, { check: judge, bytesMax: 2 ** 20 });
  } catch (error) {
    if (error instanceof UsageError) throw error;
    const why = whyUnreadable(error);
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
  parent: string,
  content: Readonly<Record<string, unknown>>,
  known: readonly string[],
): void {
  for (const name of Object.keys(content)) {
    if (known.includes(name)) continue;
    if (isSecretName(name)) throw misplacedKey(path, fieldPath(parent, name));
    const meant = suggest(name, known);
    throw new UsageError(
      `${path} holds an unknown field, ${fieldPath(parent, name)}`,
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
