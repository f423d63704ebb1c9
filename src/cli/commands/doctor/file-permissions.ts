import { statSync } from 'node:fs';
import type { Context } from '../../system/context.js';
import { canOthersWrite } from '../../../security/private-folder.js';
import { canOthersAccess, findUnsafeFolders, type UnsafeFolder } from '../../system/files/ownership.js';
import { configPath } from '../../system/files/paths.js';
import { shellWord } from '../../errors/shell-word.js';
import { findKeyFiles } from '../../settings/credentials/key-file.js';
import { type Result, Skipped } from './check.js';

/**
 * Finds folders that are not used because other users can change them, and files that others can access. A file of
 * another user is an error of the check that reads it.
 *
 * @throws Skipped if the system has no file modes.
 */
export function checkPermissions(context: Context): Result {
  const { userId, platform } = context;
  if (userId === undefined || platform === 'win32') throw new Skipped('this system has no file modes');
  const [unsafe] = findUnsafeFolders(context);
  if (unsafe !== undefined && unsafe.holds !== 'compile cache') return unsafeResult('failed', unsafe);
  const keyFiles = findKeyFiles(context);
  const exposed = [configPath(context), ...keyFiles].filter((path) => canOthersAccess(modeOf(path, userId)));
  const [first] = exposed;
  // Every command works without a compile cache.
  if (first === undefined && unsafe !== undefined) return unsafeResult('warn', unsafe);
  if (first === undefined) return { state: 'ok', finding: 'only you can access keys and configuration' };
  // Other users must not read a key, and not change settings, which decide where keys are sent.
  const isDangerous = exposed.some((path) => keyFiles.includes(path) || canOthersWrite(modeOf(path, userId)));
  const more = exposed.length === 1 ? '' : `, and ${String(exposed.length - 1)} more`;
  return {
    state: isDangerous ? 'failed' : 'warn',
    finding: `${first} can be accessed by other users (0${modeOf(first, userId).toString(8)})${more}`,
    remedy: `chmod 600 ${exposed.map(shellWord).join(' ')}`,
  };
}

function unsafeResult(state: Result['state'], unsafe: UnsafeFolder): Result {
  const finding = `${unsafe.error.message}: no folder is used for ${unsafe.holds}`;
  return { state, finding, remedy: otherFolder(unsafe) };
}

/** Where the folders are named. */
const VARIABLES: Readonly<Record<UnsafeFolder['holds'], string>> = {
  configuration: 'PETSTORE_CONFIG_DIR',
  state: 'PETSTORE_STATE_DIR',
  'compile cache': 'XDG_CACHE_HOME',
};

/** Changes no owner: the folder may be the home directory of another user. Others may need to write to one above. */
function otherFolder({ holds, error: { path, ownerId } }: UnsafeFolder): string {
  const other = `Set ${VARIABLES[holds]} to a folder that only you can write`;
  return ownerId === undefined ? `${other}, or run: chmod go-w ${shellWord(path)}` : `${other}.`;
}

/** Permission bits; 0 if they can't be read. Also 0 for a file of another user, such as root: chmod 600 would hide it. */
function modeOf(path: string, userId: number): number {
  try {
    const { uid, mode } = statSync(path);
    return uid === userId ? mode & 0o777 : 0;
  } catch {
    return 0;
  }
}
