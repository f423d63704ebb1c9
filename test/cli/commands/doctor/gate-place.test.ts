import { describe, expect, test } from 'vitest';
import { answeredAt, doctorIn, NOTHING, NOW } from '../../../support/doctor.js';
import { startScriptedRedis } from '../../../support/scripted-redis.js';

const { doctor } = doctorIn();
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

  test.each([
    ['that nobody runs', undefined, /127\.0\.0\.1:1: connection refused/],
    ['that wants a password', '-NOAUTH Authentication required.\r\n', /it wants a password/],
  ])('%s', async (_, answer, finding) => {
    const redis = answer === undefined ? undefined : await startScriptedRedis(() => answer);
    const { found, ok, stdout } = await doctor(
      at(`redis://ida:hunter2@127.0.0.1:${String(redis?.port ?? 1)}`),
    );
    expect(found('state')).toMatchObject({
      state: 'warn',
      finding: expect.stringMatching(finding),
      remedy: expect.stringContaining('PETSTORE_GATE=file'),
    });
    expect(ok).toBe(false);
    expect(stdout).not.toContain('hunter2');
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
