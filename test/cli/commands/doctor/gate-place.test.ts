import { mkdirSync, writeFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { answeredAt, doctorIn, NOTHING, NOW } from '../../../support/doctor.js';
import { startScriptedRedis } from '../../../support/scripted-redis.js';

const { doctor, place } = doctorIn();
const RATE = {
  'x-ratelimit-limit': '60',
  'x-ratelimit-remaining': '57',
  'x-ratelimit-reset': String(NOW / 1_000 + 40),
};

test.each([
  ['memory', /in memory: each process has its own/],
  ['file', /state\/gate$/],
])('%s', async (kind, finding) => {
  const check = (await doctor({ env: { PETSTORE_GATE: kind } })).found('state');
  expect(check).toMatchObject({
    state: 'ok',
    finding: expect.stringMatching(finding),
    details: { kind, obstacle: null },
  });
});

test('a file in place of the directory', async () => {
  writeFileSync(place.state, '');
  const check = (await doctor({ env: { PETSTORE_GATE: 'file' } })).found('state');
  expect(check).toMatchObject({
    finding: `${place.state} is no directory: each process keeps a rate budget of its own`,
    remedy: 'name a directory: export PETSTORE_STATE_DIR=DIRECTORY',
    details: { obstacle: `${place.state} is no directory` },
  });
});

test.skipIf(process.platform === 'win32' || process.geteuid?.() === 0)(
  'a directory that is not to be written to',
  async () => {
    mkdirSync(place.state, { mode: 0o500 });
    const check = (await doctor({ env: { PETSTORE_GATE: 'file' } })).found('state');
    expect(check).toMatchObject({
      finding: `${place.state} can't be written to (EACCES): each process keeps a rate budget of its own`,
      remedy: 'make it writable, or name another place: export PETSTORE_STATE_DIR=DIRECTORY',
    });
  },
);

describe('what is left', () => {
  const world = { env: { PETSTORE_GATE: 'file' }, answers: [answeredAt(NOW, { headers: RATE })] };

  test('as the request told, and by no further one', async () => {
    const { found, requests } = await doctor(world);
    expect(requests).toHaveLength(1);
    expect(found('state')).toMatchObject({
      finding: expect.stringMatching(/gate; 57 of 60 left$/),
      details: { windows: [{ limit: 60, remaining: 57 }], heldForMs: 0 },
    });
  });

  test('offline, as the last command left it', async () => {
    await doctor(world);
    const { found, requests } = await doctor(world, '--offline --reserve 20');
    expect(requests).toEqual([]);
    expect(found('state')).toMatchObject({
      finding: expect.stringMatching(/ left; 20 % are left to others \(--reserve\)$/),
      details: { windows: [{ limit: 60 }], reservePercent: 20 },
    });
  });
});

describe('a Redis', () => {
  const at = (url: string) => ({ env: { ...NOTHING, PETSTORE_GATE: url } });
  /** The limit of the look at it never strikes. */
  const patient = { endlessFromMs: 5_000 };

  test.each([
    ['that nobody runs', undefined, /127\.0\.0\.1:1: connection refused/],
    ['that wants a password', '-NOAUTH Authentication required.\r\n', /a password is required/],
  ])('%s', async (_, answer, finding) => {
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

  test('that says nothing is left before the time of all is up', async () => {
    const redis = await startScriptedRedis(() => undefined);
    const { found } = await doctor(at(redis.url));
    expect(found('state').finding).toMatch(/^no answer within 5 s: /);
  });

  test('that does not answer holds up no request, and is told of once', async () => {
    const { found, requests, stderr, exitCode } = await doctor({
      env: { PETSTORE_GATE: 'redis://127.0.0.1:1' },
    });
    expect({ exitCode, sent: requests.length, stderr }).toEqual({ exitCode: 0, sent: 1, stderr: '' });
    expect(found('state').state).toBe('warn');
  });

  test('is not asked with --offline', async () => {
    const redis = await startScriptedRedis(() => undefined);
    await doctor(at(redis.url), '--offline');
    expect(redis.connections).toBe(0);
  });
});
