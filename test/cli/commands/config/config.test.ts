import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, expect, test } from 'vitest';
import { runFake } from '../../../support/fake-context.js';
import { temporaryFolder } from '../../../support/temporary-folder.js';

let folder: string;
let env: Record<string, string>;
beforeEach(() => {
  folder = temporaryFolder({
    'config.json': { profile: 'shop', profiles: { shop: { baseUrl: 'https://a.test/v1' }, staging: {} } },
  });
  env = { PETSTORE_CONFIG_DIR: folder };
});

const run = (line: string) => runFake(line, { env });
const content = (): unknown => JSON.parse(readFileSync(join(folder, 'config.json'), 'utf8'));

test('set writes a valid value into the selected profile', async () => {
  expect(await run('config set output json')).toMatchObject({ exitCode: 0, stdout: '', stderr: '' });
  await run('config set stagingUrl https://b.test/v1 --profile staging');
  await run('config set color never --profile new');
  await run('config set profile staging');
  await run('config set trustedUrls https://c.test/v1 --profile staging');
  await run('config set trustedUrls https://c.test --profile staging');
  expect(content()).toEqual({
    profile: 'staging',
    profiles: {
      shop: { baseUrl: 'https://a.test/v1', output: 'json' },
      staging: { stagingUrl: 'https://b.test/v1', trustedUrls: ['https://c.test'] },
      new: { color: 'never' },
    },
  });
});

test('unset removes a setting', async () => {
  await run('config set output json');
  await run('config unset output');
  await run('config unset profile');
  expect(content()).toEqual({ profiles: { shop: { baseUrl: 'https://a.test/v1' }, staging: {} } });
});
