import { describe, expect, test } from 'vitest';
import { ENV, runFake, type Scripted } from '../../../support/fake-context.js';
import { needsRedisPackage } from '../../../support/redis-package.js';
import { temporaryFolder } from '../../../support/temporary-folder.js';
import { rateLimitHeaders } from '../../../support/rate-limit-headers.js';

const NOW = Date.UTC(2026, 0, 2, 3, 4, 5);
const headers = (limit: number, remaining: number, resetInSeconds: number) =>
  rateLimitHeaders({ now: NOW, limit, remaining, resetInSeconds });
const run = (line: string, response: Scripted, terminals: readonly 'stdout'[] = []) =>
  runFake(line, { responses: [response], terminals, now: NOW });

describe('limits', () => {
  test('sends one request for one pet', async () => {
    const { requests } = await run('limits', { body: '[]', headers: headers(60, 41, 30) });
    expect(requests.map((request) => request.path)).toEqual(['/v1/pets?limit=1']);
  });

  test('prints JSON', async () => {
    const { stdout } = await run('limits --json', { body: '[]', headers: headers(60, 41, 30) });
    expect(JSON.parse(stdout)).toEqual({
      plan: 'free',
      planInferred: true,
      window: 'minute',
      limit: 60,
      remaining: 41,
      reset: '2026-01-02T03:04:35.000Z',
      resetInSeconds: 30,
      retryInSeconds: null,
      retryAfterSeconds: null,
      windows: [
        {
          window: 'minute',
          limit: 60,
          remaining: 41,
          reset: '2026-01-02T03:04:35.000Z',
          resetInSeconds: 30,
          source: 'response',
          lengthInSeconds: null,
        },
        {
          window: 'day',
          limit: 1_000,
          remaining: 999,
          reset: null,
          resetInSeconds: 86_400,
          source: 'plan',
          lengthInSeconds: 86_400,
        },
      ],
    });
  });

  test('shows one distance to one reset, also if an earlier response had an earlier date', async () => {
    const env = { ...ENV, PETSTORE_GATE: 'file', PETSTORE_STATE_DIR: temporaryFolder() };
    const responses = [{ body: '[]', headers: headers(60, 41, 30) }];
    await runFake('pets list', { env, responses, now: NOW + 900 });
    const later = rateLimitHeaders({ now: NOW + 9_000, limit: 60, remaining: 40, resetInSeconds: 21 });
    const world = { env, responses: [{ body: '[]', headers: later }], now: NOW + 9_000 };
    const { stdout } = await runFake('limits --json', world);
    const distance = { resetInSeconds: 21 };
    expect(JSON.parse(stdout)).toMatchObject({ ...distance, windows: [distance, { source: 'plan' }] });
  });

  test.each([-3_600_000, 3_600_000])(
    'shows the same time to the reset if the local clock is %d ms off',
    async (offMs) => {
      const now = NOW + offMs;
      const ok = { body: '[]', headers: headers(300, 41, 30) };
      const limited = { status: 429, headers: { ...headers(300, 0, 30), 'retry-after': '30' } };
      for (const response of [ok, limited]) {
        const json = await runFake('limits --json', { responses: [response], now });
        expect(JSON.parse(json.stdout)).toMatchObject({
          reset: '2026-01-02T03:04:35.000Z',
          resetInSeconds: 30,
        });
        const { stdout } = await runFake('limits', { responses: [response], terminals: ['stdout'], now });
        expect(stdout).toContain('left, resets in 30 s\n');
      }
    },
  );

  test.each([
    ['-o tsv', /^The plan is inferred/],
    ['-o json', /^$/],
  ])('with %s, says once that the plan is inferred', async (flag, note) => {
    const { stderr } = await run(`limits ${flag}`, { body: '[]', headers: headers(300, 41, 30) });
    expect(stderr).toMatch(note);
  });

  test('shows an ambiguous plan as unknown', async () => {
    const { stdout, stderr } = await run('limits --json', { body: '[]', headers: headers(1_000, 5, 30) });
    expect(JSON.parse(stdout)).toMatchObject({ plan: null, planInferred: false, window: null });
    expect(stderr).toBe('');
  });

  test('accepts a 429: nothing left, exit code 0, one request', async () => {
    const limited = { status: 429, headers: { ...headers(60, 0, 30), 'retry-after': '30' } };
    const { exitCode, stdout, requests } = await run('limits --json', limited);
    expect({ exitCode, sent: requests.length }).toEqual({ exitCode: 0, sent: 1 });
    expect(JSON.parse(stdout)).toMatchObject({ limit: 60, remaining: 0, reset: '2026-01-02T03:04:35.000Z' });
  });

  test('accepts a 429 with only Retry-After: all that was not sent is unknown', async () => {
    const limited = { status: 429, headers: { 'retry-after': '30' } };
    const { exitCode, stdout } = await run('limits --json', limited);
    expect(exitCode).toBe(0);
    const { retryInSeconds, retryAfterSeconds, ...rest } = JSON.parse(stdout) as Record<string, unknown>;
    const unknown = { window: null, limit: null, remaining: null, reset: null, resetInSeconds: null };
    expect(rest).toEqual({ plan: null, planInferred: false, ...unknown, windows: [] });
    expect(retryInSeconds).toBeGreaterThanOrEqual(30);
    expect(retryAfterSeconds).toBe(30);
    expect((await run('limits', limited)).stdout).toBe(`${Array(5).fill('unknown').join('\t')}\n`);
    expect((await run('limits -o csv', limited)).stdout).toMatch(/\r\n,,,,\r\n$/);
    expect((await run('limits --query limit', limited)).stdout).toBe('');
    expect((await run('limits --color never', limited, ['stdout'])).stdout).toBe(
      'PLAN:   unknown\nWINDOW: unknown\n',
    );
  });

  test.each([
    [60, 'minute', 'free'],
    [300, 'minute', 'pro'],
    [10_000, 'day', 'pro'],
    // Both a minute and a day, and a custom limit.
    [1_000, null, null],
    [777, null, null],
  ])('during a ban, the window of a limit of %i is %s', async (limit, window, plan) => {
    const banned = { status: 429, headers: { ...headers(limit, 0, 300), 'retry-after': '300' } };
    const env = { ...ENV, PETSTORE_GATE: 'file', PETSTORE_STATE_DIR: temporaryFolder() };
    const world = { responses: [banned], env, now: NOW };
    for (const line of ['limits --json', 'limits --offline --json']) {
      const { stdout } = await runFake(line, world);
      const sent = { window, limit, remaining: 0, resetInSeconds: 300 };
      const windows = expect.arrayContaining([expect.objectContaining(sent)]);
      expect(JSON.parse(stdout)).toMatchObject({ plan, ...sent, windows });
    }
    const { stdout } = await runFake('limits --offline --color never', { ...world, terminals: ['stdout'] });
    const label = (window ?? 'window').toUpperCase();
    expect(stdout).toMatch(
      new RegExp(`^PLAN: +${plan === null ? 'unknown' : `${plan} \\(inferred\\)`}$`, 'm'),
    );
    expect(stdout).toMatch(new RegExp(`^${label}: +0 of [\\d,]+ left, resets in 5 min$`, 'm'));
  });

  test.each([
    [300, 80_000, '41 of 300 left, resets in 22 h 13 min\n'],
    [60, 900, '41 of 60 left, resets in 15 min\n'],
    [100, 900, '41 of 100 left, resets in 15 min\n'],
    [1_000, 30, '41 of 1,000 left, resets in 30 s\n'],
  ])('a limit of %i with a reset in %d s has no plan, but its reset', async (limit, seconds, line) => {
    const response = { body: '[]', headers: headers(limit, 41, seconds) };
    const reset = new Date(NOW + seconds * 1_000).toISOString();
    const sent = { window: null, limit, remaining: 41, reset, resetInSeconds: seconds };
    const { stdout } = await run('limits --json', response);
    expect(JSON.parse(stdout)).toMatchObject({ plan: null, planInferred: false, ...sent, windows: [sent] });
    const shown = (await run('limits --color never', response, ['stdout'])).stdout;
    expect(shown).toMatch(/^PLAN: +unknown$/m);
    expect(shown).toContain(line);
  });

  test('shows a reset that is not credible as it was sent', async () => {
    const seconds = 3_650 * 86_400;
    const { stdout } = await run('limits --json', { body: '[]', headers: headers(300, 41, seconds) });
    expect(JSON.parse(stdout)).toMatchObject({ reset: '2035-12-31T03:04:05.000Z' });
  });

  test('a response without the headers: exit code 7', async () => {
    expect(await run('limits', { body: '[]' })).toMatchObject({
      exitCode: 7,
      stdout: '',
      stderr:
        'error: The response has no rate limit headers\n' +
        'hint: petstore can learn the limit from 429 responses: petstore help rate-limits\n',
    });
  });

  test.each([
    [{ ...headers(60, 5, 30), 'x-ratelimit-reset': 'soon\u001b[2J' }, 'X-RateLimit-Reset: soon^[[2J'],
    [{ 'x-ratelimit-limit-short': '5' }, 'X-RateLimit-Limit-short: 5'],
    [{ 'x-ratelimit-limit': 'limit of s3cret-key' }, 'X-RateLimit-Limit: limit of [redacted]'],
    [
      Object.fromEntries(['1', '2', '3', '4', '5'].map((number) => [`ratelimit-${number}`, number])),
      'RateLimit-1: 1; RateLimit-2: 2; RateLimit-3: 3; and 2 more',
    ],
  ])('quotes headers that can’t be read: %j', async (unread, text) => {
    const env = { ...ENV, PETSTORE_API_KEY: 's3cret-key' };
    const world = { responses: [{ body: '[]', headers: unread }], now: NOW, env };
    expect(await runFake('limits', world)).toMatchObject({
      exitCode: 7,
      stdout: '',
      stderr:
        `error: The service sends rate limit headers that can't be read: ${text}\n` +
        'hint: To see which forms petstore reads, run: petstore help rate-limits\n',
    });
  });

  test('reads the forms of other limiters', async () => {
    const seconds = { ...headers(60, 41, 30), 'x-ratelimit-reset': '30' };
    const { stdout } = await run('limits --color never', { body: '[]', headers: seconds }, ['stdout']);
    expect(stdout).toContain('MINUTE: 41 of 60 left, resets in 30 s\n');
  });

  test('says if the service did not name the wait of a 429', async () => {
    const { stdout, stderr } = await run('limits --json', { status: 429, headers: {} });
    expect(JSON.parse(stdout)).toMatchObject({ retryAfterSeconds: null });
    expect(stderr).toMatch(
      /no request is sent with this key for .*\. The service did not say how long to wait\.\n/,
    );
  });
});

describe('limits on a terminal', () => {
  const lines = async (limit: number, remaining: number, inSeconds: number): Promise<string> =>
    (
      await run('limits --color never', { body: '[]', headers: headers(limit, remaining, inSeconds) }, [
        'stdout',
      ])
    ).stdout;

  test('shows the remaining requests, and the other window by the plan', async () => {
    const shown = await lines(300, 150, 30);
    expect(shown).toMatch(/^MINUTE: 150 of 300 left, resets in 30 s$/m);
    expect(shown).toMatch(/^DAY: +the plan allows 10,000, 9,999 left as counted here$/m);
  });

  test('shows no numbers of the unlimited plan', async () => {
    expect(await lines(1e9, 1e9, 30)).toMatch(/^PLAN: +unknown\nWINDOW: unlimited$/m);
  });

  test('shows an ambiguous window', async () => {
    expect(await lines(1_000, 5, 30)).toMatch(/^PLAN: +unknown\nWINDOW: 5 of 1,000 left/);
  });
});

describe('limits --offline', () => {
  const offline = (env: Record<string, string>, line = 'limits --offline --json') =>
    runFake(line, { env: { ...ENV, PETSTORE_GATE: 'file', ...env }, now: NOW });

  test('shows a note and sends nothing if nothing is known', async () => {
    const env = { PETSTORE_STATE_DIR: temporaryFolder() };
    const { exitCode, stdout, stderr, requests } = await offline(env, 'limits --offline');
    expect({ exitCode, stdout, sent: requests.length }).toEqual({ exitCode: 0, stdout: '', sent: 0 });
    expect(stderr).toMatch(/^The rate limit of this key is not known .* Run "petstore limits"/);
    expect(JSON.parse((await offline(env)).stdout)).toMatchObject({ plan: null, limit: null, windows: [] });
  });

  test('shows what an earlier command received, and sends nothing', async () => {
    const env = { ...ENV, PETSTORE_GATE: 'file', PETSTORE_STATE_DIR: temporaryFolder() };
    const responses = [{ body: '[]', headers: headers(60, 41, 30) }];
    await runFake('pets list', { env, responses, now: NOW });
    const { exitCode, stdout, requests } = await offline(env);
    expect({ exitCode, sent: requests.length }).toEqual({ exitCode: 0, sent: 0 });
    expect(JSON.parse(stdout)).toMatchObject({ plan: 'free', window: 'minute', limit: 60, remaining: 41 });
  });

  test('shows the wait of a 429 with only Retry-After', async () => {
    const env = { ...ENV, PETSTORE_GATE: 'file', PETSTORE_STATE_DIR: temporaryFolder() };
    const responses = [{ status: 429, headers: { 'retry-after': '3000' } }];
    expect((await runFake('pets list', { env, responses, now: NOW })).exitCode).toBe(6);
    const { exitCode, stdout, stderr } = await offline(env);
    expect(exitCode).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject({ limit: null, remaining: null, windows: [] });
    expect(stderr).toMatch(/no request is sent with this key for 50 min/);
    // Other commands wait as well.
    expect(await runFake('pets list', { env, now: NOW })).toMatchObject({ exitCode: 6, requests: [] });
  });
});

describe('limits --reset', () => {
  const reset = (env: Record<string, string>, line = 'limits --reset') =>
    runFake(line, { env: { ...ENV, ...env }, now: NOW });

  test('forgets a wait, so that the next command sends', async () => {
    const env = { ...ENV, PETSTORE_GATE: 'file', PETSTORE_STATE_DIR: temporaryFolder() };
    const responses = [{ status: 429, headers: { 'retry-after': '9999999' } }];
    expect(await runFake('pets list', { env, responses, now: NOW })).toMatchObject({
      exitCode: 6,
      stderr: expect.stringMatching(/warning: .* more than 24 hours[^]*run:\s+petstore\s+limits\s+--reset/),
    });
    expect(await runFake('pets list', { env, now: NOW })).toMatchObject({ exitCode: 6, requests: [] });
    expect(await reset(env)).toMatchObject({
      exitCode: 0,
      stdout: '',
      requests: [],
      stderr: 'Cleared the stored rate budget of this key.\n',
    });
    expect(await reset(env, 'limits --offline')).toMatchObject({ exitCode: 0 });
    expect(await runFake('pets list', { env, responses: [{ body: '[]' }], now: NOW })).toMatchObject({
      exitCode: 0,
    });
  });

  test.each(['file', 'memory'])('exits with 0 if nothing is stored (%s)', async (gate) => {
    const env = { PETSTORE_GATE: gate, PETSTORE_STATE_DIR: temporaryFolder() };
    expect(await reset(env)).toMatchObject({
      exitCode: 0,
      stdout: '',
      stderr: 'No rate budget of this key was stored.\n',
    });
  });

  test('prints a document with -o json', async () => {
    const env = { PETSTORE_GATE: 'file', PETSTORE_STATE_DIR: temporaryFolder() };
    const { stdout } = await reset(env, 'limits --reset -o json -q');
    expect(JSON.parse(stdout)).toEqual({ cleared: false });
  });

  test('if Redis fails: exit code 7, with the reason, and whether the files were cleared', async () => {
    needsRedisPackage();
    const env = { PETSTORE_STATE_DIR: temporaryFolder(), PETSTORE_GATE: 'file' };
    const responses = [{ body: '[]', headers: headers(60, 41, 30) }];
    await runFake('pets list', { env: { ...ENV, ...env }, responses, now: NOW });
    for (const state of [
      'The budget in the files of this machine was cleared',
      'The files of this machine had',
    ]) {
      const { exitCode, stderr } = await reset({ ...env, PETSTORE_GATE: 'redis://127.0.0.1:1' });
      expect(exitCode).toBe(7);
      expect(stderr).toMatch(/^error: Can't clear the stored rate budget in Redis \(.+\)\nhint: /);
      expect(stderr).toContain(`hint: ${state}`);
    }
    expect((await reset(env)).stderr).toBe('No rate budget of this key was stored.\n');
  });
});
