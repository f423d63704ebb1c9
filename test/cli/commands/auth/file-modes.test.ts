import { chmodSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { authIn } from '../../../support/auth.js';

const { logIn, setup, run } = authIn();
const modeOf = (path: string): number => statSync(path).mode & 0o777;

test
  .skipIf(process.platform === 'win32')
  .each([
    ...['auth switch default', 'config set output json', 'config set profile default', 'config unset output'],
    ...['config get profile', 'auth list', 'pets list', 'auth status'],
  ])('%s keeps the modes of existing files and directories', async (line) => {
  await logIn();
  const modes = { '.': 0o755, 'config.json': 0o644, keys: 0o755, 'keys/default.key': 0o640 };
  for (const [name, mode] of Object.entries(modes)) chmodSync(join(setup.folder, name), mode);
  expect(await run(line)).toMatchObject({ exitCode: 0 });
  for (const [name, mode] of Object.entries(modes)) expect(modeOf(join(setup.folder, name))).toBe(mode);
});

test.skipIf(process.platform === 'win32')(
  'auth status warns about a key that other users can read',
  async () => {
    await logIn();
    const path = join(setup.folder, 'keys/default.key');
    expect((await run('auth status')).stderr).toContain(`in ${path}. Only its owner can read it.`);
    chmodSync(path, 0o640);
    expect((await run('auth status')).stderr).toContain(`other users can access it. Run: chmod 600 ${path}`);
  },
);
