import { once } from 'node:events';
import { Agent, request, type IncomingMessage } from 'node:http';
import { connect } from 'node:net';
import { afterEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import { createMock, type ListenOptions, type Mock, type MockServer } from '../../../src/mock/index.js';
import { frozenClock } from '../send-request.js';

const authorization = 'Bearer mock-key';
const open: MockServer[] = [];

async function serve(mock: Mock, options?: ListenOptions): Promise<MockServer> {
  const server = await mock.listen(options);
  open.push(server);
  return server;
}

afterEach(async () => {
  await Promise.all(open.splice(0).map((server) => server.close()));
});

/** Sends a text on a socket and returns everything received until the server closes it. */
async function sendText(port: number, text: string): Promise<string> {
  const socket = connect(port, '127.0.0.1');
  socket.write(text);
  let received = '';
  for await (const chunk of socket) received += String(chunk);
  return received;
}

function get(path: string, more = ''): string {
  return `GET ${path} HTTP/1.1\r\nHost: localhost\r\nAuthorization: ${authorization}\r\n${more}\r\n`;
}

test('returns its URLs and port', async () => {
  const mock = createMock();
  const server = await serve(mock);
  expect(server.port).toBeGreaterThan(0);
  expect(server.url).toBe(`http://127.0.0.1:${String(server.port)}`);
  expect(server.baseUrl).toBe(`${server.url}/v1`);
  const response = await fetch(`${server.baseUrl}/pets`, { headers: { authorization } });
  expect([response.status, response.headers.get('x-mock-instance')]).toEqual([200, mock.instance]);
});

test('keeps idle connections longer than clients do', async () => {
  const { port } = await serve(createMock());
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
  const { baseUrl } = await serve(mock, {
    onResponse: ({ method, status }, durationMs) => seen.push([method, status, durationMs]),
  });
  const response = fetch(`${baseUrl}/pets`, { headers: { authorization } });
  await vi.waitFor(() => {
    expect(mock.journal).toHaveLength(1);
  });
  mock.advance('60s');
  await (await response).text();
  const lost = fetch(`${baseUrl}/pets`, { method: 'POST' }).catch(() => undefined);
  await vi.waitFor(() => {
    expect(mock.journal).toHaveLength(2);
  });
  mock.advance('61s');
  await lost;
  await vi.waitFor(() => {
    expect(seen).toEqual([
      ['GET', 200, 60_000],
      ['POST', undefined, 61_000],
    ]);
  });
});

test('returns a URL that clients can connect to', async () => {
  expect((await serve(createMock(), { host: '0.0.0.0' })).url).toMatch(/^http:\/\/127\.0\.0\.1:/);
  expect((await serve(createMock(), { host: 'localhost' })).url).toMatch(/^http:\/\/localhost:/);
});

test('rejects with EADDRINUSE if the port is in use', async () => {
  const { port } = await serve(createMock());
  await expect(createMock().listen({ port })).rejects.toMatchObject({ code: 'EADDRINUSE', port });
});

test('responds to pipelined requests in order', async () => {
  const { port } = await serve(createMock());
  const received = await sendText(
    port,
    get('/v1/pets/1') + get('/v1/nowhere') + get('/v1/pets/2', 'Connection: close\r\n'),
  );
  expect([...received.matchAll(/HTTP\/1\.1 (\d+)/g)].map(([, status]) => status)).toEqual([
    '200',
    '404',
    '200',
  ]);
  expect([...received.matchAll(/"id":(\d+)/g)].map(([, id]) => id)).toEqual(['1', '2']);
});

test('checks the key before the size of the body, and keeps the connection open', async () => {
  const { baseUrl } = await serve(createMock());
  const body = new Uint8Array(3_000_000).fill(0x78);
  const post = (headers: Record<string, string>) =>
    fetch(`${baseUrl}/pets`, { method: 'POST', headers, body });
  expect((await post({})).status).toBe(401);
  const response = await post({ authorization, 'content-type': 'application/json' });
  expect([response.status, await response.json()]).toEqual([413, expect.objectContaining({ status: 413 })]);
  expect(response.headers.get('x-ratelimit-limit')).toBe('60');
  expect((await fetch(`${baseUrl}/pets`, { headers: { authorization } })).status).toBe(200);
});

test.each([
  ['no HTTP at all\r\n\r\n', 400, 'bad_request'],
  [
    `GET /v1/pets HTTP/1.1\r\nHost: localhost\r\nX-Long: ${'x'.repeat(20_000)}\r\n\r\n`,
    431,
    'headers_too_large',
  ],
  ['GET /v1/pets HTTP/1.1\r\nConnection: close\r\n\r\n', 400, 'bad_request'],
])('malformed HTTP gets a JSON error (%#)', async (text, status, code) => {
  const { port } = await serve(createMock());
  const [head = '', body = ''] = (await sendText(port, text)).split('\r\n\r\n');
  expect(head).toMatch(new RegExp(`^HTTP/1\\.1 ${String(status)} `));
  expect(head).toMatch(/^x-ratelimit-limit: 60\r$/m);
  expect(JSON.parse(body)).toMatchObject({ code, status });
});

describe('faults', () => {
  test.each(['reset', 'lost-write'] as const)(
    '%s closes the connection without a response',
    async (action) => {
      const mock = createMock({ faults: [{ action }] });
      const { baseUrl } = await serve(mock);
      const sent = request(`${baseUrl}/pets`, {
        method: 'POST',
        headers: { authorization, 'content-type': 'application/json' },
      });
      sent.end('{"name":"Rex","categoryId":1}');
      const [error] = (await once(sent, 'error').catch((thrown: unknown) => [thrown])) as [unknown];
      expect(error).toMatchObject({ code: 'ECONNRESET' });
      expect(mock.state().tenants[0]?.pets).toBe(action === 'reset' ? 25 : 26);
    },
  );

  test('truncate closes it after half of the body', async () => {
    const { port } = await serve(createMock({ faults: ['truncate'] }));
    const [head = '', body = ''] = (await sendText(port, get('/v1/pets'))).split('\r\n\r\n');
    const whole = Number(/^content-length: (\d+)/m.exec(head)?.[1]);
    expect(Buffer.byteLength(body)).toBe(Math.floor(whole / 2));
  });

  test('a client may disconnect before its fault', async () => {
    const faults = (['reset', 'truncate'] as const).map((action) => ({ times: 1, action }));
    const mock = createMock({ clock: frozenClock, latencyMs: 3_600_000, faults });
    const { port, baseUrl } = await serve(mock);
    for (const seen of [1, 2]) {
      const socket = connect(port, '127.0.0.1');
      socket.write(get('/v1/pets'));
      while (mock.journal.length < seen) await new Promise((resolve) => setImmediate(resolve));
      socket.destroy();
      await once(socket, 'close');
    }
    const last = fetch(`${baseUrl}/pets`, { headers: { authorization } });
    while (mock.journal.length < 3) await new Promise((resolve) => setImmediate(resolve));
    mock.advance('1h');
    expect((await last).status).toBe(200);
  });

  test('latency follows the virtual clock', async () => {
    const mock = createMock({ clock: frozenClock, latencyMs: 3_600_000 });
    const { baseUrl } = await serve(mock);
    const response = fetch(`${baseUrl}/pets`, { headers: { authorization } });
    while (mock.journal.length === 0) await new Promise((resolve) => setImmediate(resolve));
    mock.advance('1h');
    expect((await response).status).toBe(200);
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
    const { baseUrl } = await serve(broken());
    const response = await fetch(`${baseUrl}/pets`, {
      method,
      body: body ?? null,
      headers: { authorization },
    });
    expect([response.status, await response.json()]).toEqual([
      500,
      { code: 'mock_failed', message: expect.stringContaining('Invalid time value') as string, status: 500 },
    ]);
    expect(response.headers.get('x-ratelimit-limit')).toBe('60');
  });

  test('a clock that throws gets a 500, and the next request succeeds', async () => {
    let fails = false;
    const now = (): number => {
      if (fails) throw new Error('no time');
      return 1_000;
    };
    const { baseUrl, url } = await serve(createMock({ clock: { now } }));
    fails = true;
    for (const path of [`${baseUrl}/pets`, `${url}/__mock/state`]) {
      await expect(fetch(path, { headers: { authorization } })).rejects.toThrow(TypeError);
    }
    fails = false;
    expect((await fetch(`${baseUrl}/pets`, { headers: { authorization } })).status).toBe(200);
  });

  test('an error during a delay gets a 500', async () => {
    let calls = 0;
    const now = (): number => {
      calls += 1;
      if (calls === 2) throw new Error('no time');
      return 1_000;
    };
    const { baseUrl } = await serve(createMock({ clock: { now }, latencyMs: 1 }));
    expect((await fetch(`${baseUrl}/pets`, { headers: { authorization } })).status).toBe(500);
  });

  test('an error in the control API gets a 500', async () => {
    const mock = createMock();
    const { url } = await serve(mock);
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

test.each([204, 205, 304])('the response %i has no body and no Content-Type', async (status) => {
  const { port } = await serve(createMock({ faults: [{ times: 1, action: { status } }] }));
  const received = await sendText(port, get('/v1/pets') + get('/v1/pets/1', 'Connection: close\r\n'));
  const [, first = '', second = ''] = received.split('HTTP/1.1 ');
  expect(first).toMatch(new RegExp(`^${String(status)} [^]*\r\n\r\n$`));
  expect(/^content-length: (.*)\r$/m.exec(first)?.[1]).toBe(status === 205 ? '0' : undefined);
  expect(first).not.toMatch(/^(?:content-type|transfer-encoding):/im);
  expect(second).toMatch(/^200 /);
});

test('leaves nothing open if the port is in use', async () => {
  const { port } = await serve(createMock());
  const listening = () => process.getActiveResourcesInfo().filter((name) => name === 'TCPServerWrap').length;
  const before = listening();
  await expect(createMock().listen({ port })).rejects.toMatchObject({ code: 'EADDRINUSE' });
  await expect(createMock().listen({ port: 70_000 })).rejects.toMatchObject({ code: 'ERR_SOCKET_BAD_PORT' });
  while (listening() > before) await new Promise((resolve) => setImmediate(resolve));
});

describe('close', () => {
  test('closes an idle keep-alive connection at once', async () => {
    const { port, close } = await createMock().listen();
    const socket = connect(port, '127.0.0.1');
    socket.write(get('/v1/pets'));
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
    const sent = request(`${baseUrl}/pets`, { agent, headers: { authorization } }).end();
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
    socket.write(get('/v1/pets'));
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

  test('rejects new connections, and can be called twice', async () => {
    const { baseUrl, close } = await createMock().listen();
    await Promise.all([close(), close()]);
    await expect(fetch(`${baseUrl}/pets`)).rejects.toMatchObject({ cause: { code: 'ECONNREFUSED' } });
  });
});

describe('rejects a wrong Host at once (RFC 9112, section 3.2)', () => {
  const post = (hosts: string): string =>
    `POST /v1/pets HTTP/1.1\r\n${hosts}Authorization: ${authorization}\r\nContent-Length: 50\r\n\r\n`;

  test.each([
    ['two', 'Host: localhost\r\nHost: localhost\r\n'],
    ['a space', 'Host: a b\r\n'],
    ['a path', 'Host: localhost/v1\r\n'],
    ['user data', 'Host: me@localhost\r\n'],
    ['none', ''],
  ])('%s', async (_, hosts) => {
    const mock = createMock();
    const { port } = await serve(mock);
    // The body never arrives.
    const received = await sendText(port, post(hosts));
    expect(received).toMatch(/^HTTP\/1\.1 400 /);
    expect(received.toLowerCase()).toContain('connection: close');
    expect(mock.journal).toEqual([]);
  });

  test.each(['localhost', 'localhost:80', '[::1]:80', 'a-b.example:', ''])('accepts %j', async (host) => {
    const { port } = await serve(createMock());
    const received = await sendText(
      port,
      `GET /v1/pets HTTP/1.1\r\nHost: ${host}\r\nAuthorization: ${authorization}\r\nConnection: close\r\n\r\n`,
    );
    expect(received).toMatch(/^HTTP\/1\.1 200 /);
  });
});

describe.each(['a port', 'fetch'])('bodies over %s', (transport) => {
  async function post(headers: Record<string, string>, body: Uint8Array<ArrayBuffer>): Promise<Response> {
    const mock = createMock();
    const init = {
      method: 'POST',
      headers: { authorization, 'content-type': 'application/json', ...headers },
      body,
    };
    if (transport === 'fetch') return mock.fetch('https://mock.test/v1/pets', init);
    return fetch(`${(await serve(mock)).baseUrl}/pets`, init);
  }

  test('that are not UTF-8 get 400', async () => {
    const body = Uint8Array.from(Buffer.from('{"name":"R\u00e9x","categoryId":1}', 'latin1'));
    const response = await post({}, body);
    expect(await response.json()).toEqual({
      code: 'invalid_body',
      message: 'The body is not UTF-8',
      status: 400,
    });
  });

  test('that are compressed get 415', async () => {
    const response = await post({ 'content-encoding': 'gzip' }, Uint8Array.from([0x1f, 0x8b, 0xff]));
    expect([response.status, response.headers.get('accept-encoding')]).toEqual([415, 'identity']);
  });
});
