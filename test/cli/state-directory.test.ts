import { expect, test } from 'vitest';
import { stateDirectory } from '../../src/cli/state-directory.js';

const linux = { env: {}, homeDirectory: '/home/ada', platform: 'linux' };

test.each([
  [linux, '/home/ada/.local/state/petstore'],
  [{ ...linux, env: { XDG_STATE_HOME: '/state' } }, '/state/petstore'],
  [{ ...linux, env: { XDG_STATE_HOME: 'relative' } }, '/home/ada/.local/state/petstore'],
  [{ ...linux, env: { XDG_STATE_HOME: '/state', PETSTORE_STATE_DIR: '/own' } }, '/own'],
  [{ ...linux, env: { PETSTORE_STATE_DIR: '' } }, '/home/ada/.local/state/petstore'],
  [{ ...linux, platform: 'darwin' }, '/home/ada/Library/Application Support/petstore/state'],
  [{ ...linux, platform: 'win32', env: { LOCALAPPDATA: '/local' } }, '/local/petstore/state'],
])('of %j is %s', (context, directory) => {
  expect(stateDirectory(context)).toBe(directory);
});
