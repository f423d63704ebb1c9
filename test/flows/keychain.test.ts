import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { createMock, type MockServer } from '../../src/mock/index.js';
import { accountOf, keyFileOf } from '../support/auth.js';
import { shellWords } from '../support/parse-line.js';
import { IS_FULL } from '../support/random-runs.js';
import { runResident } from '../support/resident-cli.js';
import { type Finished, startCli } from '../support/run-cli.js';
import { temporaryFolder } from '../support/temporary-folder.js';
import { type AtTerminal, atTerminal, whyNoTerminal, withoutEscapes } from '../support/terminal.js';

const FAKE_KEYRING = join(import.meta.dirname, '../support/fake-keyring.cjs');
const REFUSE_RENAME = join(import.meta.dirname, '../support/refuse-rename.cjs');
const [NEW, OLD] = ['sk-new-secret', 'sk-old-secret'];

const mock = createMock({ keys: [NEW, OLD], plan: 'unlimited' });
let server: MockServer;
beforeAll(async () => {
  server = await mock.listen();
});
afterAll(() => server.close());

let folder: string;
let env: Record<string, string>;
beforeEach(() => {
  mock.reset();
  folder = temporaryFolder();
  env = {
    PETSTORE_CONFIG_DIR: folder,
    NAPI_RS_NATIVE_LIBRARY_PATH: FAKE_KEYRING,
    KEYRING: join(folder, 'keyring.json'),
  };
});

/** The names that an earlier version used, which knew no origin. */
const account = (): string => `default in ${folder}`;
const newAccount = (): string => accountOf('default', folder, server.baseUrl);
const setKeychain = (state: string, secrets: Record<string, string> = {}): void => {
  // Whole at once: a process that waits for its prompt reads it again and again.
  writeFileSync(`${env.KEYRING!}.next`, JSON.stringify({ state, secrets }));
  renameSync(`${env.KEYRING!}.next`, env.KEYRING!);
};
const secrets = (): Record<string, string> => JSON.parse(readFileSync(env.KEYRING!, 'utf8')).secrets;
const keyFile = (): string => join(folder, 'keys/default.key');
const newKeyFile = (): string => join(folder, keyFileOf('default', server.baseUrl));
const config = (): unknown => JSON.parse(readFileSync(join(folder, 'config.json'), 'utf8'));
const run = (line: string, input = ''): Promise<Finished> => runResident(shellWords(line), { env, input });
const logIn = (flags = ''): Promise<Finished> =>
  run(`auth login --with-key --base-url ${server.baseUrl} ${flags}`, `${NEW}\n`);

/** Writes what an earlier login has stored. */
function storeOld(keyIn: 'file' | 'keychain'): void {
  const content = { profile: 'default', profiles: { default: { baseUrl: server.baseUrl, keyIn } } };
  writeFileSync(join(folder, 'config.json'), JSON.stringify(content));
  mkdirSync(join(folder, 'keys'), { mode: 0o700 });
  if (keyIn === 'file') writeFileSync(keyFile(), `${OLD}\n`, { mode: 0o600 });
}

describe('login without a terminal', () => {
  test.each([
    // The first one waits.
    ...(IS_FULL
      ? [
          ['prompt', 'it did not respond within 3 s. It may be locked, or its prompt may be open'],
          ['broken', 'DBus error: Process org.freedesktop.secrets exited with status 1'],
        ]
      : []),
    ['dismissed', 'Secret Service: unlock prompt was dismissed'],
    ['forgets', 'it does not return what it stores'],
  ])('%s: nothing is sent or stored, and the older key works', async (state, reason) => {
    storeOld('file');
    setKeychain(state);
    const { exitCode, stdout, stderr } = await logIn();
    expect({ exitCode, stdout, requests: mock.journal }).toEqual({ exitCode: 2, stdout: '', requests: [] });
    expect(stderr).toBe(
      `error: The key can't be stored in the keychain: ${reason}\n` +
        'hint: Unlock the keychain and try again, or store a key in a file with "petstore auth login --insecure-storage".\n',
    );
    expect(secrets()).toEqual({});
    expect((await run('auth key')).stdout).toBe(`${OLD}\n`);
  });

  test('a keychain that fails after the check of the key: the older key works', async () => {
    storeOld('file');
    setKeychain('fails after the check');
    // The key was sent, so it is no usage error.
    expect(await logIn()).toMatchObject({ exitCode: 1, stderr: expect.stringContaining('was dismissed') });
    expect((await run('auth key')).stdout).toBe(`${OLD}\n`);
  });

  test('a configuration that can not be written: the older key works, at its address', async () => {
    storeOld('file');
    setKeychain('absent');
    const before = config();
    const args = ['auth', 'login', '--with-key', '--base-url', server.baseUrl, '--insecure-storage'];
    const login = startCli(args, {
      env: { ...env, NODE_OPTIONS: `--require=${REFUSE_RENAME}`, REFUSED_FILE: 'config.json' },
      input: `${NEW}\n`,
    });
    // The key was sent, so it is no usage error.
    expect(await login.finished).toMatchObject({ exitCode: 1, stdout: '' });
    expect(config()).toEqual(before);
    expect((await run('auth key')).stdout).toBe(`${OLD}\n`);
  });

  test.each([
    ['absent', 'this session has no keychain service'],
    ...(IS_FULL ? [['empty', 'its service has no collection for secrets yet'] as const] : []),
  ] as const)(
    'no keychain (%s): a private file, with a note (more with PETSTORE_TEST_FULL=1)',
    async (state, reason) => {
      setKeychain(state);
      const { exitCode, stderr } = await logIn();
      expect(exitCode).toBe(0);
      expect(stderr).toContain(`The keychain can't be used (${reason}).\n`);
      expect(stderr).toContain('plain text');
      expect(readFileSync(newKeyFile(), 'utf8')).toBe(`${NEW}\n`);
    },
  );

  test('--insecure-storage uses a file without a question to the keychain', async () => {
    setKeychain('prompt');
    expect(await logIn('--insecure-storage')).toMatchObject({
      exitCode: 0,
      stderr: expect.not.stringContaining("can't be used"),
    });
    expect(readFileSync(newKeyFile(), 'utf8')).toBe(`${NEW}\n`);
    expect(config()).toMatchObject({ profiles: { default: { keyIn: 'file' } } });
  });

  test('--insecure-storage removes the older key from the keychain', async () => {
    storeOld('keychain');
    setKeychain('open', { [account()]: OLD, other: 'theirs' });
    expect((await logIn('--insecure-storage')).exitCode).toBe(0);
    expect(secrets()).toEqual({ other: 'theirs' });
  });

  test('a key that moves into the keychain leaves no file behind', async () => {
    storeOld('file');
    setKeychain('open');
    expect(await logIn()).toMatchObject({ exitCode: 0, stdout: `default\t${server.baseUrl}\tkeychain\n` });
    expect(secrets()).toEqual({ [newAccount()]: NEW });
    expect(existsSync(keyFile())).toBe(false);
  });
});

test.each([
  ...['pets list', 'auth status --offline', 'auth rename default x'],
  ...(IS_FULL ? ['auth key', 'auth status', 'limits'] : []),
])('%s with a locked keychain fails with the reason, and changes nothing', async (line) => {
  storeOld('keychain');
  setKeychain('dismissed', { [account()]: OLD });
  const before = config();
  const { exitCode, stdout, stderr } = await run(line);
  expect({ exitCode, stdout, requests: mock.journal }).toEqual({ exitCode: 2, stdout: '', requests: [] });
  expect(stderr).toContain("The key of profile default can't be read from the keychain: Secret Service: ");
  expect(stderr).toContain('hint: Unlock the keychain');
  expect(config()).toEqual(before);
});

test.each(['auth logout', ...(IS_FULL ? ['auth delete default --yes'] : [])])(
  '%s with a locked keychain removes nothing (more with PETSTORE_TEST_FULL=1)',
  async (line) => {
    storeOld('keychain');
    setKeychain('dismissed', { [account()]: OLD });
    const before = config();
    expect(await run(line)).toMatchObject({ exitCode: 2, stderr: expect.stringContaining('was dismissed') });
    expect(config()).toEqual(before);
    setKeychain('open', secrets());
    expect((await run('auth key')).stdout).toBe(`${OLD}\n`);
  },
);

test('auth list and auth switch do not need the keychain', async () => {
  storeOld('keychain');
  setKeychain('dismissed', { [account()]: OLD });
  expect((await run('auth list')).exitCode).toBe(0);
  expect((await run('auth switch default')).exitCode).toBe(0);
});

const skipReason = whyNoTerminal();
describe.skipIf(skipReason !== undefined)(
  `login at a terminal${skipReason === undefined ? '' : ` (${skipReason})`}`,
  () => {
    const typeKey = async (flags: readonly string[] = [], more = {}): Promise<AtTerminal> => {
      const line = ['auth', 'login', '--base-url', server.baseUrl, ...flags];
      const terminal = atTerminal(line, { env: { ...env, ...more }, columns: 120 });
      await terminal.sees(/API key/);
      terminal.type(`${NEW}\r`);
      return terminal;
    };

    test.each(IS_FULL ? [{}, { TERM: 'dumb' }] : [{}])(
      'waits for the prompt of the keychain, with a notice: %j',
      async (more) => {
        storeOld('file');
        setKeychain('prompt');
        const terminal = await typeKey([], more);
        await terminal.sees(/Waiting for the keychain\. If it prompts, answer there\. Press \^C to cancel/);
        expect(mock.journal).toEqual([]);
        setKeychain('open');
        expect((await terminal.finished).exitCode).toBe(0);
        expect(secrets()).toEqual({ [newAccount()]: NEW });
        expect(existsSync(keyFile())).toBe(false);
      },
    );

    // Otherwise test/flows/terminal.test.ts has a ^C at a login.
    test.runIf(IS_FULL)('^C ends the wait; nothing is sent or stored (PETSTORE_TEST_FULL=1)', async () => {
      storeOld('file');
      setKeychain('prompt');
      const terminal = await typeKey();
      await terminal.sees(/Waiting for the keychain/);
      terminal.type('\u0003');
      const { exitCode, shown } = await terminal.finished;
      expect({ exitCode, requests: mock.journal }).toEqual({ exitCode: 130, requests: [] });
      expect(shown).not.toMatch(/error|\[key\]/);
      expect(readFileSync(keyFile(), 'utf8')).toBe(`${OLD}\n`);
      expect(secrets()).toEqual({});
    });

    test.each([
      ['\r', 2, OLD],
      // The next test chooses the file, too.
      ...(IS_FULL ? [['\u001b[B\r', 0, NEW] as const] : []),
    ] as const)(
      'asks after a refusal, also with --yes: %j (more with PETSTORE_TEST_FULL=1)',
      async (keys, exitCode, stored) => {
        storeOld('file');
        setKeychain('dismissed');
        const terminal = await typeKey(['--yes']);
        await terminal.sees(/Store the key in a file/);
        expect(mock.journal).toEqual([]);
        terminal.type(keys);
        const end = await terminal.finished;
        expect(end.exitCode).toBe(exitCode);
        expect(withoutEscapes(end.shown)).toContain('unlock prompt was dismissed');
        expect(readFileSync(stored === NEW ? newKeyFile() : keyFile(), 'utf8')).toBe(`${stored}\n`);
      },
    );

    test('a refusal with an older key in the keychain: the file, a warning and no second prompt', async () => {
      storeOld('keychain');
      setKeychain('dismissed', { [account()]: OLD });
      const terminal = await typeKey();
      await terminal.sees(/Store the key in a file/);
      // A second use of the keychain would wait for ever.
      setKeychain('prompt', { [account()]: OLD });
      terminal.type('\u001b[B\r');
      const { exitCode, shown } = await terminal.finished;
      expect(exitCode).toBe(0);
      expect(shown).toContain('The keychain may still hold an older key');
      expect((await run('auth key')).stdout).toBe(`${NEW}\n`);
    });
  },
);
