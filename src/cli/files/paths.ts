import { isAbsolute, join } from 'node:path';
import { type Context, variable } from '../system/context.js';

/** What the places of a person's files hang on. */
export type PathContext = Pick<Context, 'env' | 'homeDirectory' | 'platform'>;

/**
 * Where the person's configuration lives: `PETSTORE_CONFIG_DIR`, else `petstore` under an absolute `XDG_CONFIG_HOME`,
 * else the system's own place.
 */
export function configDirectory(context: PathContext): string {
  const named = variable(context, 'PETSTORE_CONFIG_DIR') ?? sharedDirectory(context, 'XDG_CONFIG_HOME');
  if (named !== undefined) return named;
  const { homeDirectory, platform } = context;
  if (platform === 'darwin') return join(homeDirectory, 'Library', 'Preferences', 'petstore');
  if (platform === 'win32')
    return join(variable(context, 'APPDATA') ?? join(homeDirectory, 'AppData', 'Roaming'), 'petstore');
  return join(homeDirectory, '.config', 'petstore');
}

/** The person's own configuration. */
export function configPath(context: PathContext): string {
  return join(configDirectory(context), 'config.json');
}

/**
 * Where the program keeps what it may forget: `PETSTORE_STATE_DIR`, else `petstore` under an absolute `XDG_STATE_HOME`,
 * else the system's own place.
 */
export function stateDirectory(context: PathContext): string {
  const named = variable(context, 'PETSTORE_STATE_DIR') ?? sharedDirectory(context, 'XDG_STATE_HOME');
  if (named !== undefined) return named;
  const { homeDirectory, platform } = context;
  if (platform === 'darwin')
    return join(homeDirectory, 'Library', 'Application Support', 'petstore', 'state');
  if (platform === 'win32') {
    const local = variable(context, 'LOCALAPPDATA') ?? join(homeDirectory, 'AppData', 'Local');
    return join(local, 'petstore', 'state');
  }
  return join(homeDirectory, '.local', 'state', 'petstore');
}

/** Where compiled code is kept; `undefined` where no place of the person's own is known. */
export function compileCacheDirectory(context: Pick<PathContext, 'env' | 'platform'>): string | undefined {
  const shared = sharedDirectory(context, 'XDG_CACHE_HOME');
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

/** By the XDG base directory specification, to which a relative path is invalid and to be ignored. */
function sharedDirectory(context: Pick<PathContext, 'env'>, name: string): string | undefined {
  const shared = variable(context, name);
  return shared !== undefined && isAbsolute(shared) ? join(shared, 'petstore') : undefined;
}
