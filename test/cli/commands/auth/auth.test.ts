import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, test } from 'vitest';
import type { Prompter } from '../../../../src/cli/context.js';
import type { Keychain } from '../../../../src/cli/keychain.js';
import { run as runProgram } from '../../../../src/cli/program.js';
import { fakeContext, runFake, type World } from '../../../support/fake-context.js';
import { temporaryFolder } from '../../../support/temporary-folder.js';

const URL = 'https://pets.test/v1';
const SECRET = 'sk-secret';
const REFUSED = { status: 401, body: '{"code":"unauthorized","message":"no"}' };

let folder: string;
let env: Record<string, string>;
beforeEach(() => {
  folder = temporaryFolder();
  env = { PETSTORE_CONFIG_DIR: folder };
});

const run = (line: string, world: World = {}) => runFake(line, { env, ...world });
const logIn = (flags = '', world: World = {}) =>
  run(`auth login --with-key --base-url ${URL} ${flags}`, { stdin: `${SECRET}\n`, ...world });
const config = (): unknown => JSON.parse(readFileSync(join(folder, 'config.json'), 'utf8'));

/** A keychain that works. */
function openKeychain(): Keychain {
  const kept = new Map<string, string>();
  return {
    find: (account) => Promise.resolve(kept.get(account)),
    save: (account, secret) => Promise.resolve(void kept.set(account, secret)),
    remove: (account) => Promise.resolve(kept.delete(account)),
  };
}

/** A person who types this key, and otherwise the first choice. */
function person(key: string, asked: string[] = []): Prompter {
  const note = (question: string): void => void asked.push(question);
  return {
    secret(question, check) {
      note(question);
      expect(check('')).not.toBe(true);
      return Promise.resolve(key);
    },
    text(question, check) {
      note(question);
      expect(check('pets.test')).not.toBe(true);
      return Promise.resolve(URL);
    },
    choose: (question, choices) => {
      note(question);
      return Promise.resolve(choices[0]!.value);
    },
  };
}

describe('login', () => {
  test('tries the key, then keeps it with the address, in a profile that is in use from now on', async () => {
    const { exitCode, stdout, requests, stderr } = await logIn();
    expect(exitCode).toBe(0);
    expect(requests.map(({ path, headers }) => [path, headers.authorization])).toEqual([
      ['/v1/pets?limit=1', `Bearer ${SECRET}`],
    ]);
    expect(config()).toEqual({ profile: 'default', profiles: { default: { baseUrl: URL, keyIn: 'file' } } });
    expect(readFileSync(join(folder, 'keys/default.key'), 'utf8')).toBe(`${SECRET}\n`);
    expect(stdout).toBe(`default\t${URL}\tfile\n`);
    expect(stderr).toMatch(/plain text in .*default\.key.*keychain can't be used/);
    expect(stdout + stderr).not.toContain(SECRET);
  });

  test('prefers the keychain', async () => {
    const { stderr } = await logIn('', { keychain: openKeychain() });
    expect(stderr).toBe(
      "profile default (none is named: --profile would)\nthe key is in the system's keychain\n",
    );
    expect(config()).toMatchObject({ profiles: { default: { keyIn: 'keychain' } } });
    expect(existsSync(join(folder, 'keys'))).toBe(false);
  });

  test('a key that the service refuses is not kept', async () => {
    const { exitCode, stdout, stderr } = await logIn('--json', { answers: [REFUSED] });
    expect({ exitCode, stdout }).toEqual({ exitCode: 3, stdout: '' });
    expect(JSON.parse(stderr)).toMatchObject({ error: { status: 401, exitCode: 3 } });
    expect(existsSync(join(folder, 'config.json'))).toBe(false);
    expect(existsSync(join(folder, 'keys'))).toBe(false);
  });

  test('a service that can not be reached leaves all as it was; --skip-verify asks none', async () => {
    const offline = { answers: [new Error('no network')] };
    expect(await logIn('--no-retry', offline)).toMatchObject({ exitCode: 7 });
    expect(existsSync(join(folder, 'config.json'))).toBe(false);
    expect(await logIn('--skip-verify', offline)).toMatchObject({ exitCode: 0, requests: [] });
  });

  test('asks, on a terminal, for what is missing', async () => {
    const asked: string[] = [];
    const world: World = { terminals: ['stdin', 'stderr'], prompter: person(SECRET, asked) };
    expect(await run('auth login', world)).toMatchObject({ exitCode: 0 });
    expect(asked).toEqual(['Base URL, /v1 included', 'API key (not shown)']);
  });

  test.each([
    ['auth login', {}, /pass --base-url/],
    [`auth login --base-url ${URL}`, {}, /--with-key/],
    [`auth login --base-url ${URL} --with-key`, { stdin: ' \n' }, /no key came in/],
    [`auth login --base-url ${URL} --with-key`, { terminals: ['stdin'] }, /stdin is a terminal/],
    [`auth login --base-url ${URL} --with-key`, { stdin: 'a b' }, /the key holds a blank/],
    [
      `auth login --base-url ${URL} --with-key --profile ../x`,
      { stdin: 'k' },
      /can't be the name of a profile/,
    ],
    ['auth login --base-url http://pets.test/v1 --with-key', { stdin: 'k' }, /plain http/],
  ] as [string, World, RegExp][])(
    '%s %j is refused, and nothing is sent or kept',
    async (line, world, said) => {
      const { exitCode, stdout, stderr, requests } = await run(line, world);
      expect({ exitCode, stdout, requests }).toEqual({ exitCode: 2, stdout: '', requests: [] });
      expect(stderr).toMatch(said);
      expect(existsSync(join(folder, 'config.json'))).toBe(false);
    },
  );

  test('while PETSTORE_API_KEY rules it is refused, by name', async () => {
    const { exitCode, stderr } = await logIn('', { env: { ...env, PETSTORE_API_KEY: 'sk-other' } });
    expect(exitCode).toBe(2);
    expect(stderr).toContain('PETSTORE_API_KEY is set');
  });

  test.each([
    ['--mock', /--mock is not for login/],
    ['--staging', /--staging is not for login/],
    ['--dry-run --skip-verify', /no request to show/],
  ])('%s is refused, and nothing is sent or kept', async (flags, said) => {
    const line = `auth login --with-key ${flags === '--dry-run --skip-verify' ? `--base-url ${URL}` : ''} ${flags}`;
    const { exitCode, stderr, requests } = await run(line, { stdin: SECRET });
    expect({ exitCode, requests }).toEqual({ exitCode: 2, requests: [] });
    expect(stderr).toMatch(said);
    expect(existsSync(join(folder, 'config.json'))).toBe(false);
  });

  test.each<[string, World]>([
    ['--fields nope', {}],
    ['--sort nope', {}],
    ['-o ids', {}],
    ['--query [', {}],
    ['--ca absent.pem', {}],
    ['', { env: { PETSTORE_OUTPUT: 'jsn' } }],
    ['', { env: { PETSTORE_COLOR: 'red' } }],
    ['', { env: { PETSTORE_GATE: 'nonsense' } }],
    ['', { env: { HTTPS_PROXY: 'ftp://a.test' } }],
    ['', { env: { PETSTORE_CONFIG_DIR: '/dev/null/config' } }],
  ])(
    'what is wrong with %s %j is told before anybody is asked, anything sent or kept',
    async (flags, world) => {
      const asked: string[] = [];
      const { exitCode, stdout, requests } = await run(`auth login --base-url ${URL} ${flags}`, {
        terminals: ['stdin', 'stderr'],
        prompter: person(SECRET, asked),
        env: { ...env, ...world.env },
      });
      expect({ exitCode, stdout, requests, asked }).toEqual({
        exitCode: 2,
        stdout: '',
        requests: [],
        asked: [],
      });
      expect(readdirSync(folder)).toEqual([]);
    },
  );

  test('--with-key at a terminal is refused before the address is asked for', async () => {
    const asked: string[] = [];
    const world: World = { terminals: ['stdin', 'stderr'], prompter: person(SECRET, asked) };
    expect(await run('auth login --with-key', world)).toMatchObject({ exitCode: 2 });
    expect(asked).toEqual([]);
  });

  test('more than any key is not read to its end', async () => {
    let pieces = 0;
    const { context, stderr } = fakeContext({ env });
    const endless = {
      isTTY: false,
      readAll: () => Promise.reject(new Error('there is no end')),
      async *read() {
        for (; pieces < 1_000; pieces += 1) yield Promise.resolve(new Uint8Array(4_000).fill(0x61));
      },
    };
    const line = ['auth', 'login', '--with-key', '--base-url', URL];
    expect(await runProgram(line, { ...context, stdin: endless })).toBe(2);
    expect(stderr()).toContain('more than 8192 bytes came in on stdin');
    expect(pieces).toBeLessThan(5);
  });

  test('a name is refused whose key could need a longer file name than there can be', async () => {
    const name = '\u732b'.repeat(30);
    for (const line of [`auth login --with-key --base-url ${URL}`, 'config set output json']) {
      const { exitCode, stderr, requests } = await run(`${line} --profile ${name}`, { stdin: SECRET });
      expect({ exitCode, requests }).toEqual({ exitCode: 2, requests: [] });
      expect(stderr).toContain('too long for the name of a profile');
    }
    expect(await logIn(`--profile ${name.slice(0, 20)}`)).toMatchObject({ exitCode: 0 });
  });

  test('what stands in the way of its file is told as that, and the configuration stays as it was', async () => {
    writeFileSync(join(folder, 'keys'), '');
    const { exitCode, stderr, requests } = await logIn();
    expect({ exitCode, requests }).toEqual({ exitCode: 2, requests: [] });
    expect(stderr).toMatch(/keys is no directory\)\nhint: /);
    expect(existsSync(join(folder, 'config.json'))).toBe(false);
  });

  test('its help shows what is kept with the key', async () => {
    const { stdout } = await run('auth login --help');
    expect(stdout).toMatch(/Kept with the key:\n +--profile <name> .*\n +--base-url <url> .*\n\n/);
  });

  test('a second profile is made, and the first stays in use; its settings are kept', async () => {
    await logIn();
    await logIn('--profile staging');
    await run('config set output json --profile staging');
    await logIn('--profile staging');
    expect(config()).toEqual({
      profile: 'default',
      profiles: {
        default: { baseUrl: URL, keyIn: 'file' },
        staging: { baseUrl: URL, keyIn: 'file', output: 'json' },
      },
    });
  });

  test('at another host nothing that was said of the old key holds for the new one', async () => {
    await logIn();
    await run('config set trustedUrls https://other.test');
    await run('config set stagingUrl https://staging.test/v1');
    await run(`auth login --with-key --base-url https://pets.test/v2`, { stdin: SECRET });
    expect(config()).toMatchObject({
      profiles: { default: { trustedUrls: ['https://other.test'], stagingUrl: 'https://staging.test/v1' } },
    });
    await run(`auth login --with-key --base-url https://new.test/v1`, { stdin: SECRET });
    expect(config()).toEqual({
      profile: 'default',
      profiles: { default: { baseUrl: 'https://new.test/v1', keyIn: 'file' } },
    });
  });

  test('where the configuration can not be written the old key stays', async () => {
    await logIn();
    writeFileSync(join(folder, 'config.json'), '{');
    expect(await logIn('', { stdin: 'sk-new' })).toMatchObject({ exitCode: 2 });
    expect(readFileSync(join(folder, 'keys/default.key'), 'utf8')).toBe(`${SECRET}\n`);
  });

  test('--dry-run shows the request, sends and keeps nothing', async () => {
    const { exitCode, stdout, requests } = await logIn('--dry-run');
    expect({ exitCode, requests }).toEqual({ exitCode: 0, requests: [] });
    expect(stdout).toContain('/v1/pets?limit=1');
    expect(stdout).not.toContain(SECRET);
    expect(existsSync(join(folder, 'config.json'))).toBe(false);
  });
});

describe('login takes the profile that all commands would use', () => {
  const place = (content: unknown): string => temporaryFolder({ 'petstore.config.json': content });

  test.each<[string, Record<string, string>, unknown, RegExp]>([
    ['--profile b', { PETSTORE_PROFILE: 'c' }, { profile: 'd' }, /^profile b \(named by --profile\)$/m],
    ['', { PETSTORE_PROFILE: 'c' }, { profile: 'd' }, /^profile c \(named by PETSTORE_PROFILE\)$/m],
    ['', {}, { profile: 'd' }, /^profile d \(named by .*petstore\.config\.json\)$/m],
    ['', {}, {}, /^profile a \(named by .*\/config\.json\)$/m],
  ])('%s %j %j', async (flags, more, content, said) => {
    await logIn('--profile a');
    const world: World = { env: { ...env, ...more }, currentDirectory: place(content) };
    const { exitCode, stderr } = await logIn(flags, world);
    expect(exitCode).toBe(0);
    expect(stderr).toMatch(said);
    const name = said.source.slice(9, 10);
    expect(config()).toMatchObject({ profile: 'a', profiles: { [name]: { baseUrl: URL, keyIn: 'file' } } });
  });

  test('status then tells of the same', async () => {
    const currentDirectory = place({ profile: 'live' });
    await logIn('', { currentDirectory });
    const { stdout } = await run('auth status --offline --json', { currentDirectory });
    expect(JSON.parse(stdout)).toMatchObject({ profile: 'live', baseUrl: URL });
  });

  test('where a project file names it, a key in it is not replaced by the way', async () => {
    await logIn('--profile live');
    const currentDirectory = place({ profile: 'live' });
    const { exitCode, stderr, requests } = await logIn('', { currentDirectory, stdin: 'sk-other' });
    expect({ exitCode, requests }).toEqual({ exitCode: 2, requests: [] });
    expect(stderr).toMatch(/names profile live, which has a key already\nhint: .*auth login --profile live/);
    const keyOf = (): string => readFileSync(join(folder, 'keys/live.key'), 'utf8');
    expect(keyOf()).toBe(`${SECRET}\n`);

    const asked: string[] = [];
    const terminals = ['stdin', 'stderr'] as const;
    const no = { currentDirectory, terminals, prompter: person('sk-other', asked) };
    expect(await run(`auth login --base-url ${URL}`, no)).toMatchObject({ exitCode: 2, requests: [] });
    expect(asked).toEqual([
      expect.stringMatching(/names profile live, which has a key already\. Replace it\?/),
    ]);
    expect(keyOf()).toBe(`${SECRET}\n`);
    const yes: Prompter = {
      ...person('sk-other'),
      choose: (_, choices) => Promise.resolve(choices[1]!.value),
    };
    const line = `auth login --base-url ${URL}`;
    expect(await run(line, { ...no, prompter: yes })).toMatchObject({ exitCode: 0 });
    expect(keyOf()).toBe('sk-other\n');
    // Named by hand it is what its owner wants.
    expect(await logIn('--profile live', { currentDirectory })).toMatchObject({ exitCode: 0 });
    expect(keyOf()).toBe(`${SECRET}\n`);
  });

  test('nor another address of it, and the path can not rewrite the question', async () => {
    await run('config set baseUrl https://old.test/v1 --profile live');
    const currentDirectory = join(temporaryFolder(), 'd\u001b[31m\u202eX');
    mkdirSync(currentDirectory);
    writeFileSync(join(currentDirectory, 'petstore.config.json'), '{ "profile": "live" }');
    const { exitCode, stderr } = await logIn('', { currentDirectory });
    expect(exitCode).toBe(2);
    expect(stderr).toContain('which has another address, https://old.test/v1');
    const asked: string[] = [];
    const terminals = ['stdin', 'stderr'] as const;
    const told = await run(`auth login --base-url ${URL}`, {
      env: { ...env, NO_COLOR: '1' },
      currentDirectory,
      terminals,
      prompter: person(SECRET, asked),
    });
    expect(asked).toHaveLength(1);
    expect(asked.join('') + told.stderr).not.toMatch(/[\u001b\u202e]/);
  });

  test('and warns of what wins over it all the same', async () => {
    const project = place({ profile: 'other', baseUrl: 'https://elsewhere.test/v1' });
    const byProject = await logIn('--profile mine', { currentDirectory: project });
    expect(byProject.stderr).toMatch(
      /warning: .*config\.json names another, and wins: other is still in use/,
    );
    expect(byProject.stderr).toMatch(/warning: .*wins: requests from here go to https:\/\/elsewhere\.test/);
    const stronger = { ...env, PETSTORE_PROFILE: 'c', PETSTORE_BASE_URL: 'https://b.test/v1' };
    const byVariable = await logIn('--profile mine', { env: stronger });
    expect(byVariable.stderr).toContain('warning: PETSTORE_PROFILE is set, and wins: c is still in use here');
    expect(byVariable.stderr).toContain('PETSTORE_BASE_URL is set, and wins: requests from here go to');
    expect((await logIn('--profile mine')).stderr).not.toContain('wins');
  });
});

test('what is chosen to be in use, and is not here, is told', async () => {
  await logIn('--profile a');
  await logIn('--profile b');
  const currentDirectory = temporaryFolder({ 'petstore.config.json': { profile: 'a' } });
  for (const line of ['auth switch b', 'config set profile b']) {
    const { exitCode, stderr } = await run(line, { currentDirectory });
    expect(exitCode).toBe(0);
    expect(stderr).toMatch(/petstore\.config\.json names another, and wins: a is still in use here/);
    expect((await run(line)).stderr).not.toContain('wins');
  }
  const broken = temporaryFolder({ 'petstore.config.json': '{' });
  expect(await run('auth switch a', { currentDirectory: broken })).toMatchObject({ exitCode: 0 });
});

test('a configuration that others could write to is told of once', async () => {
  await logIn();
  chmodSync(join(folder, 'config.json'), 0o666);
  expect((await run('pets list')).stderr).toMatch(/^warning: others could write to .* \(0666\) until now/);
  expect((await run('pets list')).stderr).toBe('');
});

test.each([
  ...['auth switch default', 'config set output json', 'config set profile default', 'config unset output'],
  ...['config set output json --dry-run', 'config get profile', 'auth logout'],
])('and so by %s, which closes it', async (line) => {
  await logIn();
  const path = join(folder, 'config.json');
  chmodSync(path, 0o666);
  const { exitCode, stderr } = await run(line);
  expect(exitCode).toBe(0);
  expect(stderr.match(/warning: others could write to .* \(0666\) until now/g)).toHaveLength(1);
  expect(statSync(path).mode & 0o022).toBe(0);
});

test('a stored key is sent, to the address it was stored with', async () => {
  await logIn();
  const { exitCode, requests } = await run('pets list');
  expect(exitCode).toBe(0);
  expect(requests[0]).toMatchObject({ path: '/v1/pets', headers: { authorization: `Bearer ${SECRET}` } });
});

describe('status', () => {
  const limits = {
    'x-ratelimit-limit': '300',
    'x-ratelimit-remaining': '9',
    'x-ratelimit-reset': String(Date.UTC(2026, 0, 2, 3, 4, 30) / 1_000),
    date: new Date(Date.UTC(2026, 0, 2, 3, 4, 5)).toUTCString(),
  };

  test('names profile, address, source and plan, and never the key', async () => {
    await logIn();
    const { exitCode, stdout, stderr } = await run('auth status --json', {
      answers: [{ body: '[]', headers: limits }],
    });
    expect(exitCode).toBe(0);
    expect(JSON.parse(stdout)).toEqual({
      profile: 'default',
      baseUrl: URL,
      source: join(folder, 'keys/default.key'),
      key: expect.stringMatching(/^\*\*\*\* \(mark [\da-f]{8}\)$/),
      service: 'accepted',
      plan: 'pro',
      planInferred: true,
    });
    expect(stderr).toContain('plain text');
    expect(stdout + stderr).not.toContain(SECRET);
  });

  test.each(['table', 'tsv', 'json'])('shows any of its fields as %s', async (format) => {
    await logIn();
    const answers = [{ body: '[]', headers: limits }];
    const line = `auth status -o ${format} --fields service,planInferred`;
    const { exitCode, stdout } = await run(line, { answers });
    expect({ exitCode, stdout }).toEqual({ exitCode: 0, stdout: expect.stringContaining('true') });
    const plain = await run('auth status -o table', { answers });
    expect(plain.stdout).toContain('pro (inferred)');
    expect(plain.stdout).not.toContain('planInferred');
  });

  test('a service that can not be asked before the limit resets has accepted nothing', async () => {
    await logIn();
    const state = { ...env, PETSTORE_GATE: 'file', PETSTORE_STATE_DIR: join(folder, 'state') };
    const usedUp = { body: '[]', headers: { ...limits, 'x-ratelimit-remaining': '0' } };
    await run('pets list', { env: state, answers: [usedUp] });
    const { stdout, stderr, requests } = await run('auth status --json', { env: state });
    expect(requests).toEqual([]);
    expect(stderr).toMatch(/^the service was not asked: the rate limit is reached/);
    expect(JSON.parse(stdout)).toMatchObject({ service: 'not asked' });
  });

  test('--offline asks nobody', async () => {
    await logIn();
    const { exitCode, stdout, requests } = await run('auth status --offline --json');
    expect({ exitCode, requests }).toEqual({ exitCode: 0, requests: [] });
    expect(JSON.parse(stdout)).toMatchObject({ service: 'not asked', plan: null });
  });

  test('exits 3 for a key that is refused, and where there is none', async () => {
    expect(await run('auth status')).toMatchObject({ exitCode: 3, stdout: '', requests: [] });
    await logIn();
    const { exitCode, stdout } = await run('auth status', { answers: [REFUSED] });
    expect(exitCode).toBe(3);
    expect(stdout).toContain('refused');
  });

  test('of a key from the environment', async () => {
    const world = { env: { PETSTORE_API_KEY: SECRET, PETSTORE_BASE_URL: URL, PETSTORE_CONFIG_DIR: folder } };
    const { stdout } = await run('auth status --offline --json', world);
    expect(JSON.parse(stdout)).toMatchObject({ profile: null, source: 'PETSTORE_API_KEY' });
  });
});

test.each(['auth status', 'auth key'])(
  '%s is not about the mock, which has a key of its own',
  async (line) => {
    await logIn();
    const { exitCode, stdout, stderr } = await run(`${line} --mock`);
    expect({ exitCode, stdout }).toEqual({ exitCode: 2, stdout: '' });
    expect(stderr).toContain(`--mock is not for ${line}: the mock brings a key of its own`);
  },
);

test('key prints the key, alone', async () => {
  await logIn();
  expect(await run('auth key')).toMatchObject({ exitCode: 0, stdout: `${SECRET}\n`, stderr: '' });
});

describe('a key that came into the line is not repeated', () => {
  const KEY = 'sk-misplaced-0123456789';
  test.each([
    ['pets', 'list', '--status', KEY],
    ['pets', 'list', '--limit', KEY],
    ['pets', KEY],
    ['pets', 'list', `--colour-${KEY}`],
    [KEY],
  ])('a stored one: %j', async (...line) => {
    await logIn('', { stdin: KEY });
    const { exitCode, stdout, stderr } = await runFake(line, { env });
    expect(exitCode).toBe(2);
    expect(stdout + stderr).not.toContain(KEY);
    expect(stderr).toContain('[key]');
  });

  test.each([
    ['pets', 'list', `--api-key=${KEY}`],
    ['auth', 'login', `--with-key=${KEY}`],
    ['pets', `--api-key=${KEY}`],
    [`--token=${KEY}`, 'pets', 'list'],
    ['pets', 'list', `--api-key=a\n${KEY}`],
    ['pets', 'list', `--api-key=it's=${KEY}`],
  ])('nor any, behind the = of an unknown option: %j', async (...line) => {
    const { exitCode, stdout, stderr } = await runFake(line, { env });
    expect(exitCode).toBe(2);
    expect(stdout + stderr).not.toContain(KEY);
    expect(stderr).toMatch(/unknown option ['"]--[a-z-]+=…['"]/);
  });
});

test('logout takes nothing while another one, such as a login, changes the configuration', async () => {
  await logIn();
  writeFileSync(join(folder, 'config.json.lock'), 'another');
  const { exitCode, stderr } = await run('auth logout');
  expect({ exitCode, stderr }).toEqual({ exitCode: 2, stderr: expect.stringContaining('another petstore') });
  expect(readFileSync(join(folder, 'keys/default.key'), 'utf8')).toBe(`${SECRET}\n`);
});

test('logout also takes a key out of the keychain that a later one, in a file, left there', async () => {
  const keychain = openKeychain();
  await logIn('', { keychain });
  const account = `default in ${folder}`;
  const { stderr } = await logIn();
  expect(stderr).toContain('warning: the keychain may hold a key of this profile too');
  expect(await keychain.find(account)).toBe(SECRET);
  expect((await run('auth logout', { keychain })).stderr).toBe('the key of profile default is forgotten\n');
  expect(await keychain.find(account)).toBeUndefined();
});

test('a logout that can not ask the keychain says so', async () => {
  await logIn();
  const { exitCode, stderr } = await run('auth logout');
  expect(exitCode).toBe(0);
  expect(stderr).toBe(
    "the key of profile default is forgotten\nthe keychain can't be asked (there is none here): a key that it took before would still be there\n",
  );
});

test('logout forgets the key and keeps the profile', async () => {
  await logIn();
  expect(await run('auth logout')).toMatchObject({ exitCode: 0, stdout: '' });
  expect(config()).toEqual({ profile: 'default', profiles: { default: { baseUrl: URL } } });
  expect(existsSync(join(folder, 'keys/default.key'))).toBe(false);
  expect(await run('auth key')).toMatchObject({ exitCode: 3, stdout: '' });
  expect((await run('auth logout')).stderr).toContain('had no stored key');
});

describe('list and switch', () => {
  test('mark the profile in use', async () => {
    await logIn();
    await logIn('--profile staging');
    expect((await run('auth list')).stdout).toBe(`*\tdefault\t${URL}\tfile\n\tstaging\t${URL}\tfile\n`);
    expect(await run('auth switch staging')).toMatchObject({ exitCode: 0, stdout: '' });
    const { stdout } = await run('auth list --json');
    expect(JSON.parse(stdout)).toMatchObject([{ current: false }, { current: true, profile: 'staging' }]);
  });

  test('a name that is none: what was meant', async () => {
    await logIn('--profile staging');
    const { exitCode, stderr } = await run('auth switch stagnig');
    expect(exitCode).toBe(2);
    expect(stderr).toContain('did you mean staging?');
  });

  test('without a name there is a choice on a terminal, and a list elsewhere', async () => {
    await logIn();
    await logIn('--profile staging');
    expect((await run('auth switch')).stderr).toContain('name one of: default, staging');
    const world: World = { terminals: ['stdin', 'stderr'], prompter: person('') };
    expect(await run('auth switch', world)).toMatchObject({ exitCode: 0 });
  });

  test('a variable that wins is told', async () => {
    await logIn();
    await logIn('--profile staging');
    const { stderr } = await run('auth switch staging', { env: { ...env, PETSTORE_PROFILE: 'default' } });
    expect(stderr).toContain('PETSTORE_PROFILE is set, and wins');
  });
});
