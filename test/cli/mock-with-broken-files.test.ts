import { describe, expect, test } from 'vitest';
import { runFake } from '../support/fake-context.js';
import { temporaryFolder } from '../support/temporary-folder.js';

const CONFIG = { profile: 'shop', profiles: { shop: { baseUrl: 'https://pets.test/v1', keyIn: 'file' } } };

/** Files that break commands without --mock. */
const BROKEN: Readonly<Record<string, Readonly<Record<string, unknown>>>> = {
  'a project file that is not JSON': { 'petstore.config.json': '{bad' },
  'a project file with an unknown field': { 'petstore.config.json': { bseUrl: 'x' } },
  'a project file with an invalid address': {
    'petstore.config.json': { baseUrl: `https://pets.test${'/'.repeat(200_000)}` },
  },
  'a config.json that is not JSON': { 'config/config.json': '{bad' },
  'a config.json of the wrong shape': { 'config/config.json': { profiles: [] } },
  'an empty config.json': { 'config/config.json': '' },
  'a key file that is not JSON': { 'config/config.json': CONFIG, 'config/keys.json': '{bad' },
};

const DOMAIN = 'shop.example.test --target cname.example.net';

describe.each(Object.keys(BROKEN))('with %s', (name) => {
  test.each([
    'pets list',
    'pets create --name Rex --category 7',
    'pets get 1 --via list',
    'pets export',
    'api /pets',
    'limits',
    `domain verify ${DOMAIN}`,
    `domain records ${DOMAIN}`,
  ])('%s --mock works as without it', async (line) => {
    const folder = temporaryFolder(BROKEN[name]);
    const env = { PETSTORE_CONFIG_DIR: `${folder}/config` };
    const broken = await runFake(`${line} --mock`, { currentDirectory: folder, env });
    const empty = temporaryFolder({});
    const clean = await runFake(`${line} --mock`, {
      currentDirectory: empty,
      env: { PETSTORE_CONFIG_DIR: `${empty}/config` },
    });
    expect(broken.stderr).not.toContain('error:');
    expect(broken.exitCode).toBe(clean.exitCode);
  });
});
