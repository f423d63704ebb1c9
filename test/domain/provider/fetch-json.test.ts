import type { RequestListener } from 'node:http';
import { expect, test } from 'vitest';
import { fetchJson, readBody } from '../../../src/domain/provider/fetch-json.js';
import { secureContextFor } from '../../../src/domain/probe/probe-tls.js';
import { createVirtualClock, until } from '../../support/virtual-clock.js';
import { AUTHORITY, probeLimits, serveHttps, serveTls, SHOP } from '../loopback-servers.js';

const trust = secureContextFor(AUTHORITY);

async function read(listener: RequestListener, host = SHOP) {
  const port = await serveHttps(listener);
  return readBody({ url: new URL(`https://${host}/a`), address: '127.0.0.1', port, trust }, probeLimits());
}

function sends(body: string, status = 200): RequestListener {
  return (_request, response) => response.writeHead(status).end(body);
}

test('reads a body, and sends no key and no cookies', async () => {
  let names: string[] = [];
  const body = await read((request, response) => {
    names = Object.keys(request.headers);
    response.end('{"a":1}');
  });
  expect(body).toBe('{"a":1}');
  expect(names.sort()).toEqual(['accept', 'connection', 'host', 'user-agent']);
});

test.each([
  ['a redirect', sends('', 302), 'HTTP 302'],
  ['an error', sends('{}', 500), 'HTTP 500'],
  ['a large body', sends('a'.repeat(70_000)), 'more than 64 KiB'],
])('%s is a failure', async (_name, listener, detail) => {
  expect(await read(listener)).toMatchObject({ kind: 'refused', detail });
});

test('a certificate for another host is a failure', async () => {
  expect(await read(sends('{}'), 'api.dns.test')).toMatchObject({
    kind: 'refused',
    detail: 'the certificate is not trusted',
  });
});

test('silence ends at the time limit', async () => {
  const clock = createVirtualClock();
  let requests = 0;
  const port = await serveTls('shop', () => (requests += 1));
  const url = new URL(`https://${SHOP}/`);
  const reading = readBody({ url, address: '127.0.0.1', port, trust }, probeLimits({ clock }));
  await until(() => requests === 1);
  await clock.next();
  expect(await reading).toMatchObject({ kind: 'unreachable' });
});

test('private and loopback addresses are never requested', async () => {
  const url = new URL('https://api.dns.test/');
  const addresses = ['127.0.0.1', '10.0.0.1', '169.254.169.254', '::1'];
  expect(await fetchJson({ url, addresses, trust }, probeLimits())).toBeUndefined();
});

test('fetches a document, and nothing that is not JSON', async () => {
  const url = new URL(`https://${SHOP}/`);
  const fetchFrom = async (listener: RequestListener): Promise<unknown> => {
    const port = await serveHttps(listener);
    const route = () => ({ address: '127.0.0.1', port });
    return fetchJson({ url, addresses: ['198.51.100.1'], trust }, probeLimits({ route }));
  };
  expect(await fetchFrom(sends('{"a":[1]}'))).toEqual({ a: [1] });
  expect(await fetchFrom(sends('<html>'))).toBeUndefined();
  expect(await fetchFrom(sends('{}', 404))).toBeUndefined();
});
