import { setupServer } from 'msw/node';
import { afterEach, expect, onTestFinished, test, vi } from 'vitest';
import { createMock, type Mock } from '../../src/mock/index.js';
import { handlers } from '../../src/mock/msw.js';

const headers = { authorization: 'Bearer mock-key', 'content-type': 'application/json' };
let running: ReturnType<typeof setupServer> | undefined;

function intercept(mock: Mock, baseUrl: string): void {
  running = setupServer(...handlers(mock, { baseUrl }));
  running.listen({ onUnhandledRequest: 'error' });
}

afterEach(() => running?.close());

test.each(['https://pets.example/v1', 'https://pets.example:8443/v1/', 'https://pets.example/deep/(a+b)/v1'])(
  'handles everything below %s',
  async (baseUrl) => {
    const mock = createMock();
    intercept(mock, baseUrl);
    const below = baseUrl.replace(/\/$/, '');
    expect(await (await fetch(`${below}/pets?limit=3`, { headers })).json()).toHaveLength(3);
    const body = '{"name":"Möhre","categoryId":9007199254740993}';
    const created = await fetch(`${below}/pets`, { method: 'POST', headers, body });
    expect(await created.text()).toBe('{"id":25,"name":"Möhre","categoryId":9007199254740993}');
    expect((await fetch(`${below}/nowhere`, { headers })).status).toBe(404);
    expect(mock.journal.map(({ path, query }) => [path, query])).toEqual([
      ['/pets', 'limit=3'],
      ['/pets', ''],
      ['/nowhere', ''],
    ]);
  },
);

test('does not handle similar URLs', async () => {
  const mock = createMock();
  intercept(mock, 'https://pets.example/v1');
  for (const url of ['https://pets.example/v10/pets', 'https://pets.example.evil.example/v1/pets']) {
    await expect(fetch(url)).rejects.toThrow();
  }
  expect(mock.journal).toEqual([]);
});

test('a request that its client aborts prints nothing', async () => {
  const printed = vi.spyOn(console, 'error').mockImplementation(() => undefined);
  onTestFinished(() => printed.mockRestore());
  const mock = createMock({ faults: ['slow:ms=60000'] });
  intercept(mock, 'https://pets.example/v1');
  const aborted = new AbortController();
  const sent = fetch('https://pets.example/v1/pets', { headers, signal: aborted.signal });
  await vi.waitFor(() => expect(mock.journal).toHaveLength(1));
  aborted.abort();
  await expect(sent).rejects.toThrow('abort');
  // msw prints after the handler has settled.
  await new Promise((resolve) => setImmediate(resolve));
  expect(printed.mock.calls).toEqual([]);
  expect(mock.journal[0]).toMatchObject({ aborted: true });
});

test('a lost connection rejects fetch', async () => {
  const mock = createMock({ faults: ['lost-write'] });
  intercept(mock, 'https://pets.example/v1');
  const sent = fetch('https://pets.example/v1/pets', {
    method: 'POST',
    headers,
    body: '{"name":"Rex","categoryId":1}',
  });
  await expect(sent).rejects.toThrow(TypeError);
  expect(mock.state().tenants[0]?.pets).toBe(26);
});

test.each(['truncate', 'cut:bytes=10'])(
  '%s: the body ends with the same error as over HTTP',
  async (fault) => {
    intercept(createMock({ faults: [fault] }), 'https://pets.example/v1');
    const response = await fetch('https://pets.example/v1/pets', { headers });
    expect(response.status).toBe(200);
    const error: unknown = await response.text().catch((reason: unknown) => reason);
    expect(error).toMatchObject({ name: 'TypeError', message: 'terminated' });
  },
);

test.each([
  [undefined, 'options must be an object'],
  [{}, 'baseUrl must be a URL, such as https://pets.example/v1'],
  [{ baseUrl: '/v1' }, 'baseUrl must be a URL, such as https://pets.example/v1'],
  [{ baseURL: 'https://pets.example/v1' }, 'Unknown option "baseURL". Did you mean "baseUrl"?'],
])('rejects the options %o', (options, message) => {
  expect(() => handlers(createMock(), options as never)).toThrow(new TypeError(message));
});

test.each([{}, undefined, () => createMock()])('%o is no mock', (mock) => {
  const error = new TypeError('mock must be the result of createMock()');
  expect(() => handlers(mock as never, { baseUrl: 'https://pets.example/v1' })).toThrow(error);
});
