import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib';
import { describe, expect, onTestFinished, test } from 'vitest';
import {
  headerLines,
  type Transport,
  TransportFailure,
  type TransportRequest,
  type TransportResponse,
} from '../../src/client/transport/transport.js';
import { closedPort } from './loopback-port.js';
import {
  type Responder,
  bytes,
  hangUp,
  head,
  json,
  rawThenEnd,
  rawThenSilence,
  reset,
  silence,
  startScriptedServer,
} from './scripted-server.js';
import { rejection } from './stores.js';
import { until } from './virtual-clock.js';

/** Tests that every transport must pass, over real sockets. */
export function describeTransport(makeTransport: () => Transport): void {
  const open = (): Transport => {
    const transport = makeTransport();
    onTestFinished(() => transport.close());
    return transport;
  };
  const get = (origin: string, change: Partial<TransportRequest> = {}): TransportRequest => ({
    method: 'GET',
    origin,
    path: '/v1/pets',
    headers: { accept: 'application/json' },
    bodyMaxBytes: 1_000_000,
    ...change,
  });
  const fetchResponse = async (
    response: Responder,
    change: Partial<TransportRequest> = {},
  ): Promise<TransportResponse> => {
    const server = await startScriptedServer(response);
    return open().send(get(server.origin, change)).response;
  };
  const textOf = ({ body }: TransportResponse): string => Buffer.from(body).toString();

  test('sends method, path, headers and body unchanged', async () => {
    const server = await startScriptedServer(json({}, 201));
    const body = '{"name":"Rex ü","categoryId":9007199254740993}';
    const exchange = open().send(
      get(server.origin, {
        method: 'POST',
        path: '/v1/pets?x=%C3%BC',
        headers: { authorization: 'Bearer k', 'content-type': 'application/json' },
        body,
      }),
    );
    expect((await exchange.response).status).toBe(201);
    expect(exchange.sent).toBe(true);
    expect(server.requests).toHaveLength(1);
    expect(server.requests[0]).toMatchObject({
      method: 'POST',
      path: '/v1/pets?x=%C3%BC',
      body,
      headers: { authorization: 'Bearer k', 'content-length': String(Buffer.byteLength(body)) },
    });
  });

  describe('reads the response', () => {
    test.each<[string, Responder, string]>([
      ['with a length', bytes('hello'), 'hello'],
      ['with an empty body', bytes(''), ''],
      ['without a body (204)', rawThenSilence(head(204)), ''],
      ['without a body (304)', rawThenSilence(head(304, { etag: '"1"' })), ''],
      [
        'in chunks',
        rawThenSilence(`${head(200, { 'transfer-encoding': 'chunked' })}2\r\nhe\r\n3\r\nllo\r\n0\r\n\r\n`),
        'hello',
      ],
      ['of HTTP/1.0, ended by closing the connection', rawThenEnd('HTTP/1.0 200 OK\r\n\r\nhello'), 'hello'],
      [
        'without headers, ended by closing the connection',
        rawThenEnd('HTTP/1.1 200 OK\r\n\r\nhello'),
        'hello',
      ],
      [
        'after informational responses',
        rawThenSilence(
          `HTTP/1.1 103 Early Hints\r\nlink: </x>\r\n\r\n${head(200, { 'content-length': '5' })}hello`,
        ),
        'hello',
      ],
      ['in gzip', bytes(gzipSync('hello'), 200, { 'content-encoding': 'gzip' }), 'hello'],
      ['in deflate', bytes(deflateSync('hello'), 200, { 'content-encoding': 'deflate' }), 'hello'],
      ['in brotli', bytes(brotliCompressSync('hello'), 200, { 'content-encoding': 'br' }), 'hello'],
    ])('%s', async (_, response, expected) => {
      const received = await fetchResponse(response);
      expect(received.end).toBe('complete');
      expect(textOf(received)).toBe(expected);
    });

    test('with lower-case header names and repeated headers joined', async () => {
      const { headers } = await fetchResponse(
        rawThenSilence(
          'HTTP/1.1 200 OK\r\nContent-Length: 0\r\nX-One: a\r\nx-one: b\r\nRetry-After: 5\r\nRETRY-AFTER: 6\r\n' +
            'Constructor: c\r\nX-Odd: \t~!\x80"\r\n\r\n',
        ),
      );
      expect(headers).toMatchObject({ 'x-one': 'a, b', 'retry-after': '5, 6' });
      expect(Object.entries(headers)).toContainEqual(['constructor', 'c']);
      expect(headers['x-odd']).toContain('~!');
    });

    test('with one line for each cookie, because cookies contain commas', async () => {
      const { headers } = await fetchResponse(
        rawThenSilence(
          'HTTP/1.1 200 OK\r\nContent-Length: 0\r\nSet-Cookie: a=1; Expires=Wed, 21 Oct 2026 07:28:00 GMT\r\n' +
            'X-One: a\r\nset-cookie: b=2\r\n\r\n',
        ),
      );
      expect(headerLines(headers)).toEqual(
        expect.arrayContaining([
          ['set-cookie', 'a=1; Expires=Wed, 21 Oct 2026 07:28:00 GMT'],
          ['x-one', 'a'],
          ['set-cookie', 'b=2'],
        ]),
      );
    });

    test.each([
      ['bytes after its length', `${head(200, { 'content-length': '5' })}hello, again`],
      [
        'bytes after `Connection: close`',
        `${head(200, { 'content-length': '5', connection: 'close' })}hello, again`,
      ],
    ])('followed by %s', async (_, text) => {
      const received = await fetchResponse(rawThenEnd(text));
      expect([received.end, textOf(received)]).toEqual(['complete', 'hello']);
    });
  });

  describe('reports a truncated body', () => {
    test.each<[string, Responder]>([
      ['before its length', rawThenEnd(`${head(200, { 'content-length': '50' })}hello`)],
      ['within a chunk', rawThenEnd(`${head(200, { 'transfer-encoding': 'chunked' })}5\r\nhe`)],
      ['before the last chunk', rawThenEnd(`${head(200, { 'transfer-encoding': 'chunked' })}5\r\nhello\r\n`)],
      [
        'by a reset',
        (socket) =>
          void socket.write(`${head(200, { 'content-length': '50' })}he`, () =>
            setImmediate(() => socket.resetAndDestroy()),
          ),
      ],
    ])('%s', async (_, response) => {
      // A parser may also fail the whole exchange, which is the same to the caller.
      const server = await startScriptedServer(response);
      const ended = await open()
        .send(get(server.origin))
        .response.then(
          ({ end }) => end,
          (error: unknown) => error,
        );
      if (ended !== 'truncated') expect(ended).toBeInstanceOf(TransportFailure);
    });
  });

  describe('stops at the size limit', () => {
    test('of a body that never ends, and closes the connection', async () => {
      const server = await startScriptedServer((socket) => {
        socket.write(head(200, { 'transfer-encoding': 'chunked' }));
        const chunk = `400\r\n${'x'.repeat(1_024)}\r\n`;
        const more = (): void => {
          while (!socket.destroyed && socket.write(chunk));
          if (!socket.destroyed) socket.once('drain', more);
        };
        more();
      });
      const response = await open().send(get(server.origin, { bodyMaxBytes: 10_000 })).response;
      expect(response.end).toBe('too-large');
      expect(response.body.byteLength).toBeLessThanOrEqual(10_000);
      await until(() => server.closed > 0);
    });

    test('of a small body that decompresses to a large one', async () => {
      const bomb = gzipSync(Buffer.alloc(10_000_000));
      expect(bomb.byteLength).toBeLessThan(20_000);
      const response = await fetchResponse(bytes(bomb, 200, { 'content-encoding': 'gzip' }), {
        bodyMaxBytes: 200_000,
      });
      expect(response.end).toBe('too-large');
      expect(response.body.byteLength).toBeLessThanOrEqual(200_000);
    });

    test('but accepts a body of exactly that size', async () => {
      const answer = await fetchResponse(bytes('x'.repeat(5_000)), { bodyMaxBytes: 5_000 });
      expect([answer.end, answer.body.byteLength]).toEqual(['complete', 5_000]);
    });
  });

  describe('fails', () => {
    test('with nothing sent if the connection is refused', async () => {
      const exchange = open().send(get(`http://127.0.0.1:${String(await closedPort())}`));
      const error = await rejection(exchange.response);
      expect(error).toBeInstanceOf(TransportFailure);
      expect((error as TransportFailure).code).toBe('ECONNREFUSED');
      expect(exchange.sent).toBe(false);
    });

    test.each<[string, Responder]>([
      ['closes the connection', hangUp],
      ['resets', reset],
      ['ends within the headers', rawThenEnd('HTTP/1.1 200 OK\r\nContent-')],
    ])('with the request sent if the service %s', async (_, answer) => {
      const server = await startScriptedServer(answer);
      const exchange = open().send(get(server.origin));
      expect(await rejection(exchange.response)).toBeInstanceOf(TransportFailure);
      expect(exchange.sent).toBe(true);
      expect(server.requests).toHaveLength(1);
    });

    test.each<[string, Responder, RegExp]>([
      ['the banner of an SSH server', rawThenEnd('SSH-2.0-OpenSSH_9.2\r\n'), /^not HTTP$/],
      ['a TLS alert', rawThenEnd(Buffer.from('15030300020228', 'hex')), /^not HTTP$/],
      ['HTTP/2', rawThenEnd(Buffer.from('000006040000000000000300000064', 'hex')), /^not HTTP$/],
      ['HTTP/0.9', rawThenEnd('<html>hello</html>'), /^not HTTP$/],
      [
        'a status of two digits',
        rawThenEnd('HTTP/1.1 20 OK\r\n\r\n'),
        /^not valid HTTP \(Invalid status code\)$/,
      ],
      [
        'an invalid header name',
        rawThenEnd('HTTP/1.1 200 OK\r\na b: c\r\n\r\n'),
        /^not valid HTTP \(Invalid header token\)$/,
      ],
      [
        'two lengths',
        rawThenEnd('HTTP/1.1 200 OK\r\ncontent-length: 2\r\ncontent-length: 3\r\n\r\n[]'),
        /^not valid HTTP \(.*Content-Length\)$/,
      ],
      [
        'endless headers',
        (socket) => void socket.write(`HTTP/1.1 200 OK\r\nx: ${'x'.repeat(200_000)}`),
        /^more than 16 KiB of headers$/,
      ],
      [
        'a change of the protocol',
        rawThenSilence('HTTP/1.1 101 Switching Protocols\r\nconnection: upgrade\r\nupgrade: x\r\n\r\n'),
        /^a change of the protocol/,
      ],
    ])('with the problem of a malformed response: %s', async (_, answer, problem) => {
      const server = await startScriptedServer(answer);
      const exchange = open().send(get(server.origin));
      const failure = (await rejection(exchange.response)) as TransportFailure;
      expect(failure).toBeInstanceOf(TransportFailure);
      expect(failure.malformedResponse).toMatch(problem);
      expect(exchange.sent).toBe(true);
      expect(server.requests).toHaveLength(1);
    });
  });

  describe('an abort', () => {
    test.each<[string, Responder]>([
      ['before the response', silence],
      ['within the body', rawThenSilence(`${head(200, { 'content-length': '50' })}he`)],
    ])('%s closes the connection', async (_, answer) => {
      const server = await startScriptedServer(answer);
      const exchange = open().send(get(server.origin));
      exchange.response.catch(() => undefined);
      await until(() => server.requests.length === 1);
      exchange.abort();
      await until(() => server.closed > 0);
      exchange.abort();
    });

    test('right after the start, sends nothing', async () => {
      const server = await startScriptedServer(json({}));
      const exchange = open().send(get(server.origin, { method: 'POST', body: '{}' }));
      exchange.abort();
      expect(await rejection(exchange.response)).toBeInstanceOf(TransportFailure);
      const next = open();
      await next.send(get(server.origin)).response;
      expect(server.requests.map(({ method }) => method)).toEqual(['GET']);
    });
  });

  test('reuses a connection', async () => {
    const server = await startScriptedServer(json({}));
    const transport = open();
    for (let count = 0; count < 5; count += 1) await transport.send(get(server.origin)).response;
    expect(server.requests).toHaveLength(5);
    // undici's pool opens a second connection, because the first one is free only after its response was delivered.
    expect(server.connections).toBeLessThanOrEqual(2);
  });
}
