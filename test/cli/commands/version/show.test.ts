import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { runFake } from '../../../support/fake-context.js';
import { temporaryFolder } from '../../../support/temporary-folder.js';

const { version } = JSON.parse(readFileSync('package.json', 'utf8'));

test('one plain line', async () => {
  expect(await runFake('version')).toMatchObject({ exitCode: 0, stdout: `${version}\n`, stderr: '' });
});

test('--json says where it runs', async () => {
  const { stdout } = await runFake('version --json', { env: { PETSTORE_CONFIG_DIR: '/own' } });
  expect(JSON.parse(stdout)).toEqual({
    version,
    node: 'v22.13.0',
    platform: 'linux',
    configDirectory: '/own',
  });
});

test('a broken configuration does not hide the version', async () => {
  const currentDirectory = temporaryFolder({ 'petstore.config.json': '{' });
  expect(await runFake('version', { currentDirectory })).toMatchObject({
    exitCode: 0,
    stdout: `${version}\n`,
  });
});
