import { readFileSync } from 'node:fs';
import { createSecureServer, type Http2SecureServer } from 'node:http2';
import { createServer } from 'node:https';
import { beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import { joinSignals } from '../../../../src/domain/concurrency/stop-signal.js';
import { createHttpsExchange } from '../../../../src/domain/resolver/transport/https.js';
import { listening } from '../../../support/loopback-port.js';
import { createVirtualClock } from '../../../support/virtual-clock.js';
import { message } from '../wire.js';

const QUERY = message({ flags: 0 });
const MEDIA_TYPE = 'application/dns-message';
const PEM = readFileSync(new URL('../../certificates/loopback.pem', import.meta.url));

// The certificate of the test servers has no known authority.
beforeEach(() => {
  vi.stubEnv('NODE_TLS_REJECT_UNAUTHORIZED', '0');
  onTestFinished(() => {
    vi.unstubAllEnvs();
  });
});

function open() {
  const https = createHttpsExchange();
  onTestFinished(() => {
    https.close();
  });
  const limits = { timeoutMs: 2_000, clock: createVirtualClock(), stop: joinSignals() };
  return (port: number) =>
    https.exchange(
      { address: `https://127.0.0.1:${String(port)}/dns-query`, port, transport: 'https' },
      QUERY,
      limits,
    );
}

/** A server for HTTP/2 only. */
function http2Server(sessions: { count: number }, status = 200): Http2SecureServer {
  const server = createSecureServer({ key: PEM, cert: PEM, allowHTTP1: false });
  server.on('session', () => (sessions.count += 1));
  server.on('stream', (stream, headers) => {
    const chunks: Buffer[] = [];
    stream.on('data', (chunk: Buffer) => chunks.push(chunk));
    stream.on('end', () => {
      const isQuery = headers[':method'] === 'POST' && headers[':path'] === '/dns-query';
      stream.respond({ ':status': isQuery ? status : 400, 'content-type': MEDIA_TYPE });
      stream.end(Buffer.concat(chunks));
    });
  });
  return server;
}

describe('DNS over HTTPS', () => {
  test('uses one HTTP/2 connection for all queries', async () => {
    const sessions = { count: 0 };
    const port = await listening(http2Server(sessions));
    const ask = open();
    const results = await Promise.all([ask(port), ask(port), ask(port)]);
    expect(results).toEqual(Array.from({ length: 3 }, () => ({ kind: 'message', message: QUERY })));
    expect(sessions.count).toBe(1);
  });

  test('uses HTTP/1.1 if the server chooses that', async () => {
    const versions: string[] = [];
    const server = createServer({ key: PEM, cert: PEM }, (request, response) => {
      versions.push(request.httpVersion);
      response.writeHead(200, { 'content-type': MEDIA_TYPE });
      request.pipe(response);
    });
    const port = await listening(server);
    expect(await open()(port)).toEqual({ kind: 'message', message: QUERY });
    expect(versions).toEqual(['1.1']);
  });

  test('connects again after the server closed the connection', async () => {
    const sessions = { count: 0 };
    const server = http2Server(sessions);
    server.on('session', (session) => {
      session.setTimeout(20, () => {
        session.destroy();
      });
    });
    const port = await listening(server);
    const ask = open();
    await ask(port);
    await new Promise((resolve) => setTimeout(resolve, 60));
    expect(await ask(port)).toMatchObject({ kind: 'message' });
    expect(sessions.count).toBe(2);
  });

  test('reports a status, and a closed port', async () => {
    const port = await listening(http2Server({ count: 0 }, 503));
    expect(await open()(port)).toMatchObject({ reason: 'unreachable', detail: 'HTTP status 503' });
    const closed = createServer();
    const closedPort = await listening(closed);
    await new Promise((resolve) => closed.close(resolve));
    expect(await open()(closedPort)).toMatchObject({ reason: 'unreachable', detail: 'connection refused' });
  });
});
