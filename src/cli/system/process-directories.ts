import { statSync } from 'node:fs';
import { devNull, homedir, userInfo } from 'node:os';
import { isAbsolute, join } from 'node:path';

/** A path that can't exist. */
const NOWHERE = join(devNull, 'home');

/**
 * The home directory of the user: from the environment, otherwise from the system. An empty or relative `HOME` counts as
 * not set, so that files of the current directory are not used as the user's own. Service accounts have a home directory
 * that does not exist, and nothing must create it.
 *
 * @returns a path that can't exist if there is no home directory.
 */
export function homeDirectory(
  sources: readonly (() => string)[] = [homedir, ofUser],
  isDirectory: (path: string) => boolean = isExistingDirectory,
): string {
  for (const source of sources) {
    try {
      const directory = source();
      if (isAbsolute(directory)) return isDirectory(directory) ? directory : NOWHERE;
    } catch {
      // The system does not know this user.
    }
  }
  return NOWHERE;
}

/** Whether a path is in the home directory of a user without one. */
export function hasNoHome(path: string): boolean {
  return path.startsWith(NOWHERE);
}

function isExistingDirectory(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() === true;
}

/** The current directory; `undefined` if it has been deleted. */
export function currentDirectory(host: Pick<NodeJS.Process, 'cwd'>): string | undefined {
  try {
    return host.cwd();
  } catch {
    return undefined;
  }
}

function ofUser(): string {
  return userInfo().homedir;
}
