import { isAbsolute, join } from 'node:path';
import { type Context, variable } from './context.js';

/**
 * Where the program keeps what it may forget: `PETSTORE_STATE_DIR`, else `petstore` under an absolute `XDG_STATE_HOME`,
 * else the system's own place.
 */
export function stateDirectory(context: Pick<Context, 'env' | 'homeDirectory' | 'platform'>): string {
  const own = variable(context, 'PETSTORE_STATE_DIR');
  if (own !== undefined) return own;
  const shared = variable(context, 'XDG_STATE_HOME');
  // The XDG base directory specification: a relative path is invalid and to be ignored.
  if (shared !== undefined && isAbsolute(shared)) return join(shared, 'petstore');
  const { homeDirectory, platform } = context;
  if (platform === 'darwin')
    return join(homeDirectory, 'Library', 'Application Support', 'petstore', 'state');
  if (platform === 'win32') {
    return join(
      variable(context, 'LOCALAPPDATA') ?? join(homeDirectory, 'AppData', 'Local'),
      'petstore',
      'state',
    );
  }
  return join(homeDirectory, '.local', 'state', 'petstore');
}
