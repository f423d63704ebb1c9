import { cpSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { listening } from '../support/loopback-port.js';
import { IS_FULL } from '../support/random-runs.js';
import { runResident } from '../support/resident-cli.js';
import { startCli } from '../support/run-cli.js';
import { temporaryFolder } from '../support/temporary-folder.js';

// A command that changes keys or profiles is killed at each of its changes in turn. Other commands follow. No key reaches the
// host of another key, the configuration is valid, and every key is one that a profile uses or that the next edit removes.
// One run copies what a kill at each change would leave. Some are killed, too, and must leave the same.

const KILL_AT_CHANGE = join(import.meta.dirname, '../support/kill-at-change.cjs');
const FAKE_KEYRING = join(import.meta.dirname, '../support/fake-keyring.cjs');

/** The changes that are tested: every one with PETSTORE_TEST_FULL=1. */
const STRIDE = IS_FULL ? 1 : 9;
/** One of so many kills is a real one. */
const REAL_STRIDE = IS_FULL ? 6 : 18;

/** Two services. The key of the one is wrong at the other. */
const received: { host: 'A' | 'B'; key: string }[] = [];
const hosts = (['A', 'B'] as const).map((host) => ({
  host,
  server: createServer(({ headers }, response) => {
    received.push({ host, key: String(headers.authorization).replace('Bearer ', '') });
    response.setHeader('content-type', 'application/json').end('[]');
  }),
}));
const urls = { A: '', B: '' };
for (const { host, server } of hosts)
  urls[host] = `http://127.0.0.1:${String(await listening(server, afterAll))}/v1`;

/** A folder with the configuration and, outside of it, the file of the keychain. */
function environment(folder: string): Record<string, string> {
  return {
    PETSTORE_CONFIG_DIR: join(folder, 'config'),
    NAPI_RS_NATIVE_LIBRARY_PATH: FAKE_KEYRING,
    KEYRING: join(folder, 'keyring.json'),
  };
}

/** A key of host A starts with sk-A. */
const logIn = (profile: string, host: 'A' | 'B', more: readonly string[] = []): string[] => [
  ...['auth', 'login', '--with-key', '--profile', profile, '--base-url', urls[host], ...more],
];

/** The profile "shop" at host A, and another one at host B. */
async function prepared(more: readonly string[]): Promise<string> {
  const folder = temporaryFolder({ 'keyring.json': { state: 'open', secrets: {} } });
  const env = environment(folder);
  for (const [profile, host] of [
    ['shop', 'A'],
    ['other', 'B'],
  ] as const) {
    const { exitCode } = await runResident(logIn(profile, host, more), { env, input: `sk-${host}-old\n` });
    expect(exitCode).toBe(0);
  }
  return folder;
}

const FILE = ['--insecure-storage'];
const CASES: [name: string, stored: readonly string[], line: () => string[], input?: string][] = [
  ['login for another host', FILE, () => logIn('shop', 'B', FILE), 'sk-B-new\n'],
  ['rename', FILE, () => ['auth', 'rename', 'shop', 'counter']],
  ['login for another host, in the keychain', [], () => logIn('shop', 'B'), 'sk-B-new\n'],
  ['login with another key', FILE, () => logIn('shop', 'A', FILE), 'sk-A-new\n'],
  ['login that moves a key into the keychain', FILE, () => logIn('shop', 'B'), 'sk-B-new\n'],
  ['first login', FILE, () => logIn('new', 'B', FILE), 'sk-B-new\n'],
  ['rename in the keychain', [], () => ['auth', 'rename', 'shop', 'counter']],
  ['switch', FILE, () => ['auth', 'switch', 'other']],
  ['delete', FILE, () => ['auth', 'delete', 'shop', '--yes']],
  ['delete from the keychain', [], () => ['auth', 'delete', 'shop', '--yes']],
  ['logout', FILE, () => ['auth', 'logout', '--profile', 'shop']],
  ['config set', FILE, () => ['config', 'set', 'output', 'json', '--profile', 'shop']],
];

/** Runs a command in a process of its own. @returns whether it was killed at a change. */
async function killed(
  folder: string,
  line: readonly string[],
  input: string,
  at: Readonly<Record<string, string>>,
): Promise<boolean> {
  const env = {
    ...environment(folder),
    NODE_OPTIONS: `--require=${KILL_AT_CHANGE}`,
    KILLED_FOLDER: join(folder, 'config'),
    ...at,
  };
  const { exitCode, stderr } = await startCli(line, { env, input }).finished;
  if (exitCode !== null) expect({ exitCode, stderr }).toMatchObject({ exitCode: 0 });
  return exitCode === null;
}

/** All files and folders in a folder, with the content of the files. */
function stateOf(folder: string): string[] {
  const names = readdirSync(folder, { recursive: true, encoding: 'utf8' });
  const contents = names.map((name) => {
    const path = join(folder, name);
    return statSync(path).isDirectory() ? `${name}/` : `${name}: ${readFileSync(path, 'utf8')}`;
  });
  return contents.sort();
}

/** What differs from run to run: owners of locks, and the random parts of names. */
const RANDOM = /_\d+_\w+_[\da-f-]{36}|(?<=@|tmp-)[\da-f]{16}/g;

/** The state of a folder without what differs from run to run. */
function plainStateOf(folder: string): string[] {
  return stateOf(folder)
    .map((line) => line.replaceAll(RANDOM, 'random'))
    .sort();
}

/** The state after a kill is right for every other command. */
async function expectSafe(folder: string): Promise<void> {
  const env = environment(folder);
  const config = (): { profiles: Record<string, { keyIn?: string }> } =>
    JSON.parse(readFileSync(join(folder, 'config/config.json'), 'utf8'));
  for (const [profile, { keyIn }] of Object.entries(config().profiles)) {
    const { exitCode, stderr } = await runResident(['pets', 'list', '--profile', profile], { env });
    // A logout or delete removes the key first.
    if (exitCode !== 0)
      expect({ exitCode, stderr }).toMatchObject({
        exitCode: 3,
        stderr: expect.stringContaining('No API key'),
      });
    else expect(keyIn).toBeDefined();
  }
  expect(received.filter(({ host, key }) => !key.startsWith(`sk-${host}-`))).toEqual([]);
  expect((await runResident(['auth', 'switch', 'other'], { env })).exitCode).toBe(0);
  const { profiles } = config();
  const used = Object.values(profiles).filter(({ keyIn }) => keyIn !== undefined);
  const files = readdirSync(join(folder, 'config/keys'));
  const { secrets } = JSON.parse(readFileSync(join(folder, 'keyring.json'), 'utf8'));
  const named = files.filter((name) => name.endsWith('.keychain'));
  expect(files.length).toBeLessThanOrEqual(used.length);
  expect(Object.keys(secrets).length).toBeLessThanOrEqual(named.length);
  expect(readdirSync(join(folder, 'config')).sort()).toEqual(['config.json', 'keys']);
}

test.each(IS_FULL ? CASES : CASES.slice(0, 1))(
  '%s: a kill at each change (all commands and changes with PETSTORE_TEST_FULL=1)',
  async (_, stored, line, input = '') => {
    const folder = await prepared(stored);
    const before = temporaryFolder();
    cpSync(folder, before, { recursive: true });
    // The same path: the names in the keychain contain it.
    const restore = (copy: string): void => {
      rmSync(folder, { recursive: true });
      cpSync(copy, folder, { recursive: true });
    };
    const copies = temporaryFolder();
    expect(await killed(folder, line(), input, { COPIED_FOLDER: folder, COPIES: copies })).toBe(false);
    await expectSafe(folder);
    const changes = readdirSync(copies).length;
    expect(changes).toBeGreaterThan(15);
    const known = new Set<string>();
    for (let change = 1; change <= changes; change += STRIDE) {
      const copy = join(copies, String(change));
      const state = stateOf(copy).join('\n');
      // Some changes, such as a sync, leave the same state.
      if (known.has(state)) continue;
      known.add(state);
      restore(copy);
      await expectSafe(folder);
    }
    for (let change = 1; change <= changes; change += REAL_STRIDE) {
      restore(before);
      expect(await killed(folder, line(), input, { KILLED_CHANGE: String(change) })).toBe(true);
      expect(plainStateOf(folder)).toEqual(plainStateOf(join(copies, String(change))));
    }
  },
  600_000,
);
