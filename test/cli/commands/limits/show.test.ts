import { describe, expect, test } from 'vitest';
import { runFake, type Scripted } from '../../../support/fake-context.js';

const NOW = Date.UTC(2026, 0, 2, 3, 4, 5);
const headers = (limit: number, remaining: number, inSeconds: number) => ({
  date: new Date(NOW).toUTCString(),
  'x-ratelimit-limit': String(limit),
  'x-ratelimit-remaining': String(remaining),
  'x-ratelimit-reset': String(NOW / 1_000 + inSeconds),
});
const ask = (line: string, answer: Scripted, terminals: readonly 'stdout'[] = []) =>
  runFake(line, { answers: [answer], terminals, now: NOW });

describe('limits', () => {
  test('asks once, for one animal', async () => {
    const { requests } = await ask('limits', { body: '[]', headers: headers(60, 41, 30) });
    expect(requests.map((request) => request.path)).toEqual(['/v1/pets?limit=1']);
  });

  test('as JSON, for programs', async () => {
    const { stdout } = await ask('limits --json', { body: '[]', headers: headers(60, 41, 30) });
    expect(JSON.parse(stdout)).toEqual({
      plan: 'free',
      planInferred: true,
      window: 'minute',
      limit: 60,
      remaining: 41,
      reset: '2026-01-02T03:04:35.000Z',
      resetInSeconds: 30,
    });
  });

  test.each([-3_600_000, 3_600_000])('a clock here that is %d ms off changes no distance', async (offMs) => {
    const now = NOW + offMs;
    const ok = { body: '[]', headers: headers(300, 41, 30) };
    const limited = { status: 429, headers: { ...headers(300, 0, 30), 'retry-after': '30' } };
    for (const answer of [ok, limited]) {
      const json = await runFake('limits --json', { answers: [answer], now });
      expect(JSON.parse(json.stdout)).toMatchObject({
        reset: '2026-01-02T03:04:35.000Z',
        resetInSeconds: 30,
      });
      const { stdout } = await runFake('limits', { answers: [answer], terminals: ['stdout'], now });
      expect(stdout).toContain(`${new Date(now + 30_000).toLocaleString('sv-SE')} (in 30 s)`);
    }
  });

  test('on a terminal, for people: the plan as inferred, the reset as a distance', async () => {
    const { stdout, stderr } = await ask('limits', { body: '[]', headers: headers(300, 41, 30) }, ['stdout']);
    expect(stdout).toContain('pro (inferred)');
    expect(stdout).toMatch(/\d{4}-\d\d-\d\d \d\d:\d\d:\d\d \(in 30 s\)/);
    expect(stderr).toMatch(/inferred/);
  });

  test('a plan that can not be told is unknown', async () => {
    const { stdout, stderr } = await ask('limits --json', { body: '[]', headers: headers(1_000, 5, 30) });
    expect(JSON.parse(stdout)).toMatchObject({ plan: null, planInferred: false, window: null });
    expect(stderr).toBe('');
  });

  test('a 429 is an answer too: nothing left, exit code 0, asked once', async () => {
    const limited = { status: 429, headers: { ...headers(60, 0, 30), 'retry-after': '30' } };
    const { exitCode, stdout, requests } = await ask('limits --json', limited);
    expect({ exitCode, sent: requests.length }).toEqual({ exitCode: 0, sent: 1 });
    expect(JSON.parse(stdout)).toMatchObject({ limit: 60, remaining: 0, reset: '2026-01-02T03:04:35.000Z' });
  });

  test('a 429 that says only when to come back', async () => {
    const { exitCode, stdout } = await ask('limits --json', {
      status: 429,
      headers: { 'retry-after': '30' },
    });
    expect(exitCode).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject({ limit: null, remaining: 0, resetInSeconds: 30 });
  });

  test('an answer without the headers: exit code 7', async () => {
    expect(await ask('limits', { body: '[]' })).toMatchObject({
      exitCode: 7,
      stdout: '',
      stderr: expect.stringMatching(/^error: the answer carried no rate limit headers\n/),
    });
  });
});
