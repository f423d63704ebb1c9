import { describe, expect, test } from 'vitest';
import { createMock } from '../../../src/mock/index.js';
import { AUTHORIZATION, getText, listPets, sendText, serveMock } from './serve-mock.js';

test('responds to pipelined requests in order', async () => {
  const { port } = await serveMock(createMock());
  const received = await sendText(
    port,
    getText('/v1/pets/1') + getText('/v1/nowhere') + getText('/v1/pets/2', 'Connection: close\r\n'),
  );
  expect([...received.matchAll(/HTTP\/1\.1 (\d+)/g)].map(([, status]) => status)).toEqual([
    '200',
    '404',
    '200',
  ]);
  expect([...received.matchAll(/"id":(\d+)/g)].map(([, id]) => id)).toEqual(['1', '2']);
});

test('checks the key before the size of the body, and keeps the connection open', async () => {
  const { baseUrl } = await serveMock(createMock());
  const body = new Uint8Array(3_000_000).fill(0x78);
  const post = (headers: Record<string, string>) =>
    fetch(`${baseUrl}/pets`, { method: 'POST', headers, body });
  expect((await post({})).status).toBe(401);
  const response = await post({ authorization: AUTHORIZATION, 'content-type': 'application/json' });
  expect([response.status, await response.json()]).toEqual([413, expect.objectContaining({ status: 413 })]);
  expect(response.headers.get('x-ratelimit-limit')).toBe('60');
  expect((await listPets(baseUrl)).status).toBe(200);
});

describe('rejects a wrong Host at once (RFC 9112, section 3.2)', () => {
  const post = (hosts: string): string =>
    `POST /v1/pets HTTP/1.1\r\n${hosts}Authorization: ${AUTHORIZATION}\r\nContent-Length: 50\r\n\r\n`;

  test.each([
    ['two', 'Host: localhost\r\nHost: localhost\r\n'],
    ['a space', 'Host: a b\r\n'],
    ['a path', 'Host: localhost/v1\r\n'],
    ['user data', 'Host: me@localhost\r\n'],
    ['none', ''],
  ])('%s', async (_, hosts) => {
    const mock = createMock();
    const { port } = await serveMock(mock);
    // The body never arrives.
    const received = await sendText(port, post(hosts));
    expect(received).toMatch(/^HTTP\/1\.1 400 /);
    expect(received.toLowerCase()).toContain('connection: close');
    expect(mock.journal).toEqual([]);
  });

  test.each(['localhost', 'localhost:80', '[::1]:80', 'a-b.example:', ''])('accepts %j', async (host) => {
    const { port } = await serveMock(createMock());
    const received = await sendText(
      port,
      `GET /v1/pets HTTP/1.1\r\nHost: ${host}\r\nAuthorization: ${AUTHORIZATION}\r\nConnection: close\r\n\r\n`,
    );
    expect(received).toMatch(/^HTTP\/1\.1 200 /);
  });
});

describe.each(['a port', 'fetch'])('bodies over %s', (transport) => {
  async function post(headers: Record<string, string>, body: Uint8Array<ArrayBuffer>): Promise<Response> {
    const mock = createMock();
    const init = {
      method: 'POST',
      headers: { authorization: AUTHORIZATION, 'content-type': 'application/json', ...headers },
      body,
    };
    if (transport === 'fetch') return mock.fetch('https://mock.test/v1/pets', init);
    return fetch(`${(await serveMock(mock)).baseUrl}/pets`, init);
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
