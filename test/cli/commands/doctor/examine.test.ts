import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { doctorIn, NOTHING } from '../../../support/doctor.js';
import { runFake, type World } from '../../../support/fake-context.js';
import { temporaryFolder } from '../../../support/temporary-folder.js';

const { doctor, configure, env, directories } = doctorIn();

/** A profile whose key file is a directory. */
function keyDirectory(): World {
  const shop = { baseUrl: 'https://pets.test/v1', keyIn: 'file' };
  configure('config.json', { profile: 'shop', profiles: { shop } });
  mkdirSync(join(directories.config, 'keys/shop.key'), { recursive: true, mode: 0o700 });
  return { env: NOTHING };
}

function directoryAsConfig(): World {
  mkdirSync(join(directories.config, 'config.json'), { recursive: true, mode: 0o700 });
  return {};
}

function fileAsState(): World {
  writeFileSync(directories.state, '');
  return { env: { PETSTORE_GATE: 'file' } };
}

const below = (file: string, text: string) => (): World => ({
  currentDirectory: temporaryFolder({ [file]: text }),
});
const set = (name: string, value: string) => (): World => ({ env: { [name]: value } });

/** Mistakes of the user after which no request is sent: the check that reports it, and its finding. */
const BLOCKING: readonly Mistake[] = [
  ['config', /config\.json, line 1, column 1 is not JSON/, () => (configure('config.json', '<'), {})],
  ['config', /config\.json can't be read \(it is a directory\)/, directoryAsConfig],
  ['project', /petstore\.config\.json, line 1, column 1 is not JSON/, below('petstore.config.json', '<')],
  ['key', /shop\.key can't be read \(it is a directory\)/, keyDirectory],
  ['key', /PETSTORE_API_KEY ends with a line break/, set('PETSTORE_API_KEY', 'sk\n')],
  ['profile', /Profile "stor" not found/, () => ({}), '--profile stor'],
  ['base-url', /PETSTORE_BASE_URL must start with https/, set('PETSTORE_BASE_URL', 'pets.test')],
  ['base-url', /--staging needs a profile/, () => ({}), '--staging'],
  ['connection', /The proxy in HTTPS_PROXY is not/, set('HTTPS_PROXY', 'socks5://proxy.test')],
  ['connection', /^--ca: "nowhere.pem" can't be read/, () => ({}), '--ca nowhere.pem'],
];

/** Mistakes after which doctor continues with the request. */
const CONTINUING: readonly Mistake[] = [
  ['settings', /^PETSTORE_OUTPUT: "word" is not one of/, set('PETSTORE_OUTPUT', 'word')],
  ['settings', /^PETSTORE_COLOR: "blue"/, set('PETSTORE_COLOR', 'blue')],
  ['settings', /^PETSTORE_FORCE_TTY: "wide"/, set('PETSTORE_FORCE_TTY', 'wide')],
  ['settings', /^PETSTORE_ANNOTATIONS: "gitlab"/, set('PETSTORE_ANNOTATIONS', 'gitlab')],
  ['settings', /^PETSTORE_PROFILE is in quotes/, set('PETSTORE_PROFILE', '"shop"')],
  ['settings', /^PETSTORE_CONFIG_DIR is in quotes/, set('PETSTORE_CONFIG_DIR', "'config'")],
  ['settings', /PETSTORE_GATE is not "memory", "file" or a Redis URL/, set('PETSTORE_GATE', 'floppy')],
];

const WARNINGS: readonly Mistake[] = [
  ['settings', /^unknown, without effect: PETSTORE_APIKEY$/, set('PETSTORE_APIKEY', 'sk')],
  [
    'state',
    /state\/gate: a part of the path is not a folder, so each process keeps its own rate budget$/,
    fileAsState,
  ],
  [
    'state',
    /^\/dev\/null\/state\/gate: a part of the path is not a folder/,
    () => ({ env: { PETSTORE_GATE: 'file', PETSTORE_STATE_DIR: '/dev/null/state' } }),
  ],
];

type Mistake = readonly [id: string, finding: RegExp, prepare: () => World, flags?: string];

const cases = (state: string, service: string, mistakes: readonly Mistake[]) =>
  mistakes.map(([id, finding, prepare, flags]) => ({ state, service, id, finding, prepare, flags }));

test.each([
  ...cases('failed', 'skipped', BLOCKING),
  ...cases('failed', 'ok', CONTINUING),
  ...cases('warn', 'ok', WARNINGS),
])('$state, service $service: $id says $finding', async ({ state, service, id, finding, prepare, flags }) => {
  const { found, checks, exitCode, stderr } = await doctor(prepare(), flags);
  expect(found(id)).toMatchObject({
    state,
    finding: expect.stringMatching(finding),
    remedy: expect.stringMatching(/./),
  });
  // Once, and by no other check.
  const reported = checks.filter(({ state: seen }) => seen === 'failed' || seen === 'warn');
  expect(reported.map((check) => check.id)).toEqual([id]);
  expect(found('service').state).toBe(service);
  expect({ exitCode, stderr }).toEqual({ exitCode: state === 'failed' ? 1 : 0, stderr: '' });
  expect(checks).toHaveLength(13);
});

test('all problems at once stop no check', async () => {
  configure('config.json', '{');
  const wrong = {
    PETSTORE_API_KEY: 'sk\n',
    PETSTORE_BASE_URL: 'pets.test',
    PETSTORE_OUTPUT: 'word',
    PETSTORE_FORCE_TTY: 'wide',
    PETSTORE_GATE: 'floppy',
    HTTPS_PROXY: 'socks5://proxy.test',
  };
  const { exitCode, checks, requests } = await doctor({ env: wrong }, '--profile stor --ca nowhere.pem');
  expect({ exitCode, count: checks.length, requests }).toEqual({ exitCode: 1, count: 13, requests: [] });
});

test('resolves relative paths', async () => {
  const currentDirectory = temporaryFolder();
  const PETSTORE_STATE_DIR = 'here/state';
  const world = {
    currentDirectory,
    env: { PETSTORE_GATE: 'file', PETSTORE_STATE_DIR, PETSTORE_CONFIG_DIR: 'here' },
  };
  const { found, exitCode } = await doctor(world, '--offline');
  expect(exitCode).toBe(0);
  expect(found('state').finding).toContain(join(currentDirectory, 'here/state/gate'));
});

test('a configuration directory below a device counts as missing', async () => {
  const { found, exitCode } = await doctor({ env: { PETSTORE_CONFIG_DIR: '/dev/null/config' } });
  expect(exitCode).toBe(0);
  expect(found('config').finding).toBe('/dev/null/config/config.json does not exist yet');
});

test.each([
  ['the request has its own time limit', '', 30_000, 10],
  ['--timeout limits all checks together', '--timeout 1s', 2_000, 1],
])('%s', async (_, flags, endlessFromMs, seconds) => {
  const world = { responses: ['never'], endlessFromMs } as const;
  const { found, exitCode } = await doctor(world, flags);
  expect(exitCode).toBe(1);
  expect(found('connection').finding).toContain(`No response within ${String(seconds)} s`);
});

test('^C ends it', async () => {
  const world: World = { env: env(), responses: ['never'], interruptAt: 1 };
  const { exitCode, stdout } = await runFake('doctor', world);
  expect({ exitCode, stdout }).toEqual({ exitCode: 130, stdout: '' });
});
