import { request } from 'node:http';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { whyForbidden } from '../../../src/mock/control/operation.js';
import { type MockServer, createMock } from '../../../src/mock/index.js';

const mock = createMock();

describe('access', () => {
  const from = (peer: string | undefined, headers: Record<string, string>) =>
    whyForbidden(headers, peer) === undefined ? 200 : 403;

  test.each([
    ['127.0.0.1', 'localhost:4010', 200],
    ['127.8.9.1', '127.0.0.1', 200],
    ['::1', '[::1]:80', 200],
    ['::ffff:127.0.0.1', 'LOCALHOST', 200],
    ['192.168.0.7', 'localhost', 403],
    ['::ffff:10.0.0.1', 'localhost', 403],
    [undefined, 'localhost', 403],
    ['127.0.0.1', 'evil.example', 403],
    ['127.0.0.1', 'localhost.evil.example', 403],
    ['127.0.0.1', '127.0.0.1.evil.example', 403],
    ['127.0.0.1', '', 403],
  ])('from %s to the host %s gets %i', (peer, host, status) => {
    expect(from(peer, { host })).toBe(status);
  });

  test.each([
    ['10.0.0.7', 'mock:4010', 'mock', 200],
    ['10.0.0.7', 'MOCK', 'mock', 200],
    ['10.0.0.7', 'localhost:4010', 'mock', 200],
    ['127.0.0.1', 'mock:4010', 'mock', 200],
    ['fd00::7', '[fd00::1]:4010', '[fd00::1]', 200],
    ['10.0.0.7', 'mock.evil.example', 'mock', 403],
    ['10.0.0.7', '10.0.0.1', 'mock', 403],
    ['10.0.0.7', '', 'mock', 403],
  ])('from %s to the host %s with the control host %s gets %i', (peer, host, controlHost, status) => {
    expect(whyForbidden({ host }, peer, controlHost) === undefined ? 200 : 403).toBe(status);
    const foreign = { host, origin: 'http://evil.example', 'sec-fetch-site': 'cross-site' };
    expect(whyForbidden(foreign, peer, controlHost)).toBeDefined();
  });

  test('rejects pages of other origins', () => {
    const host = 'localhost:4010';
    expect(from('::1', { host, origin: 'http://localhost:4010' })).toBe(200);
    expect(from('::1', { host, origin: 'http://localhost:3000' })).toBe(403);
    expect(from('::1', { host, origin: 'null' })).toBe(403);
    for (const [site, status] of [
      ['same-origin', 200],
      ['none', 200],
      ['same-site', 403],
      ['cross-site', 403],
    ] as const)
      expect(from('::1', { host, 'sec-fetch-site': site }), site).toBe(status);
  });
});

let server: MockServer;

beforeAll(async () => {
  server = await mock.listen();
});
afterAll(() => server.close());

test('is one HTML file under 60 kB that may load nothing and connects to its origin only', async () => {
  const response = await fetch(`${server.url}/__mock/`);
  const text = await response.text();
  expect([response.status, response.headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8']);
  expect(Buffer.byteLength(text)).toBeLessThan(60_000);
  expect(text).not.toMatch(/\s(?:src|href)="(?!data:)/);
  expect(response.headers.get('content-security-policy')).toMatch(
    /^default-src 'none'; script-src 'sha256-[\w+/=]+'; style-src 'sha256-[\w+/=]+'; connect-src 'self'; /,
  );
  expect(response.headers.get('content-security-policy')).not.toContain('unsafe');
  expect(mock.journal).toEqual([]);
});

test('responds to HEAD, and without the last slash', async () => {
  const head = await fetch(`${server.url}/__mock/`, { method: 'HEAD' });
  expect([head.status, await head.text()]).toEqual([200, '']);
  expect((await fetch(`${server.url}/__mock`)).headers.get('content-type')).toBe('text/html; charset=utf-8');
});

test('listen passes the control host on, and checks it', async () => {
  const open = await mock.listen({ controlHost: 'mock' });
  const status = (host: string) => statusWith({ host }, open.url);
  expect([await status('mock:1'), await status('other:1')]).toEqual([200, 403]);
  await open.close();
  await expect(mock.listen({ controlHost: 'http://mock' })).rejects.toThrow('controlHost must be a host');
});

test('can be turned off, which leaves the control API', async () => {
  const quiet = await mock.listen({ ui: false });
  const page = await fetch(`${quiet.url}/__mock/`);
  expect([page.status, await page.json()]).toMatchObject([404, { code: 'no_page' }]);
  expect((await fetch(`${quiet.url}/__mock/health`)).status).toBe(200);
  await quiet.close();
  await expect(mock.listen({ ui: 'no' as never })).rejects.toThrow('ui must be a boolean');
});

/** `fetch` can't set these headers. */
function statusWith(headers: Record<string, string>, url = server.url): Promise<number | undefined> {
  return new Promise((resolve, reject) => {
    request(`${url}/__mock/`, { headers }, (response) => {
      response.resume();
      resolve(response.statusCode);
    })
      .on('error', reject)
      .end();
  });
}
