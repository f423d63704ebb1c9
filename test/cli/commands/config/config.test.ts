import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, expect, test } from 'vitest';
import { runFake, type World } from '../../../support/fake-context.js';
import { temporaryFolder } from '../../../support/temporary-folder.js';

let folder: string;
let env: Record<string, string>;
beforeEach(() => {
  folder = temporaryFolder({
    'config.json': { profile: 'shop', profiles: { shop: { baseUrl: 'https://a.test/v1' }, staging: {} } },
  });
  env = { PETSTORE_CONFIG_DIR: folder };
});

const run = (line: string | readonly string[], world: World = {}) => runFake(line, { env, ...world });
const content = (): unknown => JSON.parse(readFileSync(join(folder, 'config.json'), 'utf8'));

test('set writes a valid value into the selected profile', async () => {
  expect(await run('config set output json')).toMatchObject({ exitCode: 0, stdout: '', stderr: '' });
  await run('config set stagingUrl https://b.test/v1 --profile staging');
  await run('config set color never --profile new');
  await run('config set profile staging');
  await run('config set trustedUrls https://c.test/v1');
  await run('config set trustedUrls https://c.test');
  expect(content()).toEqual({
    profile: 'staging',
    profiles: {
      shop: { baseUrl: 'https://a.test/v1', output: 'json' },
      staging: { stagingUrl: 'https://b.test/v1', trustedUrls: ['https://c.test'] },
      new: { color: 'never' },
    },
  });
});

test('without a profile, set and unset use "default", and say so', async () => {
  writeFileSync(join(folder, 'config.json'), '{}');
  const world: World = { terminals: ['stdout'] };
  expect((await run('config unset output', world)).stderr).toBe(
    'profiles.default.output is not set, so nothing changed.\n',
  );
  expect((await run('config set color never', world)).stderr).toBe(
    '✓ Set profiles.default.color to never.\n',
  );
  expect((await run('config get color')).stdout).toBe('never\n');
  expect(content()).toEqual({ profile: 'default', profiles: { default: { color: 'never' } } });
  expect((await run('config unset color', world)).stderr).toBe('✓ Removed profiles.default.color.\n');
});

test.each(['config set output json', 'config unset output'])(
  '%s asks for a profile if none of several is selected',
  async (line) => {
    await run('config unset profile');
    const { exitCode, stderr } = await run(line);
    expect({ exitCode, stderr }).toEqual({
      exitCode: 2,
      stderr: 'error: No profile selected\nhint: Pass --profile NAME. Profiles: shop, staging.\n',
    });
  },
);

test.each([
  ['config set output jsn', /Did you mean "json"\?/],
  ['config set ouptut json', /Did you mean "output"\?/],
  ['config set color sometimes', /auto, always, never/],
  ['config set baseUrl a.test', /must start with https/],
  ['config set baseUrl https://u:p@a.test/v1', /user name or password/],
  ['config set profile shpo', /Did you mean "shop"\?/],
  ['config set apiKey sk-1', /petstore auth login/],
  ['config set api_key sk-1', /does not belong in the configuration/],
  ['config set bearer sk-1', /does not belong in the configuration/],
  ['config set keyIn file', /Unknown setting/],
  ['config unset output --profile nobody', /Profile .* not found/],
  ['config set output json --profile ../x', /Invalid profile name/],
  ['config get basUrl', /Did you mean "baseUrl"\?/],
])('refuses %s and changes nothing', async (line, said) => {
  const before = content();
  const { exitCode, stdout, stderr } = await run(line);
  expect({ exitCode, stdout }).toEqual({ exitCode: 2, stdout: '' });
  expect(stderr).toMatch(said);
  expect(stderr).not.toContain('sk-1');
  expect(content()).toEqual(before);
});

test('unset removes a setting', async () => {
  await run('config set output json');
  await run('config unset output');
  await run('config unset profile');
  expect(content()).toEqual({ profiles: { shop: { baseUrl: 'https://a.test/v1' }, staging: {} } });
});

test('get prints the effective value', async () => {
  expect((await run('config get baseUrl')).stdout).toBe('https://a.test/v1\n');
  const shown = async (line: string, world: World) =>
    (await run(`config get ${line} --show-origin`, world)).stdout;
  const file = join(folder, 'config.json');
  expect(await shown('baseUrl', {})).toBe(`https://a.test/v1\tprofile shop in ${file}\n`);
  const byVariable = { env: { ...env, PETSTORE_BASE_URL: 'https://e.test/v1' } };
  expect(await shown('baseUrl', byVariable)).toBe('https://e.test/v1\tPETSTORE_BASE_URL\n');
  expect(await shown('baseUrl --base-url https://f.test/v1', byVariable)).toBe(
    'https://f.test/v1\t--base-url\n',
  );
  const currentDirectory = temporaryFolder({
    'petstore.config.json': { profile: 'staging', baseUrl: 'https://p.test/v1' },
  });
  const project = join(currentDirectory, 'petstore.config.json');
  expect(await shown('baseUrl', { currentDirectory })).toBe(`https://p.test/v1\t${project}\n`);
  expect(await shown('profile', { currentDirectory })).toBe(`staging\t${project}\n`);
  expect(await shown('profile', {})).toBe(`shop\t${file}\n`);
});

test('get of an unset setting: exit code 1, with a hint', async () => {
  const { exitCode, stdout, stderr } = await run('config get stagingUrl');
  expect({ exitCode, stdout }).toEqual({ exitCode: 1, stdout: '' });
  expect(stderr).toContain('petstore config set stagingUrl');
});

test('list shows all settings, with origins in JSON', async () => {
  expect((await run('config list')).stdout).toMatch(
    /^profile\tshop\nbaseUrl\thttps:\/\/a\.test\/v1\nstagingUrl\t\n/,
  );
  const { stdout } = await run('config list --json');
  expect(JSON.parse(stdout)).toContainEqual({
    key: 'profile',
    value: 'shop',
    origin: join(folder, 'config.json'),
  });
});

test.each([
  ['get baseUrl -o json', '"https://a.test/v1"\n'],
  ['get baseUrl -o ndjson', '"https://a.test/v1"\n'],
  ['get baseUrl -o yaml', 'https://a.test/v1\n'],
  ['get baseUrl -o csv', 'https://a.test/v1\r\n'],
  ['get baseUrl -o tsv', 'https://a.test/v1\n'],
  ['get trustedUrls -o json', '["https://c.test","https://d.test"]\n'],
  ['get trustedUrls -o ndjson', '"https://c.test"\n"https://d.test"\n'],
  ['get trustedUrls', 'https://c.test\nhttps://d.test\n'],
  ['get baseUrl --query length(@)', '17\n'],
  ['get baseUrl --show-origin --json value,origin', '{"value":"https://a.test/v1","origin":"--base-url"}\n'],
])('%s', async (line, stdout) => {
  await run('config set trustedUrls https://c.test');
  await run('config set trustedUrls https://d.test');
  const flag = line.includes('--show-origin') ? ['--base-url', 'https://a.test/v1'] : [];
  expect(await run(['config', ...line.split(' '), ...flag])).toMatchObject({
    exitCode: 0,
    stdout,
    stderr: '',
  });
});

test('path prints JSON, also with an invalid file', async () => {
  const path = join(folder, 'config.json');
  const byVariable = { env: { ...env, PETSTORE_OUTPUT: 'json' } };
  expect((await run('config path', byVariable)).stdout).toBe(`${JSON.stringify(path)}\n`);
  writeFileSync(path, '{');
  expect((await run('config path -o json')).stdout).toBe(`${JSON.stringify(path)}\n`);
});

test('get of an unset setting prints nothing in JSON formats', async () => {
  const { exitCode, stdout, stderr } = await run('config get stagingUrl -o json');
  expect({ exitCode, stdout }).toEqual({ exitCode: 1, stdout: '' });
  expect(JSON.parse(stderr)).toMatchObject({ error: { type: 'not-set' } });
});

test.each(['set output json', 'unset baseUrl'])('%s rejects --dry-run and writes nothing', async (line) => {
  const before = content();
  const { exitCode, stderr } = await run(`config ${line} --dry-run`);
  expect({ exitCode, stderr }).toEqual({
    exitCode: 2,
    stderr: expect.stringContaining('has no request to show'),
  });
  expect(content()).toEqual(before);
});

test('warns about a variable that overrides a setting', async () => {
  const world = { env: { ...env, PETSTORE_OUTPUT: 'csv' } };
  expect((await run('config set output json', world)).stderr).toContain(
    'PETSTORE_OUTPUT is set and overrides this setting.',
  );
});

test('reports an invalid file with its line and does not overwrite it', async () => {
  writeFileSync(join(folder, 'config.json'), '{\n  "profile": shop\n}');
  const { exitCode, stderr } = await run('config set output json');
  expect(exitCode).toBe(2);
  expect(stderr).toMatch(/config\.json, line 2, column \d+ is not JSON/);
  expect(readFileSync(join(folder, 'config.json'), 'utf8')).toBe('{\n  "profile": shop\n}');
});

test('trusted addresses without a profile are for keys from the environment', async () => {
  const bare = { env: { PETSTORE_CONFIG_DIR: temporaryFolder() } };
  const origin = join(bare.env.PETSTORE_CONFIG_DIR, 'config.json');
  const shown = async (flags = ''): Promise<string> =>
    (await run(`config get trustedUrls --show-origin ${flags}`, bare)).stdout;
  await run('config set trustedUrls https://b.test/v1', bare);
  await run('config set trustedUrls https://c.test', bare);
  expect(await shown()).toBe(`https://b.test\t${origin}\nhttps://c.test\t${origin}\n`);
  // Of a profile that has its own those are shown, and taken out; else what is there for all.
  await run('config set trustedUrls https://d.test --profile shop', bare);
  expect(await shown()).toBe(`https://d.test\tprofile shop in ${origin}\n`);
  await run('config unset trustedUrls', bare);
  expect(await shown()).toContain('https://b.test');
  await run('config unset trustedUrls', bare);
  expect(JSON.parse(readFileSync(origin, 'utf8'))).toEqual({ profile: 'shop', profiles: { shop: {} } });
  const wrong = await run('config set trustedUrls nonsense', { env: { PETSTORE_CONFIG_DIR: folder } });
  expect(wrong).toMatchObject({ exitCode: 2 });
});

test.each([
  ['config set output json', '✓ Set profiles.shop.output to json.\n'],
  ['config set trustedUrls https://x.test/v1', '✓ Added https://x.test to profiles.shop.trustedUrls.\n'],
  ['config set profile staging', '✓ Set profile to staging.\n'],
  ['config unset baseUrl', '✓ Removed profiles.shop.baseUrl.\n'],
  ['config unset profile', '✓ Removed profile.\n'],
  ['config unset trustedUrls', '✓ Removed trustedUrls.\n'],
  ['config unset output', 'profiles.shop.output is not set, so nothing changed.\n'],
])('%s confirms the change on a terminal', async (line, text) => {
  const folder = temporaryFolder();
  const profiles = { shop: { baseUrl: 'https://pets.test/v1' }, staging: {} };
  const content = { profile: 'shop', trustedUrls: ['https://a.test'], profiles };
  const env = { PETSTORE_CONFIG_DIR: folder, NO_COLOR: '1' };
  const world = { env, terminals: ['stdout', 'stderr'] } as const;
  writeFileSync(join(folder, 'config.json'), JSON.stringify(content));
  expect(await runFake(line, world)).toMatchObject({ exitCode: 0, stdout: '', stderr: text });
});
