import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { keyFileOf, authIn, SECRET } from '../../../support/auth.js';
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
});

const modeOf = (path: string): number => statSync(path).mode & 0o777;

test
  .skipIf(process.platform === 'win32')
  .each([
    'auth switch default',
    'config set output json',
    'config set profile default',
    'config unset output',
    'config get profile',
    'auth list',
    'pets list',
    'auth status',
  ])('%s keeps the modes of existing files and directories', async (line) => {
  await logIn();
  const modes = { '.': 0o755, 'config.json': 0o644, keys: 0o755, [keyFileOf()]: 0o640 };
  for (const [name, mode] of Object.entries(modes)) chmodSync(join(setup.folder, name), mode);
  expect(await run(line)).toMatchObject({ exitCode: 0 });
  for (const [name, mode] of Object.entries(modes)) expect(modeOf(join(setup.folder, name))).toBe(mode);
});

test.skipIf(process.platform === 'win32')(
  'auth status and pets list warn about a key that other users can read',
  async () => {
    await logIn();
    const path = join(setup.folder, keyFileOf());
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
