import { once } from 'node:events';
import { readFileSync, statSync } from 'node:fs';
import { createServer, get, type IncomingMessage, type ServerResponse } from 'node:http';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { describe, expect, test, vi } from 'vitest';
import { nodeHttpTransport } from '../../../../src/client/internal.js';
import { createMock } from '../../../../src/mock/index.js';
import { runMock } from './running-mock.js';
import { listening } from '../../../support/loopback-port.js';

const KEY = 'sk-live-Zq8/+secret=key';
const [BASE64, HEX] = (['base64', 'hex'] as const).map((encoding) => Buffer.from(KEY).toString(encoding));
const ENCODED = [KEY, encodeURIComponent(KEY), BASE64, HEX];
type Respond = (request: IncomingMessage, response: ServerResponse, body: string) => void;

/** Starts a service on loopback. */
async function service(respond: Respond): Promise<string> {
  const server = createServer((request, response) => {
    let body = '';
    request.on('data', (chunk: Buffer) => (body += String(chunk)));
    request.on('end', () => respond(request, response, body));
  });
  return `http://127.0.0.1:${String(await listening(server))}`;
}

/** Runs `petstore mock --record` on a free port until stop(). */
async function startRecording(upstream: string, flags: readonly string[] = []) {
  const network = () => Promise.resolve(nodeHttpTransport());
  const mock = await runMock(['--record', 't.har', '--upstream', upstream, ...flags], {}, { network });
  const { baseUrl } = mock.ready;
  const text = () => readFileSync(join(mock.folder, 't.har'), 'utf8');
  return {
    ...mock,
    baseUrl,
    text,
    har: () => JSON.parse(text()) as Har,
    request: (path: string, init: Omit<RequestInit, 'headers'> & { headers?: Record<string, string> } = {}) =>
      fetch(baseUrl + path, {
        redirect: 'manual',
        ...init,
        headers: { authorization: `Bearer ${KEY}`, ...init.headers },
      }),
  };
}

interface Har {
  log: {
    entries: {
      request: { url: string; postData?: { text: string } };
      response: { status: number; content: { text: string } };
    }[];
  };
}

describe('forwarding', () => {
  test('sends method, query, body and key to the service, and its response to the client', async () => {
    const seen: unknown[] = [];
    const upstream = await service((request, response, body) => {
      const { method, url, headers } = request;
      seen.push([method, url, headers.authorization, headers.host, body]);
      response.writeHead(201, { 'content-encoding': 'gzip', 'x-ratelimit-remaining': '7' });
      response.end(gzipSync('{"é":1}'));
    });
    const recording = await startRecording(`${upstream}/base/v1`);
    const response = await recording.request('/pets?a=1', { method: 'POST', body: '{"name":"Rex"}' });
    expect([response.status, response.headers.get('x-ratelimit-remaining'), await response.text()]).toEqual([
      201,
      '7',
      '{"é":1}',
    ]);
    expect(seen).toEqual([
      ['POST', '/base/v1/pets?a=1', `Bearer ${KEY}`, upstream.slice(7), '{"name":"Rex"}'],
    ]);
    expect(await recording.stop()).toBe(0);
    expect(recording.stdout()).toMatch(/^export PETSTORE_BASE_URL=http:\/\/127\.0\.0\.1:\d+\/v1\n$/);
    expect(recording.stderr()).toMatch(
      /POST \/v1\/pets\?a=1 201 \d+ ms\nStopped after \d+ s and 1 request \(201: 1\)\.\n$/,
    );
    expect(statSync(join(recording.folder, 't.har')).mode & 0o777).toBe(0o600);
  });

  test('follows no redirect', async () => {
    const other = vi.fn<Respond>();
    const elsewhere = await service(other);
    const upstream = await service((_request, response) => {
      response.writeHead(302, { location: `${elsewhere}/v1/pets` }).end();
    });
    const recording = await startRecording(`${upstream}/v1`);
    expect((await recording.request('/pets')).status).toBe(302);
    await recording.stop();
    expect(other).not.toHaveBeenCalled();
    expect(recording.har().log.entries).toHaveLength(1);
  });

  const large = { method: 'POST', body: 'x'.repeat(2 ** 20 + 1) };
  test.each<[string, Respond, object, number]>([
    ['a closed connection', (request) => request.socket.destroy(), {}, 502],
    ['a response of more than 16 MiB', (_, response) => response.end(Buffer.alloc(17 * 2 ** 20)), {}, 502],
    ['a request of more than 1 MiB', () => undefined, large, 413],
  ])('%s is not recorded', async (_name, respond, init, status) => {
    const recording = await startRecording(`${await service(respond)}/v1`);
    const response = await recording.request('/pets', init);
    expect(response.status).toBe(status);
    expect(await response.json()).toMatchObject({ status });
    await recording.stop();
    expect(recording.har().log.entries).toEqual([]);
  });

  test('a request that the stop aborts is logged before the count', async () => {
    let received = (): void => undefined;
    const isReceived = new Promise<void>((resolve) => (received = resolve));
    const recording = await startRecording(`${await service(() => received())}/v1`);
    const failed = expect(recording.request('/pets')).rejects.toThrow('fetch failed');
    await isReceived;
    await Promise.all([failed, recording.stop()]);
    expect(recording.stderr()).toMatch(
      /aborted \d+ ms\nStopped after \d+ s and 1 request \(aborted: 1\)\.\n$/,
    );
    expect(recording.har().log.entries).toEqual([]);
  });

  test('a closed connection and a time-out name the service', async () => {
    const closed = await service((request) => request.socket.destroy());
    const recording = await startRecording(`${closed}/v1`);
    const { message } = (await (await recording.request('/pets')).json()) as { message: string };
    expect(message).toBe(`${closed} did not respond (ECONNRESET)`);
    await recording.stop();
  });

  test('a response that is not HTTP is reported as such', async () => {
    const upstream = await service((request) => {
      request.socket.end('SSH-2.0-OpenSSH_9.2\r\n');
    });
    const recording = await startRecording(`${upstream}/v1`);
    expect(await (await recording.request('/pets')).json()).toEqual({
      status: 502,
      code: 'invalid_response',
      message: 'The response of the service is not HTTP',
    });
    await recording.stop();
  });

  test('cookies stay separate', async () => {
    const upstream = await service((_request, response) => {
      response.writeHead(200, [
        'set-cookie',
        'a=1; Expires=Wed, 21 Oct 2026 07:28:00 GMT',
        'Set-Cookie',
        'b=2',
      ]);
      response.end('[]');
    });
    const recording = await startRecording(`${upstream}/v1`);
    const response = await recording.request('/pets');
    expect(response.headers.getSetCookie()).toEqual(['a=1; Expires=Wed, 21 Oct 2026 07:28:00 GMT', 'b=2']);
    await recording.stop();
    expect(JSON.stringify(recording.har()).match(/"set-cookie"/g)).toHaveLength(2);
  });
});

test.each([
  ['/v1/../admin', 400],
  ['/v1/%2e%2E/admin', 400],
  ['/admin', 404],
  ['/v1x', 404],
  ['http://127.0.0.1:1/v1/pets', 404],
])('%s leaves the base URL, so it is not forwarded', async (path, status) => {
  const respond = vi.fn<Respond>();
  const recording = await startRecording(`${await service(respond)}/v1`);
  const { port } = new URL(recording.baseUrl);
  const [response] = (await once(get({ host: '127.0.0.1', port, path, agent: false }), 'response')) as [
    IncomingMessage,
  ];
  expect(response.statusCode).toBe(status);
  response.resume();
  await recording.stop();
  expect(respond).not.toHaveBeenCalled();
});

describe('the file', () => {
  test('is valid after every request, and replays what was recorded', async () => {
    const upstream = await service((request, response) => {
      response.setHeader('x-ratelimit-remaining', '3');
      response.end(JSON.stringify({ url: request.url }));
    });
    const recording = await startRecording(`${upstream}/v1`);
    expect(recording.har().log.entries).toEqual([]);
    await recording.request('/pets?limit=1');
    await vi.waitFor(() => {
      expect(recording.har().log.entries).toHaveLength(1);
    });
    await recording.request('/pets/2');
    await vi.waitFor(() => {
      expect(recording.har().log.entries).toHaveLength(2);
    });
    const mock = createMock({ replay: recording.har() });
    const response = await mock.fetch('http://mock.test/v1/pets?limit=1');
    expect(response.headers.get('x-ratelimit-remaining')).toBe('3');
    expect(await response.json()).toEqual({ url: '/v1/pets?limit=1' });
    await recording.stop();
  });

  test('has no key in any encoding, no cookie and no configured field', async () => {
    const secret = { cookie: 'session-cookie-1', served: 'served-cookie-2', field: 'hidden value' };
    const upstream = await service((_request, response) => {
      response.setHeader('set-cookie', `id=${secret.served}; Path=/`);
      response.setHeader('x-echo', `key ${KEY}`);
      response.setHeader('location', `/v1?key=${encodeURIComponent(KEY)}`);
      const cookie = [secret.cookie, secret.served];
      response.end(JSON.stringify({ ENCODED, escaped: KEY, cookie, a: [{ Phone: secret.field }] }));
    });
    const recording = await startRecording(`${upstream}/v1`, ['--redact', 'phone', '--redact', 'X-Phone']);
    await recording.request(
      `/pets?key=${encodeURIComponent(KEY)}&phone=${encodeURIComponent(secret.field)}&x=1`,
      {
        method: 'POST',
        headers: {
          cookie: `id=${secret.cookie}`,
          'x-phone': secret.field,
          'content-type': 'application/json',
        },
        body: JSON.stringify({ phone: secret.field, note: KEY }),
      },
    );
    await recording.stop();
    const text = recording.text();
    expect(recording.har().log.entries).toHaveLength(1);
    for (const hidden of [
      ...ENCODED,
      Buffer.from(KEY).toString('base64url'),
      KEY.replace('/', '\\/'),
      ...Object.values(secret),
      encodeURIComponent(secret.field),
      'hidden+value',
    ]) {
      expect(text).not.toContain(hidden);
    }
    expect(text).toContain('&x=1');
    expect(recording.stderr()).not.toContain(KEY);
    expect(recording.stderr()).not.toContain(encodeURIComponent(KEY));
    // The same request with other secrets matches.
    const replayed = await createMock({ replay: recording.har() }).fetch(
      'http://mock.test/v1/pets?key=k&phone=7&x=1',
      {
        method: 'POST',
        body: '{"note":"k","phone":"7"}',
      },
    );
    expect(replayed.status).toBe(200);
  });
});
