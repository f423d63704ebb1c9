import { readFileSync } from 'node:fs';
import {
  createSecureServer,
  createServer,
  type Http2ServerRequest,
  type Http2ServerResponse as ServerResponse,
} from 'node:http2';
import { createServer as createHttpsServer } from 'node:https';
import { beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import { createHttpsExchange } from '../../../../src/domain/dns/https.js';
import { stopSignalOf } from '../../../../src/domain/dns/concurrency/stop-signal.js';
import { listening } from '../../../support/loopback-port.js';
import { createVirtualClock, until } from '../../../support/virtual-clock.js';
import { message } from '../wire.js';

const QUERY = message({ flags: 0 });
const MEDIA_TYPE = 'application/dns-message';

interface Received {
  method: string | undefined;
  url: string | undefined;
  headers: Http2ServerRequest['headers'];
  body: Buffer;
  port: number | undefined;
}

async function start(answer: (response: ServerResponse, body: Buffer, index: number) => void) {
  const received: Received[] = [];
  const listener = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const { method, url, headers, socket } = request;
      const body = Buffer.concat(chunks);
      received.push({ method, url, headers, body, port: socket.remotePort });
      answer(response, body, received.length - 1);
    });
  });
  const port = await listening(listener);
  return { address: `http://127.0.0.1:${String(port)}/dns-query`, received, listener };
}

function open() {
  const https = createHttpsExchange();
  onTestFinished(() => {
    https.close();
  });
  const clock = createVirtualClock();
  const controller = new AbortController();
  const limits = { timeoutMs: 2_000, clock, stop: stopSignalOf(controller.signal) };
  return {
    clock,
    controller,
    ask: (address: string) => https.exchange({ address, port: 443, transport: 'https' }, QUERY, limits),
  };
}

function good(response: ServerResponse, body: Buffer): void {
  response.writeHead(200, { 'content-type': `${MEDIA_TYPE}; charset=x` });
  response.end(body);
}

describe('DNS over HTTPS', () => {
  test('posts the query, and returns the response', async () => {
    const { address, received } = await start(good);
    expect(await open().ask(address)).toEqual({ kind: 'message', message: QUERY });
    expect(received).toMatchObject([
      {
        method: 'POST',
        url: '/dns-query',
        headers: { accept: MEDIA_TYPE, 'content-type': MEDIA_TYPE, 'content-length': String(QUERY.length) },
        body: QUERY,
      },
    ]);
  });

  test('keeps its connection open', async () => {
    const { address, received } = await start(good);
    const { ask } = open();
    await ask(address);
    await ask(address);
    await ask(address);
    expect(new Set(received.map(({ port }) => port)).size).toBe(1);
  });

  test('retries if a reused connection was just closed', async () => {
    const { address, received } = await start((response, body, index) => {
      if (index === 1) response.stream.session?.destroy();
      else good(response, body);
    });
    const { ask } = open();
    await ask(address);
    expect(await ask(address)).toMatchObject({ kind: 'message' });
    expect(received).toHaveLength(3);
  });

  test('reports a closed connection', async () => {
    const { address, received } = await start((response) => response.stream.session?.destroy());
    expect(await open().ask(address)).toMatchObject({
      reason: 'unreachable',
      detail: 'connection closed before a response',
    });
    expect(received).toHaveLength(1);
  });

  test.each<[string, (response: ServerResponse) => void, object]>([
    [
      'a redirect',
      (response) => response.writeHead(302, { location: '/other', 'content-type': MEDIA_TYPE }).end(QUERY),
      { reason: 'unreachable', detail: 'HTTP status 302 (redirects are not followed)' },
    ],
    [
      'an error',
      (response) => response.writeHead(503, { 'content-type': MEDIA_TYPE }).end(QUERY),
      { reason: 'unreachable', detail: 'HTTP status 503' },
    ],
    [
      'a page',
      (response) => response.writeHead(200, { 'content-type': 'text/html' }).end('<html>'),
      { reason: 'malformed', detail: 'the HTTP response is not a DNS message' },
    ],
    ['no content type', (response) => response.writeHead(200).end(QUERY), { reason: 'malformed' }],
    [
      'too much',
      (response) => response.writeHead(200, { 'content-type': MEDIA_TYPE }).end(Buffer.alloc(0x1_0000)),
      { reason: 'malformed', detail: 'more than 65535 bytes' },
    ],
  ])('rejects %s', async (_, script, expected) => {
    const { address } = await start(script);
    expect(await open().ask(address)).toMatchObject({ kind: 'failure', ...expected });
  });

  test('ends at its time limit, and when it is stopped', async () => {
    const { address, received } = await start((response, body, index) => {
      if (index === 0) good(response, body);
      else if (index === 1) response.writeHead(200, { 'content-type': MEDIA_TYPE }).write(QUERY);
    });
    const { ask, clock, controller } = open();
    await ask(address);
    const late = ask(address);
    await until(() => received.length === 2);
    await clock.advance(2_000);
    expect(await late).toMatchObject({ reason: 'timeout' });
    const stopped = ask(address);
    await until(() => received.length === 3);
    controller.abort();
    expect(await stopped).toMatchObject({ reason: 'aborted' });
    await new Promise((resolve) => setTimeout(resolve, 20));
    expect(received).toHaveLength(3);
  });

  test('reports a port without TLS, and a closed one, as unreachable', async () => {
    const { address, listener } = await start(good);
    expect(await open().ask(address.replace('http:', 'https:'))).toMatchObject({ reason: 'unreachable' });
    await new Promise((resolve) => listener.close(resolve));
    expect(await open().ask(address)).toMatchObject({ reason: 'unreachable', detail: 'connection refused' });
  });

  test.each([
    'http://dns.example.test/dns-query',
    'http://127.0.0.1.example.test/',
    'ftp://127.0.0.1/',
    'https://name:word@127.0.0.1/',
    'https://%@127.0.0.1/',
    'dns.example.test',
    '',
  ])('rejects the URL %j', async (address) => {
    expect(await open().ask(address)).toMatchObject({
      reason: 'unreachable',
      detail: 'DNS over HTTPS needs an https URL without credentials',
    });
  });
});

describe('over TLS', () => {
  const pem = readFileSync(new URL('../../certificates/loopback.pem', import.meta.url));
  const MESSAGE = { kind: 'message', message: QUERY };

  // The certificate of the test servers has no known authority.
  beforeEach(() => {
    vi.stubEnv('NODE_TLS_REJECT_UNAUTHORIZED', '0');
    onTestFinished(() => {
      vi.unstubAllEnvs();
    });
  });

  /** A server for HTTP/2 only. */
  async function startHttp2() {
    const server = createSecureServer({ key: pem, cert: pem, allowHTTP1: false });
    let sessions = 0;
    server.on('session', () => (sessions += 1));
    server.on('stream', (stream, headers) => {
      const isQuery = headers[':method'] === 'POST' && headers[':path'] === '/dns-query';
      stream.respond({ ':status': isQuery ? 200 : 400, 'content-type': MEDIA_TYPE });
      stream.pipe(stream);
    });
    const address = `https://127.0.0.1:${String(await listening(server))}/dns-query`;
    return { server, address, sessions: () => sessions };
  }

  test('uses one HTTP/2 connection for all queries', async () => {
    const { address, sessions } = await startHttp2();
    const { ask } = open();
    const results = await Promise.all([ask(address), ask(address), ask(address)]);
    expect([...results, sessions()]).toEqual([MESSAGE, MESSAGE, MESSAGE, 1]);
  });

  test('connects again after the server closed the connection', async () => {
    const { server, address, sessions } = await startHttp2();
    server.on('session', (session) => session.setTimeout(20, () => session.destroy()));
    const { ask } = open();
    await ask(address);
    await new Promise((resolve) => setTimeout(resolve, 60));
    expect([await ask(address), sessions()]).toEqual([MESSAGE, 2]);
  });

  test('reports a server without HTTP/2 as unreachable', async () => {
    const server = createHttpsServer({ key: pem, cert: pem });
    const address = `https://127.0.0.1:${String(await listening(server))}/dns-query`;
    expect(await open().ask(address)).toMatchObject({
      reason: 'unreachable',
      detail: 'the server does not support HTTP/2',
    });
  });
});
