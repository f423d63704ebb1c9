import { connect, type Socket } from 'node:net';
import { once } from 'node:events';
import { request } from 'node:http';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { createMock, type Mock, type MockServer } from '../../../src/mock/index.js';

let mock: Mock;
let server: MockServer;
const sockets: Socket[] = [];

beforeEach(async () => {
  mock = createMock({ plan: 'unlimited', journalMax: 100_000 });
  server = await mock.listen();
});

afterEach(async () => {
  for (const socket of sockets.splice(0)) socket.destroy();
  await server.close();
});

async function open(): Promise<Socket> {
  const socket = connect(server.port, '127.0.0.1');
  socket.on('error', () => undefined);
  sockets.push(socket);
  await once(socket, 'connect');
  return socket;
}

/** Sends bytes and returns everything received until the server closes the connection. */
async function exchange(text: string): Promise<string> {
  const socket = await open();
  let received = '';
  socket.on('data', (chunk) => (received += String(chunk)));
  socket.write(text, 'latin1');
  await once(socket, 'close');
  return received;
}

const HEAD = 'Host: localhost\r\nAuthorization: Bearer mock-key\r\n';
const POST = `POST /v1/pets HTTP/1.1\r\n${HEAD}Content-Type: application/json\r\n`;

async function expectOthersServed(): Promise<void> {
  const response = await fetch(`${server.baseUrl}/pets?limit=1`, {
    headers: { authorization: 'Bearer mock-key' },
  });
  expect([response.status, ((await response.json()) as unknown[]).length]).toEqual([200, 1]);
}

test.each<[string, string]>([
  [
    'a size of a chunk that is not a number',
    `${POST}Transfer-Encoding: chunked\r\n\r\nzz\r\n{}\r\n0\r\n\r\n`,
  ],
  ['a chunk that is longer than its size', `${POST}Transfer-Encoding: chunked\r\n\r\n1\r\n{}\r\n0\r\n\r\n`],
  [
    'a length and chunks',
    `${POST}Content-Length: 2\r\nTransfer-Encoding: chunked\r\n\r\n2\r\n{}\r\n0\r\n\r\n`,
  ],
  ['two lengths', `${POST}Content-Length: 2\r\nContent-Length: 3\r\n\r\n{}`],
  ['a negative length', `${POST}Content-Length: -2\r\n\r\n{}`],
  ['an encoding after chunked', `${POST}Transfer-Encoding: chunked, gzip\r\n\r\n0\r\n\r\n`],
  ['the preface of HTTP/2', 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n\0\0\0\x04\0\0\0\0\0'],
  ['a TLS handshake', '\x16\x03\x01\0\xa5\x01\0\0\xa1\x03\x03'],
  ['a null byte in the path', `GET /v1/pets\0 HTTP/1.1\r\n${HEAD}\r\n`],
  ['a null byte in a header', `GET /v1/pets HTTP/1.1\r\n${HEAD}X-Name: a\0b\r\n\r\n`],
  ['a folded header', `GET /v1/pets HTTP/1.1\r\n${HEAD}X-Name: a\r\n b\r\n\r\n`],
  ['a space before the colon', `GET /v1/pets HTTP/1.1\r\n${HEAD}X-Name : a\r\n\r\n`],
  ['a method in lower case', `get /v1/pets HTTP/1.1\r\n${HEAD}\r\n`],
])('%s gets 400, and the connection closes', async (_name, text) => {
  const [head = '', body = ''] = (await exchange(text)).split('\r\n\r\n');
  expect(head).toMatch(/^HTTP\/1\.1 400 Bad Request\r\n[^]*^x-ratelimit-limit: \d+\r$/m);
  expect(JSON.parse(body)).toMatchObject({ status: 400, code: 'bad_request' });
  await expectOthersServed();
});

test.each<[string, string, number]>([
  ['an unknown transfer encoding', `${POST}Transfer-Encoding: gzip, chunked\r\n\r\n0\r\n\r\n`, 501],
  ['chunks in HTTP/1.0', `${POST.replace('1.1', '1.0')}Transfer-Encoding: chunked\r\n\r\n0\r\n\r\n`, 400],
  ['an unknown expectation', `${POST}Expect: 200-ok\r\nContent-Length: 2\r\n\r\n{}`, 417],
])('%s is refused, and the connection closes', async (_name, text, status) => {
  const next = `GET /v1/pets HTTP/1.1\r\n${HEAD}\r\n`;
  const [head = '', ...bodies] = (await exchange(text + next)).split('\r\n\r\n');
  expect(head).toMatch(new RegExp(`^HTTP/1\\.1 ${String(status)} [^]*^x-ratelimit-limit: \\d+\r$`, 'm'));
  expect(bodies.map((body) => (JSON.parse(body) as { status: number }).status)).toEqual([status]);
  expect(mock.journal).toEqual([]);
  await expectOthersServed();
});

test('an expectation of 100-continue gets the response', async () => {
  const body = '{"name":"Rex","categoryId":1}';
  const received = await exchange(
    `${POST}Expect: 100-continue\r\nConnection: close\r\nContent-Length: ${String(body.length)}\r\n\r\n${body}`,
  );
  expect(received).toMatch(/^HTTP\/1\.1 100 Continue\r\n\r\nHTTP\/1\.1 201 /);
});

test.each<[string, string]>([
  ['one header', `X-Flood: ${'x'.repeat(20_000)}\r\n`],
  ['many headers', Array.from({ length: 5_000 }, (_, index) => `X-${String(index)}: 1\r\n`).join('')],
])('a flood of %s gets 431', async (_name, headers) => {
  expect(await exchange(`GET /v1/pets HTTP/1.1\r\n${HEAD}${headers}\r\n`)).toMatch(
    /^HTTP\/1\.1 431 [^]*headers_too_large/,
  );
  await expectOthersServed();
});

test('CONNECT closes the connection', async () => {
  await exchange(`CONNECT example.com:443 HTTP/1.1\r\n${HEAD}\r\n`);
  await expectOthersServed();
});

test('a body of 100 MB gets 413, with little memory', async () => {
  const chunk = Buffer.alloc(1_000_000, 0x20);
  const before = process.memoryUsage().arrayBuffers;
  let growth = 0;
  const sent = request(`${server.baseUrl}/pets`, {
    method: 'POST',
    headers: { authorization: 'Bearer mock-key', 'content-type': 'application/json' },
  });
  const responded = once(sent, 'response') as Promise<[{ statusCode: number; resume(): void }]>;
  for (let count = 0; count < 100; count += 1) {
    if (!sent.write(chunk)) await once(sent, 'drain');
    growth = Math.max(growth, process.memoryUsage().arrayBuffers - before);
  }
  sent.end();
  const [response] = await responded;
  response.resume();
  expect(response.statusCode).toBe(413);
  expect(growth).toBeLessThan(70e6);
  await expectOthersServed();
});

test('250 idle connections and 250 slow requests do not hold up others, nor close()', async () => {
  await Promise.all(
    Array.from({ length: 500 }, async (_, index) => {
      const socket = await open();
      if (index % 2 === 0) socket.write(`GET /v1/pets HTTP/1.1\r\nX-${String(index)}`);
    }),
  );
  await expectOthersServed();
  await server.close({ deadlineMs: 20 });
  await Promise.all(
    sockets.map(async (socket) => socket.closed || socket.destroyed || once(socket, 'close')),
  );
});

test('a client that pipelines 20,000 requests and reads nothing is not read to the end', async () => {
  const socket = await open();
  socket.pause();
  socket.write(`GET /v1/pets HTTP/1.1\r\n${HEAD}\r\n`.repeat(20_000));
  let before: number;
  do {
    before = mock.journal.length;
    await expectOthersServed();
  } while (mock.journal.length > before + 1);
  expect(mock.journal.length).toBeGreaterThan(100);
  expect(mock.journal.length).toBeLessThan(15_000);
});
