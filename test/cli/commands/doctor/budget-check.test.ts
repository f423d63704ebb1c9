import { chmodSync, existsSync, mkdirSync, readdirSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { runFake } from '../../../support/fake-context.js';
import { doctorIn, NOTHING } from '../../../support/doctor.js';
import { needsRedisPackage } from '../../../support/redis-package.js';
import { startScriptedRedis } from '../../../support/scripted-redis.js';

const { doctor, directories, env } = doctorIn();

test.each([
  ['memory', /in memory: each process has its own/],
  ['file', /state\/gate$/],
])('%s', async (kind, finding) => {
  const check = (await doctor({ env: { PETSTORE_GATE: kind } })).found('state');
  expect(check).toMatchObject({ state: 'ok', finding: expect.stringMatching(finding) });
});

test.skipIf(process.platform === 'win32' || process.geteuid?.() === 0)(
  'a directory that is not writable',
  async () => {
    mkdirSync(directories.state, { mode: 0o500 });
    const check = (await doctor({ env: { PETSTORE_GATE: 'file' } })).found('state');
    expect(check).toMatchObject({
      finding: `${directories.state}/gate: permission denied, so each process keeps its own rate budget`,
      remedy: 'Make it writable, or name another directory: export PETSTORE_STATE_DIR=DIRECTORY',
    });
  },
);

test.each([
  ['', true, /gate$/],
  ['--mock', false, /gate, not tested$/],
])('a trial write leaves no budget (%s)', async (flags, isCreated, finding) => {
  const { found } = await doctor({ env: { PETSTORE_GATE: 'file' } }, `--offline ${flags}`);
  expect(found('state')).toMatchObject({ state: 'ok', finding: expect.stringMatching(finding) });
  const gate = `${directories.state}/gate`;
  expect(existsSync(gate)).toBe(isCreated);
  if (isCreated) expect(readdirSync(gate)).toEqual([]);
});

test.each(['--dry-run', '--curl'])('nothing is written with %s', async (flag) => {
  const outcome = await runFake(`doctor ${flag}`, { env: env({ PETSTORE_GATE: 'file' }) });
  expect(outcome).toMatchObject({ exitCode: 0, requests: [] });
  expect(existsSync(directories.state)).toBe(false);
});

test.skipIf(process.platform !== 'linux')('a directory that can not be created', async () => {
  const env = { PETSTORE_GATE: 'file', PETSTORE_STATE_DIR: '/proc/nope' };
  const check = (await doctor({ env })).found('state');
  expect(check).toMatchObject({ state: 'warn', finding: expect.stringMatching(/^\/proc\/nope\/gate: /) });
});

test.skipIf(process.platform === 'win32')('a directory that others can write: one warning', async () => {
  mkdirSync(directories.state);
  chmodSync(directories.state, 0o777);
  const { stderr } = await doctor({ env: { PETSTORE_GATE: 'file' } });
  expect(stderr.match(/^warning: /gm)).toHaveLength(1);
});

describe('a Redis', () => {
  const at = (url: string) => ({ env: { ...NOTHING, PETSTORE_GATE: url } });
  /** Its time limit never expires. */
  const patient = { endlessFromMs: 5_000 };

  test.each([
    ['that is not running', undefined, /127\.0\.0\.1:1: connection refused/],
    ['that requires a password', '-NOAUTH Authentication required.\r\n', /a password is required/],
  ])('%s', async (_, answer, finding) => {
    needsRedisPackage();
    const redis = answer === undefined ? undefined : await startScriptedRedis(() => answer);
    const { found, ok, stdout } = await doctor({
      ...at(`redis://ida:hunter2@127.0.0.1:${String(redis?.port ?? 1)}`),
      ...patient,
    });
    expect(found('state')).toMatchObject({
      state: 'warn',
      finding: expect.stringMatching(finding),
      remedy: expect.stringContaining('PETSTORE_GATE=file'),
    });
    expect(ok).toBe(false);
    expect(stdout).not.toContain('hunter2');
  });

  test('that does not respond has its own time limit', async () => {
    const redis = await startScriptedRedis(() => undefined);
    const { found } = await doctor(at(redis.url));
    expect(found('state').finding).toMatch(/^No response within 5 s, so /);
  });

  test('that does not respond delays no request and is reported once', async () => {
    const { found, requests, stderr, exitCode } = await doctor({
      env: { PETSTORE_GATE: 'redis://127.0.0.1:1' },
    });
    expect({ exitCode, sent: requests.length, stderr }).toEqual({ exitCode: 0, sent: 1, stderr: '' });
    expect(found('state').state).toBe('warn');
  });

  test('is not contacted with --offline', async () => {
    const redis = await startScriptedRedis(() => undefined);
    await doctor(at(redis.url), '--offline');
    expect(redis.connections).toBe(0);
  });
});
