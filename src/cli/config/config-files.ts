import { lstatSync, type Stats } from 'node:fs';
import { dirname, join } from 'node:path';
import type { z } from 'zod';
import { findJsonDuplicate, findJsonError } from '../../schema/json-inspect.js';
import { type Context } from '../system/context.js';
import { refuseForeignConfig, refuseUnsafeFolder } from '../files/ownership.js';
import { COLOR_CHOICES, OUTPUT_FORMATS } from '../output/index.js';
import { configPath, type PathContext } from '../files/paths.js';
import { readRegularFile, describeFileError } from '../files/safe-file.js';
import type { FilePlace } from '../errors/command-failure.js';
import { UsageError } from '../errors/usage-error.js';
import type { configSchema, projectSchema } from './config-schema.js';
import { KEY_LOCATIONS } from './config-values.js';
import { findSecretField, misplacedKey } from './secret-name.js';

type ConfigContent = z.infer<typeof configSchema>;
type ProjectContent = z.infer<typeof projectSchema>;

/** A named set of settings in `config.json`. */
export type Profile = NonNullable<ConfigContent['profiles']>[string];

/** The user's `config.json`. */
export interface ConfigFile extends ConfigContent {
  path: string;
  profiles: Readonly<Record<string, Profile>>;
}

/** The nearest `petstore.config.json`. */
export interface ProjectFile extends Pick<ProjectContent, 'profile' | 'baseUrl'> {
  path: string;
  /** Owner of the file and, if it is a symbolic link, of the link. */
  ownerIds: readonly number[];
  /** All fields. The domain commands check theirs. */
  content: Readonly<Record<string, unknown>>;
}

export const PROJECT_FILE = 'petstore.config.json';

/**
 * Reads the nearest project file, from the current directory upwards.
 *
 * @throws UsageError for an invalid file.
 */
export function readProjectFile(currentDirectory: string | undefined): ProjectFile | undefined {
  if (currentDirectory === undefined) return undefined;
  for (let directory = currentDirectory; ; directory = dirname(directory)) {
    const path = join(directory, PROJECT_FILE);
    const ownerIds: number[] = [];
    const content = readJsonFile(path, ({ uid }) => ownerIds.push(lstatSync(path).uid, uid));
    if (content !== undefined) return checkProjectFile(path, [...new Set(ownerIds)], content);
    if (dirname(directory) === directory) return undefined;
  }
}

/**
 * Reads `config.json`. A missing file counts as empty.
 *
 * @throws UsageError for an invalid file, or one that another user owns or can replace.
 */
export function readConfigFile(context: PathContext & Pick<Context, 'userId'>): ConfigFile {
  const path = configPath(context);
  const content = readJsonFile(path, (found) => {
    refuseUnsafeFolder(dirname(path), context);
    refuseForeignConfig(path, lstatSync(path).uid, context);
    refuseForeignConfig(path, found.uid, context);
  });
  const config = withoutEmptyProfileFields(withoutEmpty(content ?? {}));
  if (!isConfig(config)) throw new ConfigError(path, config, 'configSchema');
  return { path, profiles: {}, ...config };
}

function checkProjectFile(path: string, ownerIds: readonly number[], content: unknown): ProjectFile {
  const secret = findSecretField(content);
  if (secret !== undefined) throw misplacedKey(path, secret);
  const project = withoutEmpty(content);
  if (!matches(project, PROJECT_FIELDS)) throw new ConfigError(path, project, 'projectSchema');
  const { profile, baseUrl } = project as ProjectContent;
  return {
    path,
    ownerIds,
    ...(profile === undefined ? {} : { profile }),
    ...(baseUrl === undefined ? {} : { baseUrl }),
    content: project,
  };
}

/** A configuration file that does not match its schema. */
class ConfigError extends UsageError {
  readonly #path: string;
  readonly #content: unknown;
  readonly #schema: 'configSchema' | 'projectSchema';

  constructor(path: string, content: unknown, schema: 'configSchema' | 'projectSchema') {
    super(`${path} is not valid`, 'Run "petstore doctor" to see what is wrong.', undefined, [{ file: path }]);
    this.#path = path;
    this.#content = content;
    this.#schema = schema;
  }

  /** The error that names the field. Loads zod, which takes 20 ms. */
  async explain(): Promise<UsageError> {
    const schemas = await import('./config-schema.js');
    const { message, hint } = schemas.describeMismatch(schemas[this.#schema], this.#path, this.#content);
    return new UsageError(message, hint, undefined, this.facts.places);
  }
}

/** Replaces a {@link ConfigError} by an error that names the wrong field. Returns other errors unchanged. */
export async function explainConfigError(error: unknown): Promise<unknown> {
  return error instanceof ConfigError ? error.explain() : error;
}

// These checks accept exactly what the schemas in config-schema.ts accept. Loading zod would take 20 ms.

type Check = (value: unknown) => boolean;
const isString: Check = (value) => typeof value === 'string';
const isStringList: Check = (value) => Array.isArray(value) && value.every(isString);
const isOneOf =
  (values: readonly unknown[]): Check =>
  (value) =>
    values.includes(value);

/** The fields of a profile. */
export const PROFILE_FIELDS = {
  baseUrl: isString,
  stagingUrl: isString,
  output: isOneOf(OUTPUT_FORMATS),
  color: isOneOf(COLOR_CHOICES),
  trustedUrls: isStringList,
  keyIn: isOneOf(KEY_LOCATIONS),
} satisfies Record<keyof Profile, Check>;

const CONFIG_FIELDS: Readonly<Record<keyof ConfigContent, Check>> = {
  profile: isString,
  profiles: (profiles) =>
    isObject(profiles) && Object.values(profiles).every((profile) => matches(profile, PROFILE_FIELDS)),
  trustedUrls: isStringList,
};

/** The domain commands check the values of their fields. */
const PROJECT_FIELDS: Readonly<Record<keyof ProjectContent, Check>> = {
  $schema: () => true,
  profile: isString,
  baseUrl: isString,
  domains: () => true,
  redirects: () => true,
  target: () => true,
  plan: () => true,
  deployed: () => true,
};

function isConfig(content: unknown): content is ConfigContent {
  return matches(content, CONFIG_FIELDS);
}

function matches(
  content: unknown,
  fields: Readonly<Record<string, Check>>,
): content is Record<string, unknown> {
  return (
    isObject(content) &&
    Object.entries(content).every(([name, value]) => Object.hasOwn(fields, name) && fields[name]?.(value))
  );
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Drops fields with an empty text, which count as not set. */
function withoutEmpty(content: unknown): unknown {
  return isObject(content)
    ? Object.fromEntries(Object.entries(content).filter(([, value]) => value !== ''))
    : content;
}

function withoutEmptyProfileFields(content: unknown): unknown {
  if (!isObject(content) || !isObject(content.profiles)) return content;
  const profiles: Record<string, unknown> = Object.fromEntries(
    Object.entries(content.profiles).map(([name, profile]) => [name, withoutEmpty(profile)]),
  );
  return { ...content, profiles };
}

/**
 * @param check receives the status of the open file before it is read, and may throw.
 * @returns `undefined` if there is no file.
 */
function readJsonFile(path: string, check: (found: Stats) => void): unknown {
  const text = readText(path, check);
  if (text === undefined) return undefined;
  let content: unknown;
  try {
    content = JSON.parse(text);
  } catch (error) {
    if (text.trim() === '') {
      throw new UsageError(`${path} is empty`, 'Remove the file, or write {} into it.', error, [
        { file: path },
      ]);
    }
    const problem = findJsonError(text);
    const found = problem === undefined ? '' : `: found ${problem.found}`;
    throw new UsageError(
      `${path}${position(problem)} is not JSON${found}`,
      'Fix the JSON at this position.',
      error,
      [placeIn(path, problem)],
    );
  }
  const duplicate = findJsonDuplicate(text);
  if (duplicate === undefined) return content;
  throw new UsageError(
    `${path}${position(duplicate)}: duplicate field ${JSON.stringify(duplicate.name)}`,
    'Remove one of the two.',
    undefined,
    [placeIn(path, duplicate)],
  );
}

function readText(path: string, check: (found: Stats) => void): string | undefined {
  try {
    return readRegularFile(path, { check, bytesMax: 2 ** 20 });
  } catch (error) {
    if (error instanceof UsageError) throw error;
    const why = describeFileError(error);
    if (why === 'ENOENT' || why === 'ENOTDIR') return undefined;
    throw new UsageError(`${path} can't be read (${why})`, 'Check the file and its permissions.', error, [
      { file: path },
    ]);
  }
}

function position(at: { line: number; column: number } | undefined): string {
  return at === undefined ? '' : `, line ${String(at.line)}, column ${String(at.column)}`;
}

function placeIn(path: string, at: { line: number; column: number } | undefined): FilePlace {
  return { file: path, line: at?.line, column: at?.column };
}
