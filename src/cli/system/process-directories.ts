import { devNull, homedir, userInfo } from 'node:os';
import { isAbsolute, join } from 'node:path';

/** Where nothing can be read, and nothing written. */
const NOWHERE = join(devNull, 'home');

/**
 * The person's own directory: what the environment says, else what the system knows of the user. An empty or a relative
 * `HOME` counts as none, lest the files of the current directory pass for the person's own.
 *
 * @returns a place where nothing can be, where neither says.
 */
export function homeDirectory(says: readonly (() => string)[] = [homedir, ofUser]): string {
  for (const say of says) {
    try {
      const directory = say();
      if (isAbsolute(directory)) return directory;
    } catch {
      // The system does not know this user.
    }
  }
  return NOWHERE;
}

/** The current directory, or `undefined` where it has been deleted. */
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
