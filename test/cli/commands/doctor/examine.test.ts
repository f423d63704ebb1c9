import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { Interruption } from '../../../../src/cli/system/context.js';
import { doctorIn, NOTHING } from '../../../support/doctor.js';
import { runFake, type World } from '../../../support/fake-context.js';
import { temporaryFolder } from '../../../support/temporary-folder.js';

const { doctor, configure, env, directories } = doctorIn();

/** A mistake of the user, the check that reports it, and the result of the request. */
interface Mistake {
  name: string;
  id: string;
  finding: RegExp;
  state?: 'warn';
  /** State of the check `service`: whether doctor continued. */
  service: 'ok' | 'skipped';
  world?: World;
  flags?: string;
  prepare?: () => World;
}

const MISTAKES: readonly Mistake[] = [
  {
    name: 'config.json that is no JSON',
    id: 'config',
    finding: /config\.json, line 1, column 1 is not JSON/,
    service: 'skipped',
    prepare: () => (configure('config.json', '<'), {}),
  },
  {
    name: 'config.json that is a directory',
    id: 'config',
    finding: /config\.json can't be read \(it is a directory\)/,
    service: 'skipped',
    prepare: () => (mkdirSync(join(directories.config, 'config.json'), { recursive: true, mode: 0o700 }), {}),
  },
  {
    name: 'a project file that is no JSON',
    id: 'project',
    finding: /petstore\.config\.json, line 1, column 1 is not JSON/,
    service: 'skipped',
    prepare: () => ({ currentDirectory: temporaryFolder({ 'petstore.config.json': '<' }) }),
  },
  {
    name: 'a key file that is a directory',
    id: 'key',
    finding: /shop\.key can't be read \(it is a directory\)/,
    service: 'skipped',
    prepare() {
      const shop = { baseUrl: 'https://pets.test/v1', keyIn: 'file' };
      configure('config.json', { profile: 'shop', profiles: { shop } });
      mkdirSync(join(directories.config, 'keys/shop.key'), { recursive: true, mode: 0o700 });
      return { env: NOTHING };
    },
  },
  {
    name: 'a key that no header can carry',
    id: 'key',
    finding: /PETSTORE_API_KEY contains a line break/,
    service: 'skipped',
    world: { env: { PETSTORE_API_KEY: 'sk\n' } },
  },
  {
    name: 'a profile that is not there',
    id: 'profile',
    finding: /Profile "stor" not found/,
    service: 'skipped',
    flags: '--profile stor',
  },
  {
    name: 'a base URL that is none',
    id: 'base-url',
    finding: /PETSTORE_BASE_URL must start with https/,
    service: 'skipped',
    world: { env: { PETSTORE_BASE_URL: 'pets.test' } },
  },
  {
    name: 'a staging address that the profile has not',
    id: 'base-url',
    finding: /--staging needs a profile/,
    service: 'skipped',
    flags: '--staging',
  },
  {
    name: 'PETSTORE_OUTPUT',
    id: 'settings',
    finding: /^PETSTORE_OUTPUT: "word" is not one of/,
    service: 'ok',
    world: { env: { PETSTORE_OUTPUT: 'word' } },
  },
  {
    name: 'PETSTORE_COLOR',
    id: 'settings',
    finding: /^PETSTORE_COLOR: "blue"/,
    service: 'ok',
    world: { env: { PETSTORE_COLOR: 'blue' } },
  },
  {
    name: 'PETSTORE_FORCE_TTY',
    id: 'settings',
    finding: /^PETSTORE_FORCE_TTY: "wide"/,
    service: 'ok',
    world: { env: { PETSTORE_FORCE_TTY: 'wide' } },
  },
  {
    name: 'PETSTORE_ANNOTATIONS',
    id: 'settings',
    finding: /^PETSTORE_ANNOTATIONS: "gitlab"/,
    service: 'ok',
    world: { env: { PETSTORE_ANNOTATIONS: 'gitlab' } },
  },
  {
    name: 'PETSTORE_GATE',
    id: 'state',
    finding: /PETSTORE_GATE is not "memory", "file" or a Redis URL/,
    service: 'ok',
    world: { env: { PETSTORE_GATE: 'floppy' } },
  },
  {
    name: 'a proxy that is no address',
    id: 'proxy',
    finding: /The proxy in HTTPS_PROXY is not/,
    service: 'skipped',
    world: { env: { HTTPS_PROXY: 'socks5://proxy.test' } },
  },
  {
    name: 'a proxy with half an escape in its login',
    id: 'proxy',
    finding: /The login in https_proxy contains a %/,
    service: 'skipped',
    world: { env: { https_proxy: 'http://ida:hunter%2@proxy.test' } },
  },
  {
    name: '--ca that is not there',
    id: 'authorities',
    finding: /^--ca: "nowhere.pem" can't be read \(ENOENT\)/,
    service: 'ok',
    flags: '--ca nowhere.pem',
  },
  {
    name: '--ca without a certificate',
    id: 'authorities',
    finding: /^--ca: "own.pem" contains no certificate/,
    service: 'ok',
    flags: '--ca own.pem',
    prepare: () => ({ currentDirectory: temporaryFolder({ 'own.pem': 'sk' }) }),
  },
  {
    name: 'NODE_EXTRA_CA_CERTS that is not there',
    id: 'authorities',
    finding: /^NODE_EXTRA_CA_CERTS: "\/nowhere.pem" can't be read \(ENOENT\)/,
    state: 'warn',
    service: 'ok',
    world: { env: { NODE_EXTRA_CA_CERTS: '/nowhere.pem' } },
  },
  {
    name: 'a state directory that is a file',
    id: 'state',
    finding: /state is not a directory/,
    state: 'warn',
    service: 'ok',
    prepare: () => (writeFileSync(directories.state, ''), { env: { PETSTORE_GATE: 'file' } }),
  },
  {
    name: 'a state directory below a device',
    id: 'state',
    finding: /^\/dev\/null is not a directory/,
    state: 'warn',
    service: 'ok',
    world: { env: { PETSTORE_GATE: 'file', PETSTORE_STATE_DIR: '/dev/null/state' } },
  },
];

test.each(MISTAKES)(
  '$name is reported by $id',
  async ({ id, finding, state, service, world, flags, prepare }) => {
    const prepared = prepare?.() ?? world ?? {};
    const { found, checks, exitCode, stderr } = await doctor(prepared, flags);
    expect(found(id)).toMatchObject({
      state: state ?? 'failed',
      finding: expect.stringMatching(finding),
      remedy: expect.stringMatching(/./),
    });
    // Once, and by no other check.
    const reported = checks.filter(({ state: seen }) => seen === 'failed' || seen === 'warn');
    expect(reported.map((check) => check.id)).toEqual([id]);
    expect(found('service').state).toBe(service);
    expect({ exitCode, stderr }).toEqual({ exitCode: state === undefined ? 1 : 0, stderr: '' });
    expect(checks).toHaveLength(16);
  },
);

test('all problems at once stop no check', async () => {
  configure('config.json', '{');
  const wrong = Object.assign({}, ...MISTAKES.map(({ world }) => world?.env)) as Record<string, string>;
  const { exitCode, checks, requests } = await doctor({ env: wrong }, '--profile stor --ca nowhere.pem');
  expect({ exitCode, count: checks.length, requests }).toEqual({ exitCode: 1, count: 16, requests: [] });
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
  const world = { responses: ['never'], connection: null, endlessFromMs } as const;
  const { found, exitCode } = await doctor(world, flags);
  expect(exitCode).toBe(1);
  expect(found('connection').finding).toContain(`: No response within ${String(seconds)} s`);
});

test('^C ends it', async () => {
  const controller = new AbortController();
  const onSend = () => {
    controller.abort(new Interruption(130));
  };
  const { exitCode, stdout } = await runFake('doctor', { env: env(), signal: controller.signal, onSend });
  expect({ exitCode, stdout }).toEqual({ exitCode: 130, stdout: '' });
});
