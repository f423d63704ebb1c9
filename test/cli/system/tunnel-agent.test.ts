import { readFileSync } from 'node:fs';
import { createServer as createHttpsServer } from 'node:https';
import { connect, type Socket } from 'node:net';
import { createServer as createTlsServer } from 'node:tls';
import { describe, expect, onTestFinished, test } from 'vitest';
import { createTunnelAgent } from '../../../src/cli/system/tunnel-agent.js';
import { trustFirst } from '../../../src/cli/system/trust.js';
import { createPetStoreOver, nodeHttpTransport, type Transport } from '../../../src/client/internal.js';
import { isPetStoreError } from '../../../src/errors.js';
import { AUTHORITY, pemOf } from '../../domain/loopback-servers.js';
import { listening } from '../../support/loopback-port.js';
import { json, type Responder, startProxy, startScriptedServer } from '../../support/scripted-server.js';
import { createVirtualClock, until } from '../../support/virtual-clock.js';

/** A self-signed certificate for 127.0.0.1. */
const LOOPBACK = readFileSync(new URL('../../integration/loopback.pem', import.meta.url), 'utf8');

const SERVICE = 'https://shop.example.test';

function through(proxyUrl: string, authorities = AUTHORITY, monotonic?: () => number): Transport {
  const trust = trustFirst(authorities);
  const transport = nodeHttpTransport(
    undefined,
    (module, options) => createTunnelAgent(module, new URL(proxyUrl), trust, options),
    monotonic,
  );
  onTestFinished(() => transport.close());
  return transport;
}

const respond =
  (text: string): Responder =>
  (socket) =>
    void socket.end(text);

/** Sends text again and again, as fast as it is read, until the client closes the connection. */
function sendEndlessly(socket: Socket, text: string): void {
  const send = (): void => {
    if (!socket.destroyed) socket.write(text, send);
  };
  send();
}

interface Received {
  authorization: string | undefined;
  method: string | undefined;
}

async function startService(): Promise<{ port: number; requests: Received[] }> {
  const requests: Received[] = [];
  const server = createHttpsServer({ key: pemOf('shop'), cert: pemOf('shop') }, (request, response) => {
    requests.push({ method: request.method, authorization: request.headers.authorization });
    const body = request.method === 'POST' ? '{"id":2,"name":"Rex","categoryId":7}' : '[]';
    response
      .writeHead(request.method === 'POST' ? 201 : 200, { 'content-type': 'application/json' })
      .end(body);
  });
  return { port: await listening(server), requests };
}

const GET = { method: 'GET', path: '/v1/pets', headers: {}, bodyMaxBytes: 10_000 } as const;

describe('a tunnel', () => {
  test.each([
    ['', undefined],
    ['ida:hunter2@', 'ida:hunter2'],
    ['ida@', 'ida:'],
    ['a%40b:%C3%BC%3A%25@', 'a@b:ü:%'],
  ])('opens with the login %s, which the service does not receive', async (login, decoded) => {
    const { port, requests } = await startService();
    const proxy = await startProxy(port);
    const transport = through(`http://${login}127.0.0.1:${String(proxy.port)}`);
    const request = { ...GET, origin: SERVICE, headers: { authorization: 'Bearer sk-1' } };
    expect(await transport.send(request).response).toMatchObject({ status: 200 });
    expect(proxy.requests).toMatchObject([{ method: 'CONNECT', path: 'shop.example.test:443' }]);
    const [connect] = proxy.requests;
    expect(connect?.headers).toMatchObject({ host: 'shop.example.test:443' });
    expect(connect?.headers.authorization).toBeUndefined();
    const sent = connect?.headers['proxy-authorization'];
    expect(sent).toBe(decoded && `Basic ${Buffer.from(decoded).toString('base64')}`);
    expect(requests).toEqual([{ method: 'GET', authorization: 'Bearer sk-1' }]);
  });

  test('serves many requests', async () => {
    const { port, requests } = await startService();
    const proxy = await startProxy(port);
    const transport = through(proxy.origin);
    for (let count = 0; count < 5; count += 1) await transport.send({ ...GET, origin: SERVICE }).response;
    expect([requests.length, proxy.requests.length]).toEqual([5, 1]);
  });

  test.each([
    [{}, 1_000],
    [{ 'keep-alive': 'timeout=2' }, 1_000],
    [{ 'keep-alive': 'timeout=1' }, 500],
  ])('with %j serves no write that comes later than %i ms', async (headers, idleMaxMs) => {
    const service = await startScriptedServer(json({ ok: true }, 200, headers));
    const proxy = await startProxy(service.port);
    let now = 0;
    const transport = through(proxy.origin, AUTHORITY, () => now);
    const post = { ...GET, method: 'POST', origin: 'http://shop.example.test', body: '{}' };
    for (const at of [0, idleMaxMs + 1]) {
      now = at;
      await transport.send(post).response;
      // A connection is free after the end of its response.
      await new Promise(setImmediate);
    }
    expect([service.requests.length, proxy.requests.length]).toEqual([2, 2]);
  });

  test('carries plain http too', async () => {
    const service = await startScriptedServer(json({ ok: true }));
    const proxy = await startProxy(service.port);
    const transport = through(proxy.origin);
    const origin = 'http://[2001:db8::1]:8080';
    expect(await transport.send({ ...GET, origin }).response).toMatchObject({ status: 200 });
    expect(proxy.requests).toMatchObject([{ method: 'CONNECT', path: '[2001:db8::1]:8080' }]);
    expect(service.requests).toMatchObject([{ method: 'GET', path: '/v1/pets' }]);
  });

  test.each([
    ['trusted', `${AUTHORITY}\n${LOOPBACK}`, undefined],
    ['untrusted', AUTHORITY, 'ERR_PROXY_CERTIFICATE'],
  ])('goes to a proxy with TLS, %s', async (_, ca, code) => {
    const { port, requests } = await startService();
    const target = await startProxy(port);
    const tls = createTlsServer({ key: LOOPBACK, cert: LOOPBACK }, (client) => {
      const inner = connect(target.port, '127.0.0.1');
      client
        .on('error', () => undefined)
        .pipe(inner)
        .pipe(client);
      inner.on('error', () => undefined);
      client.on('close', () => inner.destroy());
    });
    const transport = through(`https://127.0.0.1:${String(await listening(tls))}`, ca);
    const ended = await transport.send({ ...GET, origin: SERVICE }).response.catch((error: unknown) => error);
    expect(ended).toMatchObject(code === undefined ? { status: 200 } : { code });
    expect(requests).toHaveLength(code === undefined ? 1 : 0);
  });
});

/** What a failing proxy does, the client's error code, and whether it may be retried. */
const FAILURES: [string, Responder, string, boolean][] = [
  ['closes the connection', (socket) => void socket.destroy(), 'ECONNRESET', true],
  ['sends a FIN', (socket) => void socket.end(), 'ECONNRESET', true],
  ['resets the connection', (socket) => void socket.resetAndDestroy(), 'ECONNRESET', true],
  ['sends garbage', respond('what?\r\n\r\n'), 'HPE_INVALID_CONSTANT', true],
  ['ends within the header', respond('HTTP/1.1 200 OK\r\nx: '), 'ECONNRESET', true],
  [
    'sends one endless header',
    (socket) => {
      socket.write('HTTP/1.1 200 OK\r\nx: ');
      sendEndlessly(socket, 'x'.repeat(10_000));
    },
    'HPE_HEADER_OVERFLOW',
    true,
  ],
  [
    'sends endless headers',
    (socket) => {
      socket.write('HTTP/1.1 200 OK\r\n');
      sendEndlessly(socket, 'x: y\r\n'.repeat(1_000));
    },
    'HPE_HEADER_OVERFLOW',
    true,
  ],
  [
    'sends data in the tunnel first',
    respond('HTTP/1.1 200 OK\r\n\r\nHTTP/1.1 200 OK\r\n\r\n'),
    'ERR_PROXY_DATA',
    true,
  ],
  [
    'requires a login',
    respond('HTTP/1.1 407 Log in\r\nProxy-Authenticate: Basic realm="x"\r\n\r\n'),
    'ERR_PROXY_407',
    false,
  ],
  ['refuses the host', respond('HTTP/1.1 403 No\r\ncontent-length: 2\r\n\r\nno'), 'ERR_PROXY_403', false],
  [
    'redirects',
    respond('HTTP/1.1 302 Found\r\nlocation: http://127.0.0.1/login\r\n\r\n'),
    'ERR_PROXY_302',
    false,
  ],
  ['can not connect', respond('HTTP/1.1 502 Bad gateway\r\n\r\n'), 'ERR_PROXY_502', true],
  ['is busy', respond('HTTP/1.0 503 Busy\r\n\r\n'), 'ERR_PROXY_503', true],
  ['continues', respond('HTTP/1.1 100 Continue\r\n\r\n'), 'ERR_PROXY_100', false],
];

describe('a proxy that', () => {
  test.each(FAILURES)('%s gets one CONNECT for each attempt', async (_, behaviour, code, isRetryable) => {
    const proxy = await startScriptedServer(behaviour);
    const clock = createVirtualClock();
    const apiKey = 'sk-secret';
    const store = createPetStoreOver(through(`http://ida:hunter2@127.0.0.1:${String(proxy.port)}`), {
      apiKey,
      clock,
      baseUrl: `${SERVICE}/v1`,
      gate: 'memory',
      retry: { attemptsMax: 3 },
    });
    for (const call of [() => store.pets.list(), () => store.pets.create({ name: 'Rex', categoryId: 7 })]) {
      const before = proxy.requests.length;
      let error: unknown;
      const ended = Promise.resolve(call()).catch((reason: unknown) => (error = reason));
      const isSettled = (): boolean => error !== undefined;
      while (!isSettled()) {
        await until(() => isSettled() || clock.pendingDelays.some((delayMs) => delayMs < 10_000));
        if (!isSettled()) await clock.next();
      }
      await ended;
      // A create is repeated as well, because the service has received nothing.
      expect(error).toMatchObject({ type: 'connection', code, outcome: 'not-sent', retryable: isRetryable });
      expect(proxy.requests.length - before).toBe(isRetryable ? 3 : 1);
      expect(isPetStoreError(error) && JSON.stringify(error)).not.toMatch(/hunter2|sk-secret/);
    }
    await until(() => proxy.closed === proxy.connections);
  });

  test.each([
    ['407', '', 'The proxy requires authentication (407)'],
    ['407', 'ida:x@', 'The proxy does not accept the login (407)'],
    ['403', '', 'The proxy opened no connection to shop.example.test:443 (403)'],
  ])('responds with %s is named (login "%s")', async (status, login, message) => {
    const proxy = await startScriptedServer(respond(`HTTP/1.1 ${status} \x1b[31mX\r\n\r\n`));
    const transport = through(`http://${login}127.0.0.1:${String(proxy.port)}`);
    await expect(transport.send({ ...GET, origin: SERVICE }).response).rejects.toThrow(message);
  });

  test('never responds is left when the attempt is cancelled', async () => {
    const proxy = await startScriptedServer(() => undefined);
    const exchange = through(proxy.origin).send({ ...GET, origin: SERVICE });
    const ended = exchange.response.catch(() => undefined);
    await until(() => proxy.requests.length === 1);
    exchange.abort();
    await ended;
    await until(() => proxy.closed === 1);
    expect(exchange.sent).toBe(false);
  });

  test('never responds is left when the transport is closed', async () => {
    const proxy = await startScriptedServer(() => undefined);
    const transport = through(proxy.origin);
    const ended = transport.send({ ...GET, origin: SERVICE }).response.catch((error: unknown) => error);
    await until(() => proxy.requests.length === 1);
    await transport.close();
    expect(await ended).toMatchObject({ code: 'ECONNRESET' });
    await until(() => proxy.closed === 1);
  });

  test('opens the tunnel and then fails leaves the outcome of a write unknown', async () => {
    const { port, requests } = await startService();
    const proxy = await startProxy(port);
    const transport = through(proxy.origin);
    await transport.send({ ...GET, origin: SERVICE }).response;
    await proxy.close();
    const exchange = transport.send({ ...GET, method: 'POST', origin: SERVICE, body: '{}' });
    await exchange.response.catch(() => undefined);
    expect(requests).toHaveLength(1);
    const broken = await startScriptedServer(
      (socket) =>
        void socket.write('HTTP/1.1 200 OK\r\n\r\n', () => {
          socket.once('data', () => socket.destroy());
        }),
    );
    const silent = through(broken.origin).send({ ...GET, method: 'POST', origin: SERVICE, body: '{}' });
    await silent.response.catch(() => undefined);
    // TLS did not finish, so the request was not sent.
    expect(silent.sent).toBe(false);
  });
});
