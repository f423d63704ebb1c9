import { lstatSync, readdirSync, type Stats, statSync } from 'node:fs';
import { join } from 'node:path';
import { type Context, variable } from '../../system/context.js';
import { canOthersWrite, isForeignOwner } from '../../../security/private-folder.js';
import { canOthersAccess, findUnsafeFolders, type UnsafeFolder } from '../../files/ownership.js';
import { BUDGET_FOLDER_PATTERN } from '../../../client/index.js';
import { gateDirectory } from '../../config/gate.js';
import { compileCacheDirectory, configDirectory, configPath, stateDirectory } from '../../files/paths.js';
import { resolvePath } from '../../files/resolve-path.js';
import { shellWord } from '../../text/shell-word.js';
import { seenPetsPath } from '../../completion/seen-pets.js';
import { KEY_FILE, keysDirectory } from '../../credentials/key-file.js';
import { VERIFIED_FILE } from '../domain/verification-times.js';
import { HIDDEN_JOURNAL, hiddenJournalDirectory } from '../pets/import/import-location.js';
import { type Result, Skipped } from './check.js';

/** A file or directory of the program that other users can access or own. */
interface ExposedPath {
  path: string;
  /** Permission bits, such as 0o644. */
  mode: number;
  holds: 'a key' | UnsafeFolder['holds'];
  isDirectory: boolean;
  /** Set if it belongs to another user. */
  ownerId?: number | undefined;
  /** Set if files in it are not used, because other users can change this folder or link. */
  isUnused?: boolean;
}

export function checkPermissions(context: Context): Result {
  const paths = findExposedPaths(context);
  const [first] = paths;
  if (first === undefined)
    return { state: 'ok', finding: 'only you can access keys, configuration and state' };
  const unused = first.isUnused === true ? `: no folder is used for ${first.holds}` : '';
  const problem =
    first.ownerId === undefined
      ? `can be accessed by other users (${octal(first.mode)})${unused}`
      : `belongs to another user (${String(first.ownerId)})${unused}`;
  const more = paths.length === 1 ? '' : `, and ${String(paths.length - 1)} more`;
  const places = paths.map(({ path, mode, holds, ownerId }) => ({
    ...{ path, mode: octal(mode), holds },
    ...(ownerId === undefined ? {} : { ownerId }),
  }));
  return {
    state: paths.some(isDangerous) ? 'failed' : 'warn',
    finding: `${first.path} ${problem}${more}`,
    remedy: first.isUnused === true ? otherFolder(first, context) : fixCommand(paths),
    details: { places },
  };
}

/** Other users must not read a key. They must not change settings, which decide where keys are sent, or code. */
function isDangerous({ holds, mode, isDirectory, ownerId }: ExposedPath): boolean {
  return ownerId !== undefined || canOthersWrite(mode) || (holds === 'a key' && !isDirectory);
}

function octal(mode: number): string {
  return `0${mode.toString(8)}`;
}

function fixCommand(paths: readonly ExposedPath[]): string {
  const own = paths.filter(({ ownerId }) => ownerId === undefined);
  const commands = [
    { command: 'sudo chown -h "$(id -u)"', paths: paths.filter(({ ownerId }) => ownerId !== undefined) },
    { command: 'chmod 700', paths: own.filter(({ isDirectory }) => isDirectory) },
    { command: 'chmod 600', paths: own.filter(({ isDirectory }) => !isDirectory) },
  ];
  return commands
    .filter((group) => group.paths.length > 0)
    .map((group) => `${group.command} ${group.paths.map(({ path }) => shellWord(path)).join(' ')}`)
    .join(' && ');
}

/** Where the folders are named. */
const VARIABLES: Readonly<Record<ExposedPath['holds'], string>> = {
  'a key': 'PETSTORE_CONFIG_DIR',
  configuration: 'PETSTORE_CONFIG_DIR',
  state: 'PETSTORE_STATE_DIR',
  'compile cache': 'XDG_CACHE_HOME',
};

/** Changes no owner: the folder may be the home directory of another user. Others may need to write to one above. */
function otherFolder({ path, holds, ownerId }: ExposedPath, context: Context): string {
  const other = `Set ${VARIABLES[holds]} to a folder that only you can write`;
  if (ownerId !== undefined)
    return context.userId === 0 ? `Use sudo -H, so that HOME is that of root. Or: ${other}.` : `${other}.`;
  const isOwn = [configDirectory, stateDirectory, compileCacheDirectory].some((of) => of(context) === path);
  return isOwn ? `chmod go-w ${shellWord(path)}` : `${other}, or run: chmod go-w ${shellWord(path)}`;
}

/**
 * Finds files and directories of the program that other users can access, and keys and configuration that another user
 * owns. Ignores files that the program did not make.
 *
 * @throws Skipped if the system has no file modes.
 */
function findExposedPaths(context: Context): ExposedPath[] {
  const { userId, platform } = context;
  if (userId === undefined || platform === 'win32') throw new Skipped('this system has no file modes');
  const absolute = (path: string): string => resolvePath(path, context);
  const inspect: Inspect = (path, holds) => exposedPath(path, userId, holds);
  // Others may read a directory that the user named.
  const isNamed = (name: string): boolean => variable(context, name) !== undefined;
  const state = absolute(stateDirectory(context));
  const unused = findUnsafeFolders(context).map(({ holds, error: { path, mode, ownerId } }) => {
    return { path, mode, holds, isDirectory: true, isUnused: true, ownerId };
  });
  const exposed = [
    ...(isNamed('PETSTORE_CONFIG_DIR') ? [] : inspect(absolute(configDirectory(context)), 'configuration')),
    ...inspect(absolute(configPath(context)), 'configuration'),
    ...folder(absolute(keysDirectory(context)), KEY_FILE, 'a key', inspect),
    ...(isNamed('PETSTORE_STATE_DIR') ? [] : inspect(state, 'state')),
    ...inspect(absolute(seenPetsPath(context)), 'state'),
    ...inspect(join(state, VERIFIED_FILE), 'state'),
    ...folder(gateDirectory(context), BUDGET_FOLDER_PATTERN, 'state', inspect),
    ...folder(absolute(hiddenJournalDirectory(context)), HIDDEN_JOURNAL, 'state', inspect),
  ];
  return [...unused, ...exposed.filter(({ path }) => unused.every((folder) => folder.path !== path))];
}

type Inspect = (path: string, holds: ExposedPath['holds']) => ExposedPath[];

/** A folder and its matching files. Without a match the folder is not the program's, and only its owner is checked. */
function folder(path: string, names: RegExp, holds: ExposedPath['holds'], inspect: Inspect): ExposedPath[] {
  const own = (orUndefined(() => readdirSync(path)) ?? []).filter((name) => names.test(name));
  if (own.length === 0) return inspect(path, holds).filter(({ ownerId }) => ownerId !== undefined);
  return [...inspect(path, holds), ...own.flatMap((name) => inspect(join(path, name), holds))];
}

function exposedPath(path: string, userId: number, holds: ExposedPath['holds']): ExposedPath[] {
  const found = orUndefined(() => statSync(path, { throwIfNoEntry: false }));
  if (found === undefined) return [];
  const isOwnerChecked = holds === 'a key' || holds === 'configuration';
  const ownerId = isOwnerChecked ? foreignOwner(path, found, userId) : undefined;
  if (ownerId === undefined && !(found.uid === userId && canOthersAccess(found.mode))) return [];
  return [{ path, mode: found.mode & 0o777, holds, isDirectory: found.isDirectory(), ownerId }];
}

/** The owner of the file, or of the link to it. */
function foreignOwner(path: string, found: Stats, userId: number): number | undefined {
  const link = orUndefined(() => lstatSync(path, { throwIfNoEntry: false }));
  return [link?.uid, found.uid].find((ownerId) => ownerId !== undefined && isForeignOwner(ownerId, userId));
}

/** Returns `undefined` on an error, such as denied access. */
function orUndefined<T>(work: () => T): T | undefined {
  try {
    return work();
  } catch {
    return undefined;
  }
}
