import { chmodSync, mkdirSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, test } from 'vitest';
import { type Handshake, HandshakeFailure, type HandshakeStep } from '../../../../src/cli/inspector.js';
import { ENV, runFake, type World } from '../../../support/fake-context.js';
import { temporaryFolder } from '../../../support/temporary-folder.js';

const NOW = Date.UTC(2026, 0, 2, 3, 4, 5);
const at = (moment: number): Record<string, string> => ({ date: new Date(moment).toUTCString() });
const WELL = [{ body: '[]', headers: at(NOW) }];

let places: Record<string, string>;
beforeEach(() => {
  const folder = temporaryFolder();
  places = { PETSTORE_CONFIG_DIR: join(folder, 'config'), PETSTORE_STATE_DIR: join(folder, 'state') };
});

interface Found {
  state: string;
  finding: string;
  remedy: string | null;
}

async function doctor(world: World = {}, flags = '') {
  const outcome = await runFake(`doctor --json ${flags}`, {
    answers: WELL,
    now: NOW,
    ...world,
    env: { ...ENV, ...places, ...world.env },
  });
  const { checks, ok } = JSON.parse(outcome.stdout) as { checks: (Found & { id: string })[]; ok: boolean };
  const found = (id: string): Found => {
    const check = checks.find((each) => each.id === id);
    if (check === undefined) throw new Error(`no check ${id}`);
    return { state: check.state, finding: check.finding, remedy: check.remedy };
  };
  return { ...outcome, checks, ok, found };
}

const sees = (seen: Handshake | HandshakeFailure): World => ({
  inspector: {
    shakeHands: () => (seen instanceof HandshakeFailure ? Promise.reject(seen) : Promise.resolve(seen)),
  },
});
const shows = (certificate: Handshake['certificate']): World =>
  sees({ address: '192.0.2.80', ...(certificate === undefined ? {} : { certificate }) });
const fails = (step: HandshakeStep, reason: string): World =>
  sees(new HandshakeFailure(step, new Error(reason)));

describe('a machine that is well', () => {
  test('every check is told, in one order, and one request is sent', async () => {
    const { checks, ok, exitCode, requests, stdout, stderr } = await doctor();
    expect({ ok, exitCode, stderr }).toEqual({ ok: true, exitCode: 0, stderr: '' });
    expect(checks.map(({ id }) => id)).toEqual([
      'program',
      'config',
      'project',
      'base-url',
      'key',
      'permissions',
      'state',
      'proxy',
      'resolvers',
      'connection',
      'certificate',
      'service',
      'clock',
    ]);
    expect(checks.filter(({ state, remedy }) => state !== 'ok' || remedy !== null)).toEqual([]);
    expect(requests.map(({ method, path }) => `${method} ${path}`)).toEqual(['GET /v1/pets?limit=1']);
    expect(stdout).not.toContain(ENV.PETSTORE_API_KEY);
  });

  test('--offline leaves out what needs the network', async () => {
    const asked: string[] = [];
    const shakeHands = () => Promise.reject(new Error(asked.push('asked') ? 'asked' : ''));
    const { checks, exitCode, requests } = await doctor({ inspector: { shakeHands } }, '--offline');
    expect({ exitCode, requests, asked }).toEqual({ exitCode: 0, requests: [], asked: [] });
    const skipped = checks
      .filter(({ state }) => state === 'skipped')
      .map(({ id, finding }) => `${id} ${finding}`);
    expect(skipped).toEqual(['connection', 'certificate', 'service', 'clock'].map((id) => `${id} --offline`));
  });

  test('--mock needs no set-up', async () => {
    const { exitCode, found } = await doctor(
      { env: { PETSTORE_API_KEY: '', PETSTORE_BASE_URL: '' } },
      '--mock',
    );
    expect(exitCode).toBe(0);
    expect(found('service')).toMatchObject({ state: 'ok' });
    expect(found('base-url')).toMatchObject({ state: 'skipped' });
  });

  test('--curl shows the one request', async () => {
    const { exitCode, stdout, requests } = await runFake('doctor --curl', { env: { ...ENV, ...places } });
    expect({ exitCode, sent: requests.length }).toEqual({ exitCode: 0, sent: 0 });
    expect(stdout).toMatch(/^curl 'https:\/\/pets\.test\/v1\/pets\?limit=1' .*\$PETSTORE_API_KEY/);
  });
});

describe('how it is shown', () => {
  const world = (terminals: World['terminals']): World => ({
    answers: WELL,
    now: NOW,
    env: { ...places, PETSTORE_BASE_URL: ENV.PETSTORE_BASE_URL, NO_COLOR: '1' },
    ...(terminals === undefined ? {} : { terminals }),
  });

  test('a table on a terminal, with what to do below', async () => {
    const { stdout, exitCode } = await runFake('doctor', world(['stdout']));
    expect(exitCode).toBe(1);
    expect(stdout).toMatch(/^STATE +CHECK +FINDING\nok +program +petstore /);
    expect(stdout).toMatch(/\nfailed +key +none\n/);
    expect(stdout).toMatch(/\n\nWhat to do\n {2}key: petstore auth login, or set PETSTORE_API_KEY\n$/);
  });

  test('where a profile is in use the remedy names it', async () => {
    mkdirSync(places.PETSTORE_CONFIG_DIR!, { recursive: true });
    const config = { profile: 'shop', profiles: { shop: {} } };
    writeFileSync(join(places.PETSTORE_CONFIG_DIR!, 'config.json'), JSON.stringify(config), { mode: 0o600 });
    const { stdout } = await runFake('doctor', world(['stdout']));
    expect(stdout).toContain('key: petstore auth login --profile shop, or set PETSTORE_API_KEY');
  });

  test('rows in a pipe', async () => {
    const { stdout } = await runFake('doctor', world([]));
    expect(stdout).toMatch(/^ok\tprogram\tpetstore [^\t]+\t\n/);
    expect(stdout).toContain('\nfailed\tkey\tnone\tpetstore auth login, or set PETSTORE_API_KEY\n');
  });

  test.each([
    ['doctor -o ids', /^program\nconfig\n/],
    ['doctor -o ndjson --fields id,state', /^\{"id":"program","state":"ok"\}\n/],
    ["doctor --query checks[?state=='failed'].id -o tsv", /^key\n$/],
    ['doctor --fields id,state --sort id', /^base-url\tok\n/],
  ])('%s', async (line, pattern) => {
    expect((await runFake(line, world([]))).stdout).toMatch(pattern);
  });

  test('a wrong field is told before anything is looked at', async () => {
    const { exitCode, stdout, requests } = await runFake('doctor -o tsv --fields stat', world([]));
    expect({ exitCode, stdout, requests }).toEqual({ exitCode: 2, stdout: '', requests: [] });
  });
});

describe('configuration', () => {
  const write = (name: string, text: string, mode = 0o600): void => {
    mkdirSync(places.PETSTORE_CONFIG_DIR!, { recursive: true, mode: 0o700 });
    writeFileSync(join(places.PETSTORE_CONFIG_DIR!, name), text, { mode });
  };

  test('a broken file is named with line and column, and what hangs on it is not judged', async () => {
    write('config.json', '{\n  "profile": }');
    const { exitCode, found } = await doctor();
    expect(exitCode).toBe(1);
    expect(found('config')).toMatchObject({
      state: 'failed',
      finding: expect.stringContaining('config.json, line 2, column 14 is not JSON'),
      remedy: expect.stringContaining('petstore help config'),
    });
    for (const id of ['base-url', 'key']) {
      expect(found(id)).toMatchObject({ state: 'skipped', finding: "can't be told before config is right" });
    }
    expect(found('service').state).toBe('skipped');
  });

  test('a broken project file', async () => {
    const currentDirectory = temporaryFolder({ 'petstore.config.json': { apiKey: 'sk-other' } });
    const { found, stdout } = await doctor({ currentDirectory });
    expect(found('project')).toMatchObject({
      state: 'failed',
      finding: expect.stringContaining('does not belong'),
    });
    expect(stdout).not.toContain('sk-other');
  });

  test('a profile, its key in a file, and a project file', async () => {
    const profiles = { shop: { baseUrl: 'https://pets.test/v1', keyIn: 'file' } };
    write('config.json', JSON.stringify({ profile: 'shop', profiles }));
    mkdirSync(join(places.PETSTORE_CONFIG_DIR!, 'keys'), { mode: 0o700 });
    write('keys/shop.key', 'sk-stored\n');
    const currentDirectory = temporaryFolder({ 'petstore.config.json': { profile: 'shop' } });
    const env = { PETSTORE_API_KEY: '', PETSTORE_BASE_URL: '' };
    const { found, ok, stdout } = await doctor({ currentDirectory, env });
    expect(ok).toBe(true);
    expect(found('config').finding).toMatch(/config\.json: 1 profile, shop is in use$/);
    expect(found('project').finding).toBe(join(currentDirectory, 'petstore.config.json'));
    expect(found('base-url').finding).toBe('https://pets.test/v1, from profile shop');
    expect(found('key').finding).toMatch(/mark [0-9a-f]{8}\), from .*shop\.key; the service accepts it$/);
    expect(stdout).not.toContain('sk-stored');
  });

  test('no address and no key', async () => {
    const { exitCode, found, requests } = await doctor({
      env: { PETSTORE_API_KEY: '', PETSTORE_BASE_URL: '' },
    });
    expect({ exitCode, requests }).toEqual({ exitCode: 1, requests: [] });
    expect(found('base-url')).toMatchObject({
      state: 'failed',
      remedy: expect.stringContaining('auth login'),
    });
    expect(found('key')).toMatchObject({ state: 'failed', remedy: expect.stringContaining('auth login') });
  });

  test('an address that is wrong', async () => {
    const { found } = await doctor({ env: { PETSTORE_BASE_URL: 'pets.test' } });
    expect(found('base-url')).toMatchObject({
      state: 'failed',
      remedy: expect.stringContaining('petstore config list --show-origin'),
    });
  });
});

describe.skipIf(process.platform === 'win32')('file modes', () => {
  const put = (name: string, mode: number): string => {
    const path = join(places.PETSTORE_CONFIG_DIR!, name);
    mkdirSync(join(path, '..'), { recursive: true, mode: 0o700 });
    writeFileSync(path, name === 'config.json' ? '{}' : 'sk-x', { mode });
    chmodSync(path, mode);
    return path;
  };

  test.each([
    ['config.json', 0o644, 'warn'],
    ['config.json', 0o666, 'failed'],
    ['keys/shop.key', 0o640, 'failed'],
  ])('%s with %o is %s, and the remedy is a command', async (name, mode, state) => {
    const path = put(name, mode);
    const { found } = await doctor();
    const { finding, remedy, state: seen } = found('permissions');
    expect({ seen, remedy }).toEqual({ seen: state, remedy: `chmod go= ${path}` });
    expect(finding).toContain(`(0${mode.toString(8)})`);
  });

  test('an open state directory', async () => {
    mkdirSync(places.PETSTORE_STATE_DIR!, { mode: 0o755 });
    chmodSync(places.PETSTORE_STATE_DIR!, 0o755);
    expect((await doctor()).found('permissions')).toMatchObject({ state: 'warn' });
    expect(statSync(places.PETSTORE_STATE_DIR!).mode & 0o777).toBe(0o755);
  });

  test('Windows has none', async () => {
    expect((await doctor({ platform: 'win32' })).found('permissions').state).toBe('skipped');
  });
});

describe('the rate budget', () => {
  test.each([
    ['memory', 'ok', /in memory: each process has its own/],
    ['file', 'ok', /state\/gate$/],
  ])('%s is %s', async (kind, state, finding) => {
    const found = (await doctor({ env: { PETSTORE_GATE: kind } })).found('state');
    expect(found).toMatchObject({ state, finding: expect.stringMatching(finding) });
  });

  test('a place that can not be written to', async () => {
    const folder = temporaryFolder({ file: '' });
    const PETSTORE_STATE_DIR = join(folder, 'file/state');
    const { found, ok } = await doctor({
      env: { PETSTORE_STATE_DIR, PETSTORE_GATE: 'file' },
      answers: [new Error('no matter')],
    });
    expect(ok).toBe(false);
    expect(found('state')).toMatchObject({
      state: 'warn',
      finding: expect.stringContaining('is no directory'),
      remedy: expect.stringContaining('PETSTORE_STATE_DIR'),
    });
  });

  test('a Redis that does not answer, its password unseen', async () => {
    const shakeHands = () => Promise.reject(new HandshakeFailure('connection', new Error('ECONNREFUSED')));
    const env = { PETSTORE_GATE: 'redis://ida:hunter2@cache.test', PETSTORE_API_KEY: '' };
    const { found, stdout } = await doctor({ env, inspector: { shakeHands } });
    expect(found('state')).toMatchObject({ state: 'warn', finding: expect.stringContaining('ECONNREFUSED') });
    expect(stdout).not.toContain('hunter2');
  });

  test('a wrong PETSTORE_GATE', async () => {
    const { found } = await doctor({ env: { PETSTORE_GATE: 'floppy' } });
    expect(found('state')).toMatchObject({
      state: 'failed',
      remedy: expect.stringContaining('PETSTORE_GATE'),
    });
  });
});

describe('proxy and resolvers', () => {
  test('the proxy in force, its password unseen', async () => {
    const { found, stdout } = await doctor({ env: { https_proxy: 'http://ida:hunter2@proxy.test:3128' } });
    expect(found('proxy').finding).toBe('http://proxy.test:3128, from https_proxy');
    expect(found('connection').finding).toBe(
      'pets.test port 443 answers by the proxy http://proxy.test:3128',
    );
    expect(stdout).not.toContain('hunter2');
  });

  test('a proxy that can not be spoken to', async () => {
    const { found, requests } = await doctor({ env: { HTTPS_PROXY: 'socks5://proxy.test' } });
    expect(found('proxy')).toMatchObject({
      state: 'failed',
      finding: expect.stringContaining('HTTPS_PROXY'),
    });
    expect(requests).toEqual([]);
  });

  test('no resolvers', async () => {
    expect((await doctor({ inspector: { resolvers: () => [] } })).found('resolvers').state).toBe('warn');
  });
});

describe('the way to the service', () => {
  test.each([
    ['name', 'ENOTFOUND', /the name of pets\.test port 443 can't be resolved: ENOTFOUND/],
    ['connection', 'ECONNREFUSED', /no connection to pets\.test port 443: ECONNREFUSED/],
    ['proxy', 'the proxy answered 407', /nothing gets through to .*407/],
  ] as const)('%s: %s', async (step, reason, finding) => {
    const { found, exitCode, requests } = await doctor(fails(step, reason));
    expect({ exitCode, requests }).toEqual({ exitCode: 1, requests: [] });
    expect(found('connection')).toMatchObject({
      state: 'failed',
      finding: expect.stringMatching(finding),
      remedy: expect.stringContaining('petstore '),
    });
    expect(found('certificate').state).toBe('skipped');
  });

  test('somebody who speaks no TLS', async () => {
    const { found, requests } = await doctor(fails('tls', 'EPROTO'));
    expect(found('connection').state).toBe('ok');
    expect(found('certificate')).toMatchObject({
      state: 'failed',
      finding: expect.stringContaining('EPROTO'),
    });
    expect(requests).toEqual([]);
  });

  test('one that says nothing is left after a while', async () => {
    const shakeHands = (_door: unknown, signal: AbortSignal) =>
      new Promise<never>((_resolve, reject) => {
        signal.addEventListener('abort', () => reject(signal.reason as Error));
      });
    const { found } = await doctor({ inspector: { shakeHands } });
    expect(found('connection').finding).toContain('no answer in time');
  });
});

describe('the certificate', () => {
  const DAY_MS = 86_400_000;
  const good = { issuer: 'An Authority', validTo: NOW + 90 * DAY_MS };

  test('one of which the end is near', async () => {
    const { found, ok } = await doctor(shows({ ...good, validTo: NOW + 3 * DAY_MS }));
    expect(ok).toBe(true);
    expect(found('certificate')).toMatchObject({
      state: 'warn',
      finding: expect.stringContaining('3 days left'),
    });
  });

  test.each([
    [{ ...good, distrust: 'DEPTH_ZERO_SELF_SIGNED_CERT' }, /--ca FILE/],
    [{ ...good, validTo: NOW - 1, distrust: 'CERT_HAS_EXPIRED' }, /it is over/],
  ])('%j: nothing is sent there', async (certificate, remedy) => {
    const { found, requests } = await doctor(shows(certificate));
    expect(requests).toEqual([]);
    expect(found('certificate')).toMatchObject({ state: 'failed', remedy: expect.stringMatching(remedy) });
    expect(found('service').state).toBe('skipped');
  });

  test('none for plain http on this machine', async () => {
    const world = { ...shows(undefined), env: { PETSTORE_BASE_URL: 'http://127.0.0.1:4010/v1' } };
    expect((await doctor(world)).found('certificate').state).toBe('skipped');
  });

  test('nobody checks them with NODE_TLS_REJECT_UNAUTHORIZED=0', async () => {
    const { found } = await doctor({ ...shows(good), env: { NODE_TLS_REJECT_UNAUTHORIZED: '0' } });
    expect(found('certificate')).toMatchObject({ state: 'failed', remedy: expect.stringContaining('unset') });
  });

  test.each([
    [good, 'warn'],
    [{ ...good, distrust: 'UNABLE_TO_GET_ISSUER_CERT_LOCALLY' }, 'failed'],
  ])('authorities that can not be read: %j is %s', async (certificate, state) => {
    const { found } = await doctor({ ...shows(certificate), env: { NODE_EXTRA_CA_CERTS: '/nowhere.pem' } });
    expect(found('certificate')).toMatchObject({
      state,
      finding: expect.stringContaining(
        "NODE_EXTRA_CA_CERTS names /nowhere.pem, which can't be read (ENOENT)",
      ),
    });
  });
});

describe('the answer', () => {
  test('a key that is refused', async () => {
    const answers = [{ status: 401, body: '{"code":"c","message":"no","status":401}', headers: at(NOW) }];
    const { found, exitCode } = await doctor({ answers });
    expect(exitCode).toBe(1);
    expect(found('key')).toMatchObject({
      state: 'failed',
      finding: expect.stringContaining('refuses it (401)'),
    });
    expect(found('service').state).toBe('ok');
    expect(found('clock').state).toBe('ok');
  });

  test('a rate limit that is used up', async () => {
    const { found, ok, requests } = await doctor({
      answers: [{ status: 429, headers: { 'retry-after': '9' } }],
    });
    expect({ ok, sent: requests.length }).toEqual({ ok: true, sent: 1 });
    expect(found('service')).toMatchObject({
      state: 'warn',
      remedy: expect.stringContaining('petstore limits'),
    });
    expect(found('key').finding).toContain('accepts it');
  });

  test.each([
    ['a failure', { status: 503 }],
    ['what is no pet store', { body: '<html>', headers: { 'content-type': 'text/html' } }],
    ['a connection that breaks', new Error('broken')],
  ])('%s: asked once, and what is wrong is told', async (_, answer) => {
    const { found, exitCode, requests } = await doctor({ answers: [answer] });
    expect({ exitCode, sent: requests.length }).toEqual({ exitCode: 1, sent: 1 });
    expect(found('service')).toMatchObject({ state: 'failed', remedy: expect.stringMatching(/./) });
    expect(found('clock').state).toBe('skipped');
  });

  test.each([
    [-9_000, 'ok', /agrees/],
    [60_000, 'warn', /^6[01] s behind that of the service/],
    [-3_600_000, 'warn', /^3600 s ahead of that of the service|^3599 s ahead/],
  ])('a clock that is off by %i ms', async (offMs, state, finding) => {
    const { found, ok } = await doctor({ answers: [{ body: '[]', headers: at(NOW + offMs) }] });
    expect(ok).toBe(true);
    expect(found('clock')).toMatchObject({ state, finding: expect.stringMatching(finding) });
  });

  test('an answer without a time', async () => {
    expect((await doctor({ answers: [{ body: '[]' }] })).found('clock').state).toBe('skipped');
  });
});

test('^C ends it', async () => {
  const { Interruption } = await import('../../../../src/cli/context.js');
  const controller = new AbortController();
  const shakeHands = () => {
    controller.abort(new Interruption(130));
    return Promise.reject(new Error('stopped'));
  };
  const { exitCode, stdout } = await runFake('doctor', {
    env: { ...ENV, ...places },
    signal: controller.signal,
    inspector: { shakeHands },
  });
  expect({ exitCode, stdout }).toEqual({ exitCode: 130, stdout: '' });
});
