import { execFile, spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, describe, expect, onTestFinished, test } from 'vitest';
import { createMock } from '../src/mock/index.js';
import { requireBuild } from './support/built.js';
import { IS_FULL } from './support/random-runs.js';
import { ROOT } from './support/source-tree.js';

requireBuild();

/** Other Node binaries; `.ci/run` installs them. */
const others = (process.env.PETSTORE_TEST_NODES ?? '').split(delimiter).filter((path) => path !== '');

/** 2^53 + 1: the first whole number that a double cannot hold. */
const BEYOND_DOUBLE = '9007199254740993';

/** The configuration and state directory of the commands: no profile, no stored budget. */
const emptyFolder = mkdtempSync(join(tmpdir(), 'petstore-runtimes-'));
afterAll(() => {
  rmSync(emptyFolder, { recursive: true });
});

const OWN_ENV = {
  PATH: process.env.PATH,
  PETSTORE_CONFIG_DIR: emptyFolder,
  PETSTORE_STATE_DIR: emptyFolder,
  PETSTORE_API_KEY: 'a-key-of-the-runtimes-test',
};

const runtimes = [
  [process.version, process.execPath] as const,
  ...others.map((node) => [run(node, ['--version']).stdout.trim(), node] as const),
];

describe.each(runtimes)('Node %s', (version, node) => {
  test('version, help and completion load no HTTP client, and leave nothing in the cache', () => {
    const XDG_CACHE_HOME = mkdtempSync(join(emptyFolder, 'cache-'));
    const { version: expected } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'));
    for (const [line, text] of [
      ['--version', `${expected}\n`],
      ['--help', 'Usage: petstore COMMAND'],
      ['completion bash', 'petstore __complete bash'],
      ['__complete bash 1 -- pets l', 'list'],
    ] as const) {
      const { status, stdout, loaded } = loadedBy(node, line, { XDG_CACHE_HOME });
      expect({ line, status, stdout }).toEqual({ line, status: 0, stdout: expect.stringContaining(text) });
      expect(loaded).toContain('bin/petstore.cjs');
      // On Node 22 and later a getter of node:http loads undici, which nearly doubles the start-up time (tsup.config.ts).
      expect(loaded.filter((name) => name.includes('undici'))).toEqual([]);
    }
    expect(readdirSync(XDG_CACHE_HOME)).toEqual([]);
  });

  test.runIf(IS_FULL)('pets list --mock -o json prints an array of pets (PETSTORE_TEST_FULL=1)', () => {
    const { status, stdout, stderr } = petstore(node, 'pets', 'list', '--mock', '-o', 'json');
    expect({ status, stderr }).toEqual({ status: 0, stderr: expect.not.stringContaining('Warning') });
    const pets = JSON.parse(stdout);
    expect(pets.length).toBeGreaterThan(0);
    expect(pets[0]).toMatchObject({ name: expect.any(String), categoryId: expect.any(Number) });
  });

  test.runIf(IS_FULL)('pets create --mock keeps a category beyond 2^53 (PETSTORE_TEST_FULL=1)', () => {
    const values = ['--name', 'Ида', '--category', BEYOND_DOUBLE, '--status', 'pending'];
    const { status, stdout } = petstore(node, 'pets', 'create', '--mock', ...values, '-o', 'json');
    expect(status).toBe(0);
    expect(stdout).toMatch(new RegExp(`"categoryId":\\s*${BEYOND_DOUBLE}\\b`));
    expect(stdout).toContain('Ида');
  });

  test('pets list --mock, piped, prints tabs and no colour, also with the compile cache', () => {
    const XDG_CACHE_HOME = mkdtempSync(join(emptyFolder, 'cache-'));
    const list = (): Outcome => run(node, ['bin/petstore.cjs', 'pets', 'list', '--mock'], { XDG_CACHE_HOME });
    const first = list();
    expect(first.status).toBe(0);
    const lines = first.stdout.trimEnd().split('\n');
    expect(lines.length).toBeGreaterThan(0);
    for (const line of lines) expect(line).toMatch(/^\d+\t[^\t]+\t/);
    expect(first.stdout).not.toContain('\u001b');
    expect(readdirSync(join(XDG_CACHE_HOME, 'petstore/compiled'))).toEqual([
      `${version.slice(1)}-${process.arch}-pets-list`,
    ]);
    expect(list()).toEqual(first);
  });

  test.runIf(IS_FULL)('an import keeps the young generation of V8 small (PETSTORE_TEST_FULL=1)', async () => {
    const server = await createMock({ plan: 'unlimited' }).listen();
    onTestFinished(() => server.close());
    const folder = mkdtempSync(join(emptyFolder, 'import-'));
    const rows = Array.from({ length: 1_500 }, (_, row) => `Pet ${String(row)},7`);
    writeFileSync(join(folder, 'pets.csv'), `name,categoryId\n${rows.join('\n')}\n`);
    const preloaded = ['-r', './test/support/report-new-space.cjs', 'bin/petstore.cjs', 'pets', 'import'];
    const { stdout, stderr } = await runAsync(
      node,
      [...preloaded, join(folder, 'pets.csv'), '--concurrency', '32'],
      {
        PETSTORE_BASE_URL: server.baseUrl,
        PETSTORE_API_KEY: 'mock-key',
        XDG_CACHE_HOME: join(folder, 'cache'),
      },
    );
    expect(stdout).toContain('created\t1500');
    // V8 would reject the code if the command did not restore its flags.
    expect(readdirSync(join(folder, 'cache/petstore/compiled'))).toHaveLength(1);
    // Without the limit of the command it grows to 32 MB or more.
    expect(Number(stderr.trimEnd().split('\n').at(-1))).toBeLessThanOrEqual(16 * 2 ** 20);
  });

  // undici 8 needs Node 22.19. `.ci/run` installs it.
  const undici8 = isAtLeast(version, 22, 19) ? (process.env.PETSTORE_TEST_UNDICI ?? '') : '';
  const dispatchers = ['undici', ...(undici8 === '' ? [] : [`${undici8}/index.js`])];
  test(`the library lists, creates and gets over loopback, also through dispatchers: ${dispatchers.join()}`, () => {
    const { status, stdout, stderr } = run(node, ['test/support/library-smoke.mjs', ...dispatchers]);
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
    const pet = { name: 'Ида', status: 'pending' };
    const found = { listed: 5, created: pet, got: pet };
    const outcomes = stdout.trimEnd().split('\n');
    expect(outcomes.map((line) => JSON.parse(line) as unknown)).toMatchObject([
      { ...found, dispatched: 0 },
      ...dispatchers.map(() => ({ ...found, dispatched: 3 })),
    ]);
    for (const line of outcomes)
      expect(line.match(new RegExp(`"categoryId":${BEYOND_DOUBLE}\\b`, 'g'))).toHaveLength(2);
  });

  test('a CommonJS program requires the library', () => {
    const script =
      "console.log(typeof require('petstore').createPetStore, typeof require('petstore/mock').createMock)";
    // The working directory decides which package an -e script belongs to.
    const { status, stdout } = run(node, ['--no-warnings', '-e', script]);
    expect({ status, stdout }).toEqual({ status: 0, stdout: 'function function\n' });
  });
});

if (others.length === 0) {
  test('other Node releases (skipped: PETSTORE_TEST_NODES is not set; .ci/run sets it)', (context) => {
    context.skip();
  });
}

function isAtLeast(version: string, major: number, minor: number): boolean {
  const [ownMajor = 0, ownMinor = 0] = version.replace('v', '').split('.').map(Number);
  return ownMajor > major || (ownMajor === major && ownMinor >= minor);
}

/** Runs a command, and lists the files and the parts of Node's undici that it has loaded when it ends. */
function loadedBy(
  node: string,
  line: string,
  env: Record<string, string> = {},
): Outcome & { loaded: string[] } {
  const preloaded = ['-r', './test/support/report-loaded.cjs', 'bin/petstore.cjs', ...line.split(' ')];
  const outcome = run(node, preloaded, env);
  return { ...outcome, loaded: JSON.parse(outcome.stderr.trimEnd().split('\n').at(-1)!) };
}

function petstore(node: string, ...args: string[]): Outcome {
  return run(node, ['bin/petstore.cjs', ...args]);
}

interface Outcome {
  status: number | null;
  stdout: string;
  stderr: string;
}

/** Runs Node without the developer's own settings. */
function run(node: string, args: string[], env: Record<string, string> = {}): Outcome {
  const { status, stdout, stderr, error } = spawnSync(node, args, {
    cwd: ROOT,
    encoding: 'utf8',
    timeout: 15_000,
    env: { ...OWN_ENV, ...env },
  });
  if (error !== undefined) throw error;
  return { status, stdout, stderr };
}

/** Like `run`, for a server in this process. */
function runAsync(
  node: string,
  args: string[],
  env: Record<string, string>,
): Promise<{ stdout: string; stderr: string }> {
  return promisify(execFile)(node, args, { cwd: ROOT, env: { ...OWN_ENV, ...env } });
}
