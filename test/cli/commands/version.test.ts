import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { runFake } from '../../support/fake-context.js';
import { temporaryFolder } from '../../support/temporary-folder.js';

const { version } = JSON.parse(readFileSync('package.json', 'utf8'));

test('prints one plain line', async () => {
  expect(await runFake('version')).toMatchObject({ exitCode: 0, stdout: `${version}\n`, stderr: '' });
});

test('prints runtime and platform with --json', async () => {
  const { stdout } = await runFake('version --json', {
    env: { PETSTORE_CONFIG_DIR: '/own' },
    runtime: 'Bun 1.4.4',
  });
  expect(JSON.parse(stdout)).toEqual({
    version,
    // Only a build of a checkout knows it: see test/package.test.ts.
    commit: null,
    runtime: 'Bun 1.4.4',
    node: 'v22.13.0',
    platform: 'linux',
    configPath: join('/own', 'config.json'),
  });
});

test('a broken configuration does not hide the version', async () => {
  const currentDirectory = temporaryFolder({ 'petstore.config.json': '{' });
  expect(await runFake('version', { currentDirectory })).toMatchObject({
    exitCode: 0,
    stdout: `${version}\n`,
  });
});
