import { spawnSync } from 'node:child_process';
import { openSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { requireBuild } from './support/built.js';
import { ROOT } from './support/source-tree.js';
import { temporaryFolder } from './support/temporary-folder.js';

requireBuild();

/** The binaries, which `.ci/run` installs from npm. */
const { PETSTORE_TEST_BUN: bun = '', PETSTORE_TEST_DENO: deno = '' } = process.env;

const RUNTIMES = [
  { name: 'Bun', binary: bun, flags: [], variable: 'PETSTORE_TEST_BUN' },
  { name: 'Deno', binary: deno, flags: ['run', '--no-prompt', '-A'], variable: 'PETSTORE_TEST_DENO' },
];
const FEW_PERMISSIONS = ['run', '--no-prompt', '--allow-env', '--allow-net', '--allow-read', '--allow-write'];

interface Outcome {
  status: number | null;
  stdout: string;
  stderr: string;
}

function run(binary: string, args: readonly string[], stdout: 'pipe' | number = 'pipe'): Outcome {
  const folder = temporaryFolder();
  const { PATH, TMPDIR } = process.env;
  return spawnSync(binary, args, {
    cwd: ROOT,
    encoding: 'utf8',
    env: { PATH, TMPDIR, HOME: folder, PETSTORE_CONFIG_DIR: folder, PETSTORE_STATE_DIR: folder },
    stdio: ['ignore', stdout, 'pipe'],
    timeout: 60_000,
  });
}

function smoke(binary: string, flags: readonly string[]): Record<string, unknown> {
  const result = run(binary, [...flags, 'test/support/runtime-smoke.mjs', temporaryFolder()]);
  expect({ status: result.status, stderr: result.stderr }).toEqual({ status: 0, stderr: '' });
  expect(result.stdout).toContain('"categoryId":9007199254740993');
  return JSON.parse(result.stdout) as Record<string, unknown>;
}

const CALLS_OVER_FETCH = {
  wrongKey: expect.objectContaining({ type: 'authentication', namesCaller: true }),
  lostPost: expect.objectContaining({ type: 'unknown-outcome', outcome: 'unknown' }),
  refusedPost: expect.objectContaining({ type: 'connection', outcome: 'not-sent' }),
};

describe.each(RUNTIMES)('$name', ({ name, binary, flags, variable }) => {
  test.skipIf(binary === '')(`the library works as in Node (skipped without ${variable})`, () => {
    const result = smoke(binary, flags);
    expect(result).toMatchObject({
      counts: [
        { created: 2, alreadyDone: 0 },
        { created: 0, alreadyDone: 2 },
      ],
      state: 'active',
      ...CALLS_OVER_FETCH,
    });
    const shim = { type: 'configuration', hint: expect.stringContaining('pass fetch: globalThis.fetch') };
    if (name === 'Bun') expect(result).toMatchObject({ dispatcherError: shim });
    else expect(result).not.toHaveProperty('dispatcherError');
    for (const error of ['importError', 'domainError', 'gateError']) expect(result).not.toHaveProperty(error);
  });

  test.skipIf(binary === '')(`the commands work as in Node (skipped without ${variable})`, () => {
    const petstore = (line: string, stdout?: number): Outcome =>
      run(binary, [...flags, 'bin/petstore.cjs', ...line.split(' ')], stdout);
    expect(JSON.parse(petstore('version --json').stdout)).toMatchObject({
      runtime: expect.stringMatching(new RegExp(`^${name} \\d`)),
    });
    expect(JSON.parse(petstore('pets list --mock --json').stdout)).toHaveLength(20);
    for (const line of [
      'domain cert shop.example.test --target cname.platform.test --mock',
      'domain redirects --mock',
    ]) {
      const { status, stderr } = petstore(line);
      expect({ line, status, stderr: status === 0 ? '' : stderr }).toEqual({ line, status: 0, stderr: '' });
    }
    expect(petstore('domain cert cert-self-signed.example.test --mock').stdout).toContain(
      'it is self-signed',
    );
    const full = petstore('pets list --mock', openSync('/dev/full', 'w'));
    expect(full).toMatchObject({
      status: 1,
      stderr: expect.stringContaining("error: The output can't be written (the disk is full)"),
    });
    expect(full.stderr).not.toContain('bug');
  });
});

test.skipIf(deno === '')(
  'Deno with few permissions: errors name the flag (skipped without PETSTORE_TEST_DENO)',
  () => {
    const missing = { isOwn: true, type: 'configuration', hint: expect.stringContaining('--allow-sys') };
    expect(smoke(deno, FEW_PERMISSIONS)).toMatchObject({
      importError: missing,
      domainError: missing,
      gateError: missing,
      ...CALLS_OVER_FETCH,
    });
  },
);
