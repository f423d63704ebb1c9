import { nodeModule } from '../node-module.js';

const nodePath = nodeModule('node:path');

/** What the directory depends on. */
export interface StateLocation {
  env: Readonly<Record<string, string | undefined>>;
  homeDirectory: string;
  platform: string;
}

/**
 * The directory of the rate budget and other state: `PETSTORE_STATE_DIR`, otherwise `petstore` in an absolute
 * `XDG_STATE_HOME`, otherwise the platform's directory. An empty variable counts as unset.
 */
export function stateDirectory({ env, homeDirectory, platform }: StateLocation): string {
  const { join, isAbsolute } = nodePath;
  const named = env.PETSTORE_STATE_DIR ?? '';
  if (named !== '') return named;
  const shared = env.XDG_STATE_HOME ?? '';
  // The XDG Base Directory Specification says that relative paths must be ignored.
  if (isAbsolute(shared)) return join(shared, 'petstore');
  if (platform === 'darwin')
    return join(homeDirectory, 'Library', 'Application Support', 'petstore', 'state');
  if (platform === 'win32')
    return join(env.LOCALAPPDATA || join(homeDirectory, 'AppData', 'Local'), 'petstore', 'state');
  return join(homeDirectory, '.local', 'state', 'petstore');
}
