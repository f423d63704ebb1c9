import { chmodSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { authIn } from '../../../support/auth.js';

const { logIn, place, run } = authIn();

test('a configuration that others could write to is told of once', async () => {
  await logIn();
  chmodSync(join(place.folder, 'config.json'), 0o666);
  expect((await run('pets list')).stderr).toMatch(/^warning: others could write to .* \(0666\) until now/);
  expect((await run('pets list')).stderr).toBe('');
});

test.each([
  ...['auth switch default', 'config set output json', 'config set profile default', 'config unset output'],
  ...['config set output json --dry-run', 'config get profile', 'auth logout'],
])('and so by %s, which closes it', async (line) => {
  await logIn();
  const path = join(place.folder, 'config.json');
  chmodSync(path, 0o666);
  const { exitCode, stderr } = await run(line);
  expect(exitCode).toBe(0);
  expect(stderr.match(/warning: others could write to .* \(0666\) until now/g)).toHaveLength(1);
  expect(statSync(path).mode & 0o022).toBe(0);
});
