import { expect, test } from 'vitest';
import { annotation } from '../../../../src/cli/settings/config/annotation.js';
import { ENV, runFake } from '../../../support/fake-context.js';
import { temporaryFolder } from '../../../support/temporary-folder.js';

const GITHUB = { ...ENV, PETSTORE_ANNOTATIONS: 'github' };

test('annotates an error only if PETSTORE_ANNOTATIONS is set', async () => {
  const responses = [
    { status: 401, body: '{"code":"c","message":"bad\\n::set-env::key, 100%","status":401}' },
  ];
  const plain = await runFake('pets list', { responses });
  expect(plain.stderr).not.toMatch(/^::/m);
  const { exitCode, stdout, stderr } = await runFake('pets list', { responses, env: GITHUB });
  expect({ exitCode, stdout }).toEqual({ exitCode: 3, stdout: '' });
  expect(stderr.startsWith(plain.stderr)).toBe(true);
  expect(stderr.slice(plain.stderr.length)).toMatch(
    /^::error title=petstore%3A exit code 3::bad[^\n]*::set-env::key, 100%25[^\n]*%0Ahint: [^\n]+\n$/,
  );
});

test('keeps a JSON error on a line of its own', async () => {
  const { stderr } = await runFake('pets list --limit 0 --json', { env: GITHUB });
  const [json, line, end] = stderr.split('\n');
  expect(JSON.parse(json!)).toMatchObject({ error: { exitCode: 2 } });
  expect(line).toMatch(/^::error title=/);
  expect(end).toBe('');
});

test('annotates a warning', async () => {
  const body = '{"id":1,"name":"Rex","categoryId":7,"status":"adopted"}';
  const world = { responses: [{ body }], env: GITHUB };
  const { exitCode, stderr } = await runFake('pets get 1 --via get', world);
  expect(exitCode).toBe(0);
  expect(stderr).toContain(
    '\n::warning title=petstore::The service returned the unknown pet status "adopted".\n',
  );
  expect((await runFake('pets get 1 --via get --quiet', world)).stderr).toBe('');
});

test('escapes line breaks of a message as %0A', async () => {
  const { stderr } = await runFake(['pets', 'list', '--query', 'a = b'], { env: GITHUB });
  const line = stderr.split('\n').find((text) => text.startsWith('::'));
  expect(line).toContain('::Invalid --query: unexpected "="%0Ahint: ');
  expect(line).not.toContain('^J');
});

test('annotates the checks of doctor that failed', async () => {
  const env = { ...GITHUB, PETSTORE_API_KEY: '' };
  const { exitCode, stderr } = await runFake('doctor --offline -v', { env });
  expect(exitCode).toBe(1);
  expect(stderr).toBe(
    '::error title=petstore doctor::key: no API key configured\nexit code: 1 (petstore help exit-codes)\n',
  );
});

test('a failed check of a domain names what blocks', async () => {
  const line = 'domain verify missing.example.test --target cname.example.net --mock';
  const { exitCode, stderr } = await runFake(line, { env: GITHUB });
  expect(exitCode).toBe(1);
  expect(stderr).toMatch(
    /^::error title=missing\.example\.test%3A action required::[^\n]*has no record yet\.[^\n]*\n$/m,
  );
  expect(stderr).not.toContain('ended with exit code');
});

test('names the lines of a file', async () => {
  const folder = temporaryFolder({ 'new,pets.csv': 'name,categoryId\nRex,1\n,x\n,2\n' });
  const world = { currentDirectory: folder, env: GITHUB };
  const { exitCode, stderr } = await runFake(['pets', 'import', 'new,pets.csv'], world);
  expect(exitCode).toBe(2);
  const lines = stderr.split('\n').filter((line) => line.startsWith('::'));
  expect(lines.length).toBeGreaterThan(1);
  for (const line of lines)
    expect(line).toMatch(
      /^::error file=new%2Cpets\.csv,line=[34],(?:col=\d+,)?title=petstore%3A exit code 2::new,pets\.csv:[34][^\n]*%0Ahint: /,
    );
});

test('names the line of a configuration file that is not JSON', async () => {
  const folder = temporaryFolder({ 'petstore.config.json': '{\n  "baseUrl": x\n}\n' });
  const { exitCode, stderr } = await runFake('pets list', { currentDirectory: folder, env: GITHUB });
  expect(exitCode).toBe(2);
  expect(stderr).toMatch(
    /^::error file=[^,]*petstore\.config\.json,line=2,col=14,title=petstore%3A exit code 2::/m,
  );
});

test.each([
  ['a value of the wrong type', { baseUrl: 1 }],
  ['an unknown field', { bseUrl: 'https://pets.test/v1' }],
  ['an invalid address', { baseUrl: 'pets.test' }],
  ['an address that is too long', { baseUrl: `https://pets.test/${'/'.repeat(2_000)}` }],
  ['a key', { apiKey: 'secret' }],
])('names the project file that has %s', async (_, content) => {
  const folder = temporaryFolder({ 'petstore.config.json': content });
  const env = { PETSTORE_ANNOTATIONS: 'github', PETSTORE_API_KEY: 'test-key' };
  const { exitCode, stderr } = await runFake('pets list', { currentDirectory: folder, env });
  expect(exitCode).toBe(2);
  expect(stderr).toMatch(/^::error file=[^,]*petstore\.config\.json,title=petstore%3A exit code 2::/m);
});

test.each([
  ['an unknown output format', { output: 'jsno' }],
  ['an invalid address', { baseUrl: 'ftp://pets.test' }],
])('names the config.json that has %s', async (_, profile) => {
  const folder = temporaryFolder({ 'config.json': { profile: 'shop', profiles: { shop: profile } } });
  const env = { PETSTORE_ANNOTATIONS: 'github', PETSTORE_API_KEY: 'test-key', PETSTORE_CONFIG_DIR: folder };
  const { exitCode, stderr } = await runFake('pets list', { env });
  expect(exitCode).toBe(2);
  expect(stderr).toMatch(/^::error file=[^,]*config\.json,title=petstore%3A exit code 2::/m);
});

test('escapes properties and messages as @actions/core does', () => {
  expect(annotation('error', 'a:b,c%d', '50%\r\n::x', { file: 'C:\\a,b', line: 3 })).toBe(
    '::error file=C%3A\\a%2Cb,line=3,title=a%3Ab%2Cc%25d::50%25%0D%0A::x\n',
  );
});

test('rejects an unknown service', async () => {
  const env = { ...ENV, PETSTORE_ANNOTATIONS: 'gitlab' };
  const { exitCode, stderr, requests } = await runFake('pets list', { env });
  expect({ exitCode, requests }).toEqual({ exitCode: 2, requests: [] });
  expect(stderr).not.toMatch(/^::/m);
});
