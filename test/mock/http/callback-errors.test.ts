import { describe, expect, test, vi } from 'vitest';
import { createMock, type Mock } from '../../../src/mock/index.js';
import { AUTHORIZATION, serveMock } from './serve-mock.js';

describe('errors in the caller’s code', () => {
  const broken = (more = {}): Mock =>
    createMock({
      ...more,
      onRequest: () => {
        throw new RangeError('Invalid time value');
      },
    });

  test.each([
    ['GET', undefined],
    ['POST', '{"name":"Rex","categoryId":1}'],
  ])('onRequest that throws gets a 500 (%s)', async (method, body) => {
    const { baseUrl } = await serveMock(broken());
    const response = await fetch(`${baseUrl}/pets`, {
      method,
      body: body ?? null,
      headers: { authorization: AUTHORIZATION },
    });
    expect([response.status, await response.json()]).toEqual([
      500,
      { code: 'mock_failed', message: expect.stringContaining('Invalid time value') as string, status: 500 },
    ]);
    expect(response.headers.get('x-ratelimit-limit')).toBe('60');
  });

  test('a clock that throws closes the connection, and the next request succeeds', async () => {
    let fails = false;
    const now = (): number => {
      if (fails) throw new Error('no time');
      return 1_000;
    };
    const { baseUrl, url } = await serveMock(createMock({ clock: { now } }));
    fails = true;
    for (const path of [`${baseUrl}/pets`, `${url}/__mock/state`]) {
      await expect(fetch(path, { headers: { authorization: AUTHORIZATION } })).rejects.toThrow(TypeError);
    }
    fails = false;
    expect((await fetch(`${baseUrl}/pets`, { headers: { authorization: AUTHORIZATION } })).status).toBe(200);
  });

  test('an error during a delay gets a 500', async () => {
    let calls = 0;
    const now = (): number => {
      calls += 1;
      if (calls === 2) throw new Error('no time');
      return 1_000;
    };
    const { baseUrl } = await serveMock(createMock({ clock: { now }, latencyMs: 1 }));
    expect((await fetch(`${baseUrl}/pets`, { headers: { authorization: AUTHORIZATION } })).status).toBe(500);
  });

  test('an error in the control API gets a 500', async () => {
    const mock = createMock();
    const { url } = await serveMock(mock);
    vi.spyOn(mock, 'state').mockImplementation(() => {
      throw new RangeError('odd');
    });
    const response = await fetch(`${url}/__mock/state`);
    expect([response.status, await response.json()]).toMatchObject([
      500,
      { status: 500, code: 'mock_failed' },
    ]);
    vi.restoreAllMocks();
  });
});
