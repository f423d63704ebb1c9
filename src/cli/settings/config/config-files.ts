import { quote } from '../../../schema/control-characters.js';
import { lstatSync, type Stats } from 'node:fs';
import { dirname, join } from 'node:path';
import { findJsonDuplicate, findJsonError } from '../../../schema/json-inspect.js';
import { type Context } from '../../system/context.js';
import { refuseForeignConfig, refuseUnsafeFolder } from '../../system/files/ownership.js';
import { configPath, type PathContext } from '../../system/files/paths.js';
import { readRegularFile, describeFileError } from '../../system/files/safe-file.js';
import type { FilePlace } from '../../errors/command-failure.js';
import { UsageError } from '../../errors/usage-error.js';
import { checkFields, CONFIG_FIELDS, type Profile, PROJECT_FIELDS } from './fields.js';
import { findSecretField, misplacedKey } from './secret-name.js';
import { isMissing } from '../../../security/system-error.js';

/** The user's `config.json`. */
export interface ConfigFile {
  path: string;
  profile?: string;
  profiles: Readonly<Record<string, Profile>>;
  trustedUrls?: readonly string[];
}

/** The nearest `petstore.config.json`. */
export interface ProjectFile {
  path: string;
  profile?: string;
  baseUrl?: string;
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
  const config = content ?? {};
  checkFields(config, CONFIG_FIELDS, path);
  return { path, profiles: {}, ...(config as Partial<ConfigFile>) };
}

function checkProjectFile(path: string, ownerIds: readonly number[], content: unknown): ProjectFile {
  const secret = findSecretField(content);
  if (secret !== undefined) throw misplacedKey(path, secret);
  checkFields(content, PROJECT_FIELDS, path);
  const { profile, baseUrl } = content as Pick<ProjectFile, 'profile' | 'baseUrl'>;
  return {
    path,
    ownerIds,
    ...(profile === undefined ? {} : { profile }),
    ...(baseUrl === undefined ? {} : { baseUrl }),
    content: content as ProjectFile['content'],
  };
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
    `${path}${position(duplicate)}: duplicate field ${quote(duplicate.name)}`,
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
    if (isMissing(error)) return undefined;
    throw new UsageError(
      `${path} can't be read (${describeFileError(error)})`,
      'Check the file and its permissions.',
      error,
      [{ file: path }],
    );
  }
}

function position(at: { line: number; column: number } | undefined): string {
  return at === undefined ? '' : `, line ${String(at.line)}, column ${String(at.column)}`;
}

function placeIn(path: string, at: { line: number; column: number } | undefined): FilePlace {
  return { file: path, line: at?.line, column: at?.column };
}
