import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { authIn, REFUSED, SECRET, URL } from '../../../support/auth.js';
import { chmodSync, statSync } from 'node:fs';
import { rateLimitHeaders } from '../../../support/rate-limit-headers.js';

const { logIn, run, setup } = authIn();

test('sends a stored key to its address', async () => {
  await logIn();
  const { exitCode, requests } = await run('pets list');
  expect(exitCode).toBe(0);
  expect(requests[0]).toMatchObject({ path: '/v1/pets', headers: { authorization: `Bearer ${SECRET}` } });
});

describe('status', () => {
  const limits = rateLimitHeaders({
    now: Date.UTC(2026, 0, 2, 3, 4, 5),
    limit: 300,
    remaining: 9,
    resetInSeconds: 25,
  });

  test('shows profile, address, source and plan, but never the key', async () => {
    await logIn();
    const { exitCode, stdout, stderr } = await run('auth status --json', {
      responses: [{ body: '[]', headers: limits }],
    });
    expect(exitCode).toBe(0);
    expect(JSON.parse(stdout)).toEqual({
      profile: 'default',
      baseUrl: URL,
      source: join(setup.folder, 'keys/default.key'),
      key: expect.stringMatching(/^\*\*\*\* \(fingerprint [\da-f]{8}\)$/),
      service: 'accepted',
      plan: 'pro',
      planInferred: true,
    });
    expect(stderr).toContain('plain text');
    expect(stdout + stderr).not.toContain(SECRET);
  });

  test.each(['table', 'tsv', 'json'])('shows any of its fields as %s', async (format) => {
    await logIn();
    const responses = [{ body: '[]', headers: limits }];
    const line = `auth status -o ${format} --fields service,planInferred`;
    const { exitCode, stdout } = await run(line, { responses });
    expect({ exitCode, stdout }).toEqual({ exitCode: 0, stdout: expect.stringContaining('true') });
    const plain = await run('auth status -o table', { responses });
    expect(plain.stdout).toContain('pro (inferred)');
    expect(plain.stdout).not.toContain('planInferred');
  });

  test('does not report a key as accepted if the rate limit prevents the request', async () => {
    await logIn();
    const state = { ...setup.env, PETSTORE_GATE: 'file', PETSTORE_STATE_DIR: join(setup.folder, 'state') };
    const usedUp = { body: '[]', headers: { ...limits, 'x-ratelimit-remaining': '0' } };
    await run('pets list', { env: state, responses: [usedUp] });
    const { stdout, stderr, requests } = await run('auth status --json', { env: state });
    expect(requests).toEqual([]);
    expect(stderr).toMatch(/^No request was sent: /);
    expect(JSON.parse(stdout)).toMatchObject({ service: 'not-checked' });
  });

  test('--offline sends no request', async () => {
    await logIn();
    const { exitCode, stdout, requests } = await run('auth status --offline --json');
    expect({ exitCode, requests }).toEqual({ exitCode: 0, requests: [] });
    expect(JSON.parse(stdout)).toMatchObject({ service: 'not-checked', plan: null });
  });

  test('exit code 3: a rejected key, or no key', async () => {
    expect(await run('auth status')).toMatchObject({ exitCode: 3, stdout: '', requests: [] });
    await logIn();
    const { exitCode, stdout } = await run('auth status', { responses: [REFUSED] });
    expect(exitCode).toBe(3);
    expect(stdout).toContain('rejected');
  });

  test('of a key from the environment', async () => {
    const world = {
      env: { PETSTORE_API_KEY: SECRET, PETSTORE_BASE_URL: URL, PETSTORE_CONFIG_DIR: setup.folder },
    };
    const { stdout } = await run('auth status --offline --json', world);
    expect(JSON.parse(stdout)).toMatchObject({ profile: null, source: 'PETSTORE_API_KEY' });
  });
});

test('with --mock, the key in use is that of the embedded mock', async () => {
  await logIn();
  const { exitCode, stdout, requests } = await run('auth status --mock --json');
  expect({ exitCode, requests }).toEqual({ exitCode: 0, requests: [] });
  expect(JSON.parse(stdout)).toMatchObject({
    profile: null,
    baseUrl: 'http://127.0.0.1/v1',
    source: '--mock',
    service: 'accepted',
    plan: 'free',
  });
  expect(await run('auth key --mock')).toMatchObject({ exitCode: 0, stdout: 'mock-key\n' });
});

test.each([
  ['auth key --json', `"${SECRET}"\n`],
  ['auth key -o yaml', `${SECRET}\n`],
  ['auth key --query length(@)', `${String(SECRET.length)}\n`],
])('%s formats the key', async (line, stdout) => {
  await logIn();
  expect(await run(line)).toMatchObject({ exitCode: 0, stdout });
});

test('auth key ignores the configured format, and rejects fields', async () => {
  await logIn();
  expect(await run('auth key', { env: { ...setup.env, PETSTORE_OUTPUT: 'json' } })).toMatchObject({
    stdout: `${SECRET}\n`,
  });
  const { exitCode, stdout, stderr } = await run('auth key --fields id');
  expect({ exitCode, stdout }).toEqual({ exitCode: 2, stdout: '' });
  expect(stderr).toContain('--fields needs named fields');
});

const modeOf = (path: string): number => statSync(path).mode & 0o777;

test
  .skipIf(process.platform === 'win32')
  .each([
    ...['auth switch default', 'config set output json', 'config set profile default', 'config unset output'],
    ...['config get profile', 'auth list', 'pets list', 'auth status'],
  ])('%s keeps the modes of existing files and directories', async (line) => {
  await logIn();
  const modes = { '.': 0o755, 'config.json': 0o644, keys: 0o755, 'keys/default.key': 0o640 };
  for (const [name, mode] of Object.entries(modes)) chmodSync(join(setup.folder, name), mode);
  expect(await run(line)).toMatchObject({ exitCode: 0 });
  for (const [name, mode] of Object.entries(modes)) expect(modeOf(join(setup.folder, name))).toBe(mode);
});

test.skipIf(process.platform === 'win32')(
  'auth status and pets list warn about a key that other users can read',
  async () => {
    await logIn();
    const path = join(setup.folder, 'keys/default.key');
    expect((await run('auth status')).stderr).toContain(`in ${path}. Only its owner can read it.`);
    expect((await run('pets list')).stderr).toBe('');
    chmodSync(path, 0o640);
    for (const line of ['auth status', 'pets list']) {
      const warnings = (await run(line)).stderr.split('\n').filter((text) => text.startsWith('warning:'));
      expect(warnings).toEqual([
        expect.stringContaining(`other users can access it. Run: chmod 600 ${path}`),
      ]);
    }
  },
);
