import { describe, expect, test } from 'vitest';
import { responseAt, doctorIn, NOTHING, NOW } from '../../../support/doctor.js';
import { ENV, runFake, type World } from '../../../support/fake-context.js';
import { temporaryFolder } from '../../../support/temporary-folder.js';

const { doctor, configure, env } = doctorIn();

describe('a valid setup', () => {
  test('runs every check in a fixed order and sends one request', async () => {
    const { checks, ok, exitCode, requests, stdout, stderr } = await doctor();
    expect({ ok, exitCode, stderr }).toEqual({ ok: true, exitCode: 0, stderr: '' });
    expect(checks.map(({ id, state }) => `${id} ${state}`)).toEqual([
      'program ok',
      'settings ok',
      'config ok',
      'project ok',
      'profile ok',
      'base-url ok',
      'key ok',
      'destination ok',
      'permissions ok',
      'state ok',
      'connection ok',
      'service ok',
      'clock ok',
    ]);
    expect(checks.filter(({ remedy }) => remedy !== null)).toEqual([]);
    expect(requests.map(({ method, path }) => `${method} ${path}`)).toEqual(['GET /v1/pets?limit=1']);
    expect(stdout).not.toContain(ENV.PETSTORE_API_KEY);
  });

  test('--offline skips the checks that need the network', async () => {
    const { checks, exitCode, requests } = await doctor({}, '--offline');
    expect({ exitCode, requests }).toEqual({ exitCode: 0, requests: [] });
    const skipped = checks.filter(({ state }) => state === 'skipped');
    expect(skipped.map(({ id, finding }) => `${id} ${finding}`)).toEqual(
      ['connection', 'service', 'clock'].map((id) => `${id} --offline`),
    );
  });

  test('--mock needs no configuration', async () => {
    const { exitCode, found } = await doctor({ env: NOTHING }, '--mock');
    expect(exitCode).toBe(0);
    expect(found('service')).toMatchObject({ state: 'ok' });
    expect(found('base-url')).toMatchObject({ state: 'skipped' });
  });

  test('--curl shows the request', async () => {
    const { exitCode, stdout, requests } = await runFake('doctor --curl', { env: env() });
    expect({ exitCode, sent: requests.length }).toEqual({ exitCode: 0, sent: 0 });
    expect(stdout).toMatch(
      /^curl --disable --compressed 'https:\/\/pets\.test\/v1\/pets\?limit=1' .*\$PETSTORE_API_KEY/,
    );
  });
});

describe('the exit code', () => {
  test.each<[string, number, World]>([
    ['only ok', 0, {}],
    ['a warning', 0, { nodeVersion: 'v18.20.0' }],
    ['a failure', 1, { env: { PETSTORE_API_KEY: '' } }],
  ])('%s: %i', async (_, exitCode, world) => {
    const outcome = await doctor(world);
    expect(outcome).toMatchObject({ exitCode, ok: exitCode === 0 });
    expect((await runFake('doctor -q', { ...world, env: env(world.env) })).exitCode).toBe(exitCode);
  });
});

describe('output', () => {
  const world = (terminals: World['terminals'] = []): World => ({
    responses: [responseAt(NOW)],
    now: NOW,
    env: { ...env({ PETSTORE_API_KEY: '' }), NO_COLOR: '1' },
    terminals,
  });

  test('a table on a terminal, with the remedies below', async () => {
    const { stdout, exitCode } = await runFake('doctor', world(['stdout']));
    expect(exitCode).toBe(1);
    expect(stdout).toMatch(/^STATE +CHECK +FINDING\nok +program +petstore /);
    expect(stdout).toMatch(/\nfailed +key +no API key configured\n/);
    expect(stdout).toMatch(
      /\n\nWhat to do\n {2}key: Run "petstore auth login", or set PETSTORE_API_KEY\.\n$/,
    );
  });

  test('-q shows only checks with a remedy, or nothing', async () => {
    const { stdout } = await runFake('doctor -q', world(['stdout']));
    expect(stdout).toBe(
      'STATE   CHECK  FINDING\nfailed  key    no API key configured\n\nWhat to do\n  key: Run "petstore auth login", or set PETSTORE_API_KEY.\n',
    );
    const well = { ...world(['stdout']), env: env() };
    expect(await runFake('doctor -q', well)).toMatchObject({ exitCode: 0, stdout: '', stderr: '' });
  });

  test('-q shows only checks that need action, also in a pipe, but all in a document', async () => {
    expect((await runFake('doctor -q', world())).stdout).toMatch(/^failed\tkey\t[^\n]*\n$/);
    const { stdout } = await runFake('doctor -q --json', world());
    expect((JSON.parse(stdout) as { checks: unknown[] }).checks.length).toBeGreaterThan(3);
  });

  test('prints a shared remedy once', async () => {
    configure('config.json', '<');
    const currentDirectory = temporaryFolder({ 'petstore.config.json': '<' });
    const { stdout } = await runFake('doctor', { ...world(['stdout']), currentDirectory });
    expect(stdout).toMatch(/What to do\n {2}config, project: Fix the JSON at this position\.\n$/);
  });

  test('uses the colour setting if the configuration is invalid', async () => {
    configure('config.json', '{');
    const colored = { ...world(['stdout']), env: env({ PETSTORE_COLOR: 'always' }) };
    expect((await runFake('doctor --offline', colored)).stdout).toContain('\x1b[31mfailed');
  });

  test.each([30, 40, 60])('fits a terminal of %i columns', async (columns) => {
    const PETSTORE_BASE_URL = 'https://pets.a-name-that-is-long.example.test/a/path/that/is/long/v1';
    const { env: known, ...rest } = world(['stdout']);
    const { stdout } = await runFake('doctor', { ...rest, env: { ...known, PETSTORE_BASE_URL }, columns });
    expect(stdout.split('\n').filter((line) => line.length > columns)).toEqual([]);
    // In parts, but all of it.
    expect(stdout.replace(/\n +/g, '')).toContain(PETSTORE_BASE_URL);
  });

  test('rows in a pipe', async () => {
    const { stdout } = await runFake('doctor', world());
    expect(stdout).toMatch(/^ok\tprogram\tpetstore [^\t]+\t\n/);
    expect(stdout).toContain(
      '\nfailed\tkey\tno API key configured\tRun "petstore auth login", or set PETSTORE_API_KEY.\n',
    );
  });

  test.each([
    ['doctor -o ids', /^program\nsettings\n/],
    ['doctor -o ndjson --fields id,state', /^\{"id":"program","state":"ok"\}\n/],
    ["doctor --query checks[?state=='failed'].id -o tsv", /^key\n$/],
    ['doctor --fields id,state --sort id', /^base-url\tok\n/],
  ])('%s', async (line, pattern) => {
    expect((await runFake(line, world())).stdout).toMatch(pattern);
  });
});
