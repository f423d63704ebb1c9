import { once } from 'node:events';
import { Agent, type IncomingMessage, request } from 'node:http';
import { connect } from 'node:net';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { type Mock, createMock } from '../../../src/mock/index.js';
import { frozenClock } from '../send-request.js';
import { AUTHORIZATION, getText, listPets, serveMock } from './serve-mock.js';

test('returns its URLs and port', async () => {
  const mock = createMock();
  const server = await serveMock(mock);
  expect(server.port).toBeGreaterThan(0);
  expect(server.url).toBe(`http://127.0.0.1:${String(server.port)}`);
  expect(server.baseUrl).toBe(`${server.url}/v1`);
  const response = await listPets(server.baseUrl);
  expect([response.status, response.headers.get('x-mock-instance')]).toEqual([200, mock.instance]);
});

test('keeps idle connections longer than clients do', async () => {
  const { port } = await serveMock(createMock());
  const agent = new Agent({ keepAlive: true });
  onTestFinished(() => agent.destroy());
  const [response] = (await once(request({ port, agent, path: '/v1/pets' }).end(), 'response')) as [
    IncomingMessage,
  ];
  response.resume();
  expect(response.headers['keep-alive']).toBe('timeout=60');
});

test('onResponse reports each request with its duration by the clock of the mock', async () => {
  const mock = createMock({
    clock: frozenClock,
    latencyMs: 60_000,
    faults: [{ action: 'reset', route: 'POST /pets' }],
  });
  const seen: unknown[] = [];
  const { baseUrl } = await serveMock(mock, {
    onResponse: ({ method, status, aborted }, durationMs) =>
      seen.push([method, aborted === true ? 'aborted' : status, durationMs]),
  });
  const response = listPets(baseUrl);
  await vi.waitFor(() => expect(mock.journal).toHaveLength(1));
  mock.advance('60s');
  await (await response).text();
  const lost = fetch(`${baseUrl}/pets`, { method: 'POST' }).catch(() => undefined);
  await vi.waitFor(() => expect(mock.journal).toHaveLength(2));
  mock.advance('61s');
  await lost;
  const controller = new AbortController();
  const { signal } = controller;
  const aborted = fetch(`${baseUrl}/pets`, { signal }).catch(() => undefined);
  await vi.waitFor(() => expect(mock.journal).toHaveLength(3));
  controller.abort();
  await aborted;
  await vi.waitFor(() => {
    expect(seen).toEqual([
      ['GET', 200, 60_000],
      ['POST', undefined, 61_000],
      ['GET', 'aborted', 0],
    ]);
    expect(mock.journal.map((entry) => entry.aborted)).toEqual([undefined, undefined, true]);
  });
});

test('returns a URL that clients can connect to', async () => {
  expect((await serveMock(createMock(), { host: '0.0.0.0' })).url).toMatch(/^http:\/\/127\.0\.0\.1:/);
  expect((await serveMock(createMock(), { host: 'localhost' })).url).toMatch(/^http:\/\/localhost:/);
});

test('leaves nothing open if the port is in use', async () => {
  const { port } = await serveMock(createMock());
  const listening = () => process.getActiveResourcesInfo().filter((name) => name === 'TCPServerWrap').length;
  const before = listening();
  await expect(createMock().listen({ port })).rejects.toMatchObject({ code: 'EADDRINUSE' });
  while (listening() > before) await new Promise((resolve) => setImmediate(resolve));
});

describe('close', () => {
  test('closes an idle keep-alive connection at once', async () => {
    const { port, close } = await createMock().listen();
    const socket = connect(port, '127.0.0.1');
    socket.write(getText('/v1/pets'));
    await once(socket, 'data');
    const ended = once(socket, 'close');
    socket.resume();
    // The deadline is longer than the time limit of a test.
    await close({ deadlineMs: 600_000 });
    await ended;
  });

  test('finishes a request in flight with Connection: close', async () => {
    const mock = createMock({ clock: frozenClock, latencyMs: 3_600_000 });
    const { baseUrl, close } = await mock.listen();
    const agent = new Agent({ keepAlive: true });
    const sent = request(`${baseUrl}/pets`, { agent, headers: { authorization: AUTHORIZATION } }).end();
    while (mock.journal.length === 0) await new Promise((resolve) => setImmediate(resolve));
    const closed = close({ deadlineMs: 600_000 });
    mock.advance('1h');
    const [response] = (await once(sent, 'response')) as [IncomingMessage];
    expect([response.statusCode, response.headers.connection]).toEqual([200, 'close']);
    response.resume();
    await closed;
    agent.destroy();
  });

  test('closes after the deadline, and leaves no timer', async () => {
    const [set, cleared] = [vi.spyOn(globalThis, 'setTimeout'), vi.spyOn(globalThis, 'clearTimeout')];
    const mock = createMock({ clock: frozenClock, latencyMs: 3_600_000 });
    const { port, close } = await mock.listen();
    const socket = connect(port, '127.0.0.1');
    socket.write(getText('/v1/pets'));
    while (mock.journal.length === 0) await new Promise((resolve) => setImmediate(resolve));
    const ended = once(socket.resume(), 'close');
    await close({ deadlineMs: 10 });
    await ended;
    const hourTimer = set.mock.calls.findIndex(([, delayMs]) => delayMs === 3_600_000);
    const timer: unknown = set.mock.results[hourTimer]?.value;
    expect(timer).toBeDefined();
    while (!cleared.mock.calls.some(([handle]) => handle === timer)) {
      await new Promise((resolve) => setImmediate(resolve));
    }
    vi.restoreAllMocks();
    // The client of the delayed response has disconnected: no error may follow.
    mock.advance('1h');
  });

  test('happens at the end of a block', async () => {
    let url: string;
    {
      await using server = await createMock().listen();
      ({ url } = server);
      expect((await fetch(url)).status).toBe(401);
    }
    await expect(fetch(url)).rejects.toMatchObject({ cause: { code: 'ECONNREFUSED' } });
  });

  test('rejects new connections, and can be called twice', async () => {
    const { baseUrl, close } = await createMock().listen();
    await Promise.all([close(), close()]);
    await expect(fetch(`${baseUrl}/pets`)).rejects.toMatchObject({ cause: { code: 'ECONNREFUSED' } });
  });
});

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

  test.each<[string, () => unknown]>([
    ['rejects', () => Promise.reject(new Error('broken'))],
    [
      'throws',
      () => {
        throw new Error('broken');
      },
    ],
  ])('callback that %s is one warning, and the process continues', async (problem, callback) => {
    const emitted = vi.spyOn(process, 'emitWarning').mockReturnValue();
    onTestFinished(() => void vi.restoreAllMocks());
    const isThrown = problem === 'throws';
    const mock = createMock(isThrown ? {} : { onRequest: callback });
    mock.subscribe(callback);
    const { baseUrl } = await serveMock(mock, { onResponse: callback });
    for (let count = 0; count < 2; count += 1) await (await listPets(baseUrl)).text();
    const names = isThrown ? ['listener', 'onResponse'] : ['listener', 'onRequest', 'onResponse'];
    await vi.waitFor(() => expect(emitted).toHaveBeenCalledTimes(names.length));
    expect(emitted.mock.calls.map(([message]) => message)).toEqual(
      names.map(
        (name) =>
          `The option ${name} failed (broken). The mock continues. Its later errors are not reported.`,
      ),
    );
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
    expect((await listPets(baseUrl)).status).toBe(200);
  });

  test('an error during a delay gets a 500', async () => {
    let calls = 0;
    const now = (): number => {
      calls += 1;
      if (calls === 2) throw new Error('no time');
      return 1_000;
    };
    const { baseUrl } = await serveMock(createMock({ clock: { now }, latencyMs: 1 }));
    expect((await listPets(baseUrl)).status).toBe(500);
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
