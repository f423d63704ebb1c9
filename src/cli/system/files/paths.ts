import { isAbsolute, join } from 'node:path';
import { type Context, variable } from '../context.js';

export { stateDirectory } from '../../../security/state-directory.js';

/** What the paths of the user's files depend on. */
export type PathContext = Pick<Context, 'env' | 'homeDirectory' | 'platform'>;

/**
 * The directory of `config.json`: `PETSTORE_CONFIG_DIR`, otherwise `petstore` in an absolute `XDG_CONFIG_HOME`, otherwise
 * the platform's directory.
 */
export function configDirectory(context: PathContext): string {
  const named = variable(context, 'PETSTORE_CONFIG_DIR') ?? xdgDirectory(context, 'XDG_CONFIG_HOME');
  if (named !== undefined) return named;
  const { homeDirectory, platform } = context;
  if (platform === 'darwin') return join(homeDirectory, 'Library', 'Preferences', 'petstore');
  if (platform === 'win32')
    return join(variable(context, 'APPDATA') ?? join(homeDirectory, 'AppData', 'Roaming'), 'petstore');
  return join(homeDirectory, '.config', 'petstore');
}

export function configPath(context: PathContext): string {
  return join(configDirectory(context), 'config.json');
}

/** The directory of the compile cache; `undefined` if the user's home directory is unknown, or if there is to be no cache. */
export function compileCacheDirectory(context: Pick<PathContext, 'env' | 'platform'>): string | undefined {
  // As in every Node program.
  if (variable(context, 'NODE_DISABLE_COMPILE_CACHE') !== undefined) return undefined;
  const shared = xdgDirectory(context, 'XDG_CACHE_HOME');
  if (shared !== undefined) return join(shared, 'compiled');
  if (context.platform === 'win32') {
    const local = variable(context, 'LOCALAPPDATA');
    return local === undefined || !isAbsolute(local)
      ? undefined
      : join(local, 'petstore', 'Cache', 'compiled');
  }
  const home = variable(context, 'HOME');
  if (home === undefined || !isAbsolute(home)) return undefined;
  const caches = context.platform === 'darwin' ? join('Library', 'Caches') : '.cache';
  return join(home, caches, 'petstore', 'compiled');
}

/** The XDG Base Directory Specification says that relative paths must be ignored. */
function xdgDirectory(context: Pick<PathContext, 'env'>, name: string): string | undefined {
  const shared = variable(context, name);
  return shared !== undefined && isAbsolute(shared) ? join(shared, 'petstore') : undefined;
}
