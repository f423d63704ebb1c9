import { spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { ROOT } from './support/source-tree.js';

/** More Node binaries, as `.ci/run` installs them. */
const others = (process.env.PETSTORE_TEST_NODES ?? '').split(delimiter).filter((path) => path !== '');

/** 2^53 + 1: the first whole number that a double cannot hold. */
const BEYOND_DOUBLE = '9007199254740993';

/** A service that refuses the connection: nobody listens on port 1 of the loopback address. */
const NOBODY = 'http://127.0.0.1:1/v1';

/** Where a command under test finds neither a profile nor a gate's state. */
const emptyFolder = mkdtempSync(join(tmpdir(), 'petstore-runtimes-'));
afterAll(() => {
  rmSync(emptyFolder, { recursive: true });
});

const runtimes = [process.execPath, ...others].map(
  (node) => [run(node, ['--version']).stdout.trim(), node] as const,
);

describe.each(runtimes)('Node %s', (_, node) => {
  test('--version prints the version of package.json', () => {
    const { version: expected } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'));
    expect(petstore(node, '--version')).toEqual({ status: 0, stdout: `${expected}\n`, stderr: '' });
  });

  test('pets list --mock -o json prints an array of animals', () => {
    const { status, stdout, stderr } = petstore(node, 'pets', 'list', '--mock', '-o', 'json');
    expect({ status, stderr }).toEqual({ status: 0, stderr: expect.not.stringContaining('Warning') });
    const pets = JSON.parse(stdout);
    expect(pets.length).toBeGreaterThan(0);
    expect(pets[0]).toMatchObject({ name: expect.any(String), categoryId: expect.any(Number) });
  });

  test('pets list --mock, piped, prints tabs and no colour', () => {
    const { status, stdout } = petstore(node, 'pets', 'list', '--mock');
    expect(status).toBe(0);
    const lines = stdout.trimEnd().split('\n');
    expect(lines.length).toBeGreaterThan(0);
    for (const line of lines) expect(line).toMatch(/^\d+\t[^\t]+\t/);
    expect(stdout).not.toContain('\u001b');
  });

  test('pets create --mock keeps a category beyond 2^53', () => {
    const values = ['--name', 'Ида', '--category-id', BEYOND_DOUBLE, '--status', 'pending'];
    const { status, stdout } = petstore(node, 'pets', 'create', '--mock', ...values, '-o', 'json');
    expect(status).toBe(0);
    expect(stdout).toMatch(new RegExp(`"categoryId":\\s*${BEYOND_DOUBLE}\\b`));
    expect(stdout).toContain('Ида');
  });

  // On Node 22 and later a getter of node:http loads Node's own undici: most of a bare start again (tsup.config.ts).
  test.each([
    { line: '--version', exit: 0 },
    { line: '--help', exit: 0 },
    { line: `pets list --base-url ${NOBODY} --no-retry`, exit: 7 },
  ])('$line: loads no HTTP client that it does not use', ({ line, exit }) => {
    const preloaded = ['-r', './test/support/report-loaded.cjs', 'bin/petstore.cjs', ...line.split(' ')];
    const { status, stderr } = run(node, preloaded);
    expect(status).toBe(exit);
    const loaded: string[] = JSON.parse(stderr.trimEnd().split('\n').at(-1)!);
    expect(loaded).toContain('bin/petstore.cjs');
    expect(loaded.filter((name) => name.includes('undici'))).toEqual([]);
  });

  test('a command keeps its compiled code, takes it the next time, and says the same with it', () => {
    const XDG_CACHE_HOME = mkdtempSync(join(emptyFolder, 'cache-'));
    const list = (): Reported => report(node, ['pets', 'list', '--mock'], { XDG_CACHE_HOME });
    const first = list();
    expect(first.outcome.status).toBe(0);
    expect(first.loaded.map(({ refused }) => refused)).toEqual(first.loaded.map(() => null));
    const second = list();
    expect(second).toEqual({
      outcome: first.outcome,
      loaded: first.loaded.map(({ file }) => ({ file, refused: false })),
    });
    expect(readdirSync(join(XDG_CACHE_HOME, 'petstore', 'compiled'))).toHaveLength(1);
  });

  test('a list loads no more of the program than it uses', () => {
    const { loaded } = report(node, ['pets', 'list', '--base-url', NOBODY, '--no-retry', '-o', 'json']);
    const kinds = loaded.map(({ file }) => file.replace(/-[A-Z0-9]{8}(?=\.cjs$)/, ''));
    const ofErrors = ['error-report.cjs', 'chunk.cjs'];
    expect(kinds).toEqual(['lifecycle.cjs', 'core.cjs', 'register.cjs', 'client.cjs', ...ofErrors]);
  });

  test('the library lists, creates and gets over loopback', () => {
    const { status, stdout, stderr } = run(node, ['test/support/library-smoke.mjs']);
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
    expect(JSON.parse(stdout)).toMatchObject({
      listed: 5,
      created: { name: 'Ида', status: 'pending' },
      got: { name: 'Ида', status: 'pending' },
    });
    expect(stdout.match(new RegExp(`"categoryId":${BEYOND_DOUBLE}\\b`, 'g'))).toHaveLength(2);
  });

  test('a CommonJS program requires the library', () => {
    const script =
      "console.log(typeof require('petstore').createPetStore, typeof require('petstore/mock').createMock)";
    // An `-e` script belongs to no package: this one stands, by its working directory, in this one.
    const { status, stdout } = run(node, ['--no-warnings', '-e', script]);
    expect({ status, stdout }).toEqual({ status: 0, stdout: 'function function\n' });
  });
});

if (others.length === 0) {
  test('other Node releases (skipped: PETSTORE_TEST_NODES names none; .ci/run installs them)', (context) => {
    context.skip();
  });
}

/** What a run came to, and which files the program loaded itself. */
interface Reported {
  outcome: Outcome;
  loaded: { file: string; refused: boolean | null }[];
}

function report(node: string, args: readonly string[], env: Record<string, string> = {}): Reported {
  const preloaded = ['-r', './test/support/report-code.cjs', 'bin/petstore.cjs', ...args];
  const { stderr, ...outcome } = run(node, preloaded, env);
  const lines = stderr.trimEnd().split('\n');
  const loaded = JSON.parse(String(lines.pop()));
  return { loaded, outcome: { ...outcome, stderr: lines.join('\n') } };
}

function petstore(node: string, ...args: string[]): Outcome {
  return run(node, ['bin/petstore.cjs', ...args]);
}

interface Outcome {
  status: number | null;
  stdout: string;
  stderr: string;
}

/** Runs a Node with nothing of the developer's own set-up. */
function run(node: string, args: string[], env: Record<string, string> = {}): Outcome {
  const { status, stdout, stderr, error } = spawnSync(node, args, {
    cwd: ROOT,
    encoding: 'utf8',
    timeout: 15_000,
    env: {
      PATH: process.env.PATH,
      PETSTORE_CONFIG_DIR: emptyFolder,
      PETSTORE_STATE_DIR: emptyFolder,
      PETSTORE_API_KEY: 'a-key-of-the-runtimes-test',
      ...env,
    },
  });
  if (error !== undefined) throw error;
  return { status, stdout, stderr };
}
