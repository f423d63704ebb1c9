import { describe, expect, test } from 'vitest';
import type { RateLimitError } from '../../../../../src/errors.js';
import type { Prompter } from '../../../../../src/cli/system/context.js';
import { confirmCost } from '../../../../../src/cli/commands/pets/import/import-cost.js';
import type { Scripted, World } from '../../../../support/fake-context.js';
import { sessionFor } from '../../../../support/fake-session.js';
import { rejection } from '../../../../support/stores.js';

const NOW = new Date(2026, 0, 2, 14, 4, 58).getTime();

/** A response with rate-limit headers. */
function listResponse(limit: number, remaining: number, resetInSeconds: number): Scripted {
  const headers = {
    date: new Date(NOW).toUTCString(),
    'x-ratelimit-limit': String(limit),
    'x-ratelimit-remaining': String(remaining),
    'x-ratelimit-reset': String(NOW / 1_000 + resetInSeconds),
  };
  return { headers, body: '[]' };
}

async function agree(requests: number, flags: string, world: World = {}) {
  let sent = 0;
  const { session, stderr } = await sessionFor(`pets import x.csv ${flags}`, {
    now: NOW,
    onSend: () => void (sent += 1),
    ...world,
  });
  const store = await session.client();
  const outcome = await confirmCost(requests, store, session).then(
    (durationMs) => ({ durationMs, error: undefined }),
    (error: unknown) => ({ durationMs: undefined, error }),
  );
  return { ...outcome, stderr: stderr(), sent };
}

describe('the cost', () => {
  test('requests the rate limit once if it is unknown', async () => {
    const outcome = await agree(240, '', { responses: [listResponse(300, 299, 22)] });
    expect(outcome).toEqual({
      durationMs: 0,
      error: undefined,
      sent: 1,
      stderr: '240 requests, 299 left until 14:05:20\n',
    });
  });

  test('includes waits', async () => {
    const { durationMs, stderr } = await agree(240, '', { responses: [listResponse(60, 59, 60)] });
    expect(stderr).toMatch(/^240 requests, 59 left until 14:05:58, about 4 min\n$/);
    expect(durationMs).toBe(240_000);
  });

  test('leaves the reserve', async () => {
    const { stderr } = await agree(240, '--reserve 50', { responses: [listResponse(300, 299, 22)] });
    expect(stderr).toMatch(/^240 requests, 149 left until 14:05:20, under a minute\n$/);
  });

  test('sends no request for a few rows', async () => {
    expect(await agree(19, '', { responses: [listResponse(60, 0, 60)] })).toEqual({
      ...{ durationMs: 0, error: undefined, sent: 0, stderr: '19 requests\n' },
    });
  });

  test('works without rate-limit headers', async () => {
    expect(await agree(20, '')).toEqual({
      durationMs: 0,
      error: undefined,
      sent: 1,
      stderr: '20 requests\n',
    });
  });
});

describe('a wait longer than allowed', () => {
  const day = { responses: [listResponse(1_000, 100, 36_000)] };

  test('is rejected before sending: exit code 6', async () => {
    const { error } = await agree(240, '', day);
    expect(error).toMatchObject({
      ...{ type: 'rate-limit', exitCode: 6, retryable: true },
      message: expect.stringMatching(
        /^The rate limit requires a wait of 9 h 59 min, but --max-wait allows 1 min 15 s; nothing was sent$/,
      ),
      hint: 'Pass --yes to start anyway, and --resume to continue after the wait. Or pass --max-wait 10h to wait.',
      retryAt: new Date(NOW + 36_000_000),
    });
  });

  test('after a 429: the end of its wait', async () => {
    const limited: Scripted = { status: 429, headers: { 'retry-after': '300' }, body: '{}' };
    const { session } = await sessionFor('pets import x.csv', { now: NOW, responses: [limited] });
    const store = await session.client();
    const { retryAt } = (await rejection(store.pets.list())) as RateLimitError;
    const error = await rejection(confirmCost(2, store, session));
    expect(error).toMatchObject({ type: 'rate-limit', retryAt: expect.any(Date) as Date });
    expect((error as RateLimitError).retryAt.getTime() - retryAt.getTime()).toBeCloseTo(0, -3);
  });

  test.each(['--yes', '--max-wait 10h'])('%s starts the import', async (flags) => {
    expect(await agree(240, flags, day)).toMatchObject({ durationMs: 36_120_000 });
  });

  test('waits within a minute window are allowed, unless --max-wait is shorter', async () => {
    const minute = { responses: [listResponse(60, 0, 60)] };
    expect(await agree(240, '', minute)).toMatchObject({ error: undefined });
    expect(await agree(240, '--max-wait 60s', minute)).toMatchObject({ error: undefined });
    expect(await agree(240, '--max-wait 30s', minute)).toMatchObject({
      // Each later window needs the same wait.
      error: { exitCode: 6, hint: expect.stringContaining('--max-wait 1m to wait'), retryAt: undefined },
    });
    expect(await agree(240, '--no-retry', { responses: [listResponse(60, 59, 60)] })).toMatchObject({
      error: { message: expect.stringContaining('but no wait is allowed') },
    });
  });

  test.each([
    ['yes', { durationMs: 36_120_000 }],
    ['no', { error: { exitCode: 6 } }],
  ])('prompts on a terminal: %s', async (choice, outcome) => {
    const questions: string[] = [];
    const prompter: Prompter = {
      secret: () => rejection(Promise.resolve()) as Promise<never>,
      text: () => rejection(Promise.resolve()) as Promise<never>,
      choose(question) {
        questions.push(question);
        return Promise.resolve(choice);
      },
    };
    const world = { ...day, prompter, terminals: ['stdin', 'stdout', 'stderr'] as const };
    expect(await agree(240, '', world)).toMatchObject(outcome);
    expect(questions).toEqual(['Start anyway, and stop when the wait begins?']);
    expect(await agree(240, '--no-input', world)).toMatchObject({ error: { exitCode: 6 } });
    expect(questions).toHaveLength(1);
  });
});
