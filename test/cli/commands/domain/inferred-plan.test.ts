import { describe, expect, test } from 'vitest';
import { inferPlan } from '../../../../src/cli/commands/domain/verify-requests.js';
import { readGlobalOptions } from '../../../../src/cli/command-line/global-options.js';
import { readCommandTree } from '../../../../src/cli/program/read-command-tree.js';
import { createSession } from '../../../../src/cli/session/create-session.js';
import { ENV, fakeContext, type Scripted, type World } from '../../../support/fake-context.js';
import { rateLimitHeaders } from '../../../support/rate-limit-headers.js';

const NOW = Date.UTC(2026, 10, 21, 12);

function headers(limit: number, resetInSeconds: number): Scripted {
  return { body: '[]', headers: rateLimitHeaders({ now: NOW, limit, remaining: 5, resetInSeconds }) };
}

/** Infers with a clock on which no time passes, unless `isSlow`: then all patience is over at once. */
async function infer(world: World, { mock = false, isSlow = false } = {}) {
  const { context, requests } = fakeContext({ now: NOW, ...world });
  const setTimeout = (callback: () => void) => {
    if (isSlow) callback();
    return () => undefined;
  };
  const clock = { ...context.clock, setTimeout };
  const session = createSession(readGlobalOptions({ mock }), { ...context, clock }, readCommandTree);
  const plan = await inferPlan(session);
  await session.close();
  return { plan, paths: requests.map(({ method, path }) => `${method} ${path}`) };
}

test.each([
  [60, 30, { name: 'Free', inferred: true }],
  [10_000, 3_600, { name: 'Pro', inferred: true }],
  [1_000, 30, undefined],
])('infers from a limit of %i that ends in %i s: %j', async (limit, inSeconds, plan) => {
  expect(await infer({ responses: [headers(limit, inSeconds)] })).toEqual({
    plan,
    paths: ['GET /v1/pets?limit=1'],
  });
});

test('infers the plan from a 429 without waiting', async () => {
  const { headers: told } = headers(60, 30) as { headers: Record<string, string> };
  const refusal = { status: 429, headers: { ...told, 'x-ratelimit-remaining': '0', 'retry-after': '30' } };
  const { plan, paths } = await infer({ responses: [refusal] });
  expect(plan).toMatchObject({ name: 'Free' });
  expect(paths).toHaveLength(1);
});

describe('is unknown without a message', () => {
  test.each<[string, World]>([
    ['where there is no key', { env: { PETSTORE_BASE_URL: ENV.PETSTORE_BASE_URL } }],
    ['where no base URL is configured', { env: { PETSTORE_API_KEY: 'sk-secret' } }],
    ['where the key can be in no header', { env: { ...ENV, PETSTORE_API_KEY: 'a\nb' } }],
  ])('%s: sends nothing', async (_, world) => {
    expect(await infer(world)).toEqual({ plan: undefined, paths: [] });
  });

  test('with --mock: sends nothing', async () => {
    expect(await infer({ responses: [headers(60, 30)] }, { mock: true })).toEqual({
      plan: undefined,
      paths: [],
    });
  });

  test.each<[string, Scripted]>([
    ['a wrong key', { status: 401, body: '{}' }],
    ['an outage', { status: 503 }],
    ['a lost connection', new Error('reset')],
    ['what is no list', { body: 'hello' }],
    ['no rate limit', { body: '[]' }],
  ])('%s: one request only', async (_, answer) => {
    const { plan, paths } = await infer({ responses: [answer] });
    expect(plan).toBeUndefined();
    expect(paths.length).toBeLessThanOrEqual(1);
  });

  test('a slow service', async () => {
    expect((await infer({ responses: ['never'] }, { isSlow: true })).plan).toBeUndefined();
  });
});
