import { chmodSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { completionSources } from '../../src/cli/commands/completion/completion-sources.js';
import { changeOwner } from '../support/change-owner.js';
import { ENV, type Outcome, runFake, type World } from '../support/fake-context.js';
import { temporaryFolder } from '../support/temporary-folder.js';

/** A folder that all users can write, with a configuration and a state directory in it, each safe by itself. */
function setUp() {
  const config = { profile: 'shop', profiles: { shop: { baseUrl: 'https://evil.test/v1' } } };
  const folder = temporaryFolder({ 'config/config.json': config, 'state/seen-pets.json': '[]' });
  for (const name of ['config', 'state']) chmodSync(join(folder, name), 0o700);
  chmodSync(folder, 0o777);
  const env = { PETSTORE_CONFIG_DIR: join(folder, 'config'), PETSTORE_STATE_DIR: join(folder, 'state') };
  return { folder, env, path: join(folder, 'config', 'config.json') };
}

const warnings = ({ stderr }: Outcome): string[] =>
  stderr.split('\n').filter((line) => line.startsWith('warning:'));

describe.skipIf(process.platform === 'win32')('folders that other users can replace', () => {
  test.each(['pets list', 'pets list --all', 'limits', 'auth status'])(
    '"%s" sends no key to the address in their configuration',
    async (line) => {
      const { env } = setUp();
      const key = { PETSTORE_API_KEY: 'sk-secret', PETSTORE_GATE: 'file' };
      expect(await runFake(line, { env: { ...env, ...key } })).toMatchObject({ requests: [], exitCode: 2 });
    },
  );

  test('are not used, with one warning', async () => {
    const { folder, env } = setUp();
    const world: World = { env: { ...ENV, ...env, PETSTORE_GATE: 'file' }, terminals: ['stdout'] };
    const body = '[{"id":7,"name":"Rex","categoryId":3,"status":"available"}]';
    const outcome = await runFake('pets list', { ...world, responses: [{ body }] });
    expect(outcome).toMatchObject({ exitCode: 0, requests: [{ path: '/v1/pets' }] });
    expect(warnings(outcome)).toEqual([
      `warning: The stored configuration and state can't be used: other users can write ${folder} (0777). Run "petstore doctor" for help.`,
    ]);
    expect(readdirSync(join(folder, 'state'))).toEqual(['seen-pets.json']);
    expect(readFileSync(join(folder, 'state', 'seen-pets.json'), 'utf8')).toBe('[]');
  });

  test('of state keep a budget that can not be cleared', async () => {
    const { env } = setUp();
    const outcome = await runFake('limits --reset', { env: { ...ENV, ...env, PETSTORE_GATE: 'file' } });
    expect(outcome).toMatchObject({ exitCode: 2, stdout: '' });
    expect(outcome.stderr).toContain("error: Can't clear the stored rate budget, because");
  });

  test('of state do not keep the notice of a deprecated route, and no journal', async () => {
    const { folder, env } = setUp();
    const world: World = { env: { ...ENV, ...env }, responses: [{ status: 404 }] };
    expect(warnings(await runFake('pets get 7 --via get', world))).toHaveLength(2);
    const imported = await runFake('pets import -', { ...world, stdin: 'name,category\nRex,3\n' });
    expect(imported).toMatchObject({ exitCode: 2, requests: [] });
    expect(imported.stderr).toContain(`other users can write ${folder}`);
    expect(readdirSync(join(folder, 'state'))).toEqual(['seen-pets.json']);
  });

  test('have no effect with --mock, and no warning', async () => {
    const { env } = setUp();
    expect(await runFake('pets list --limit 3 --mock', { env })).toMatchObject({ exitCode: 0, stderr: '' });
  });

  test.each([
    'pets list --profile shop',
    'config list',
    'config set baseUrl https://a.test',
    'auth list',
    'auth login --with-key --base-url https://a.test',
  ])('"%s" names the folder and changes nothing', async (line) => {
    const { folder, env, path } = setUp();
    const before = readFileSync(path, 'utf8');
    const { exitCode, stderr, requests } = await runFake(line, { env, stdin: 'sk-new' });
    expect({ exitCode, requests }).toEqual({ exitCode: 2, requests: [] });
    expect(stderr).toContain(
      `error: ${join(folder, 'config')} is not used, because other users can write ${folder} (0777)`,
    );
    expect(stderr).toContain('hint: Set PETSTORE_CONFIG_DIR to a folder that only you can write');
    expect(readFileSync(path, 'utf8')).toBe(before);
    expect(readdirSync(join(folder, 'config'))).toEqual(['config.json']);
  });

  test('get no first configuration', async () => {
    const { folder, env, path } = setUp();
    rmSync(path);
    const { exitCode, stderr } = await runFake('config set output json --profile new', { env });
    expect({ exitCode, stderr }).toMatchObject({
      exitCode: 2,
      stderr: expect.stringContaining('is not used'),
    });
    expect(readdirSync(join(folder, 'config'))).toEqual([]);
  });

  test('offer nothing for completion', async () => {
    const { folder, env, path } = setUp();
    const sources = completionSources({
      env,
      homeDirectory: '',
      platform: 'linux',
      currentDirectory: folder,
    });
    writeFileSync(join(folder, 'state', 'seen-pets.json'), '[["7","Rex"]]');
    expect([await sources.profiles(), await sources.pets()]).toEqual([[], []]);
    chmodSync(folder, 0o700);
    expect([await sources.profiles(), await sources.pets()]).toEqual([
      ['shop'],
      [{ value: '7', summary: 'Rex' }],
    ]);
    expect(readFileSync(path, 'utf8')).toContain('shop');
  });

  test('are reported by doctor, with an advice that takes them from nobody', async () => {
    const { folder, env } = setUp();
    const run = async (userId?: number): Promise<Record<string, unknown>[]> => {
      const world = {
        env: { ...ENV, ...env, PETSTORE_GATE: 'file' },
        ...(userId === undefined ? {} : { userId }),
      };
      const { stdout, exitCode } = await runFake('doctor --json --offline', world);
      expect(exitCode).toBe(1);
      return (JSON.parse(stdout) as { checks: Record<string, unknown>[] }).checks;
    };
    const checks = await run();
    expect(checks).toContainEqual(
      expect.objectContaining({
        id: 'permissions',
        state: 'failed',
        finding: expect.stringContaining(
          `other users can write ${folder} (0777): no folder is used for configuration`,
        ),
        remedy: `Set PETSTORE_CONFIG_DIR to a folder that only you can write, or run: chmod go-w ${folder}`,
      }),
    );
    expect(checks).toContainEqual(
      expect.objectContaining({
        id: 'state',
        state: 'warn',
        finding: `other users can write ${folder} (0777), so each process keeps its own rate budget`,
      }),
    );
    const { uid } = statSync(folder);
    const foreign = await run(changeOwner(folder));
    expect(foreign).toContainEqual(
      expect.objectContaining({
        id: 'permissions',
        finding: expect.stringContaining('belongs to another user'),
        remedy: expect.stringMatching(/^(Use sudo -H|Set PETSTORE_CONFIG_DIR)/),
      }),
    );
    expect(JSON.stringify(foreign)).not.toContain('chown');
    expect(uid).toBe(process.geteuid?.());
  });
});

test.skipIf(process.platform === 'win32')('a state directory in a folder such as /tmp is used', async () => {
  const folder = temporaryFolder();
  chmodSync(folder, 0o1777);
  mkdirSync(join(folder, 'state'), { mode: 0o700 });
  const env = { ...ENV, PETSTORE_GATE: 'file', PETSTORE_STATE_DIR: join(folder, 'state') };
  expect(warnings(await runFake('pets list', { env }))).toEqual([]);
  expect(readdirSync(join(folder, 'state', 'gate'))).toHaveLength(1);
});
