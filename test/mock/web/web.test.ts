import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { connect, type PeerCertificate } from 'node:tls';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createMock, type MockServer, type WebServer } from '../../../src/mock/index.js';
import { findProgram } from '../../integration/programs.js';
import { temporaryFolder } from '../../support/temporary-folder.js';
import { frozenClock, NOON } from '../send-request.js';

const DAY_MS = 86_400_000;
const redirects = [
  { from: 'Old.example.test', to: 'shop.example.test', status: 308 },
  { from: 'redirect-status.example.test', to: 'a.test', status: 301 },
  { from: 'bücher.example.test.', to: '本.example.test', status: 301 },
];
let server: MockServer;
let web: WebServer;

beforeAll(async () => {
  server = await createMock({ clock: frozenClock }).listen({ web: { redirects } });
  web = server.web as WebServer;
});
afterAll(() => server.close());

async function served(
  host: string,
  port = web.httpsPort,
): Promise<{ trusted: boolean; peer: PeerCertificate }> {
  const socket = connect({
    host: web.host,
    port,
    servername: host,
    ca: web.authority,
    rejectUnauthorized: false,
  });
  try {
    await once(socket, 'secureConnect');
    return { trusted: socket.authorized, peer: socket.getPeerCertificate() };
  } finally {
    socket.destroy();
  }
}

describe('certificates', () => {
  test.each([
    'shop.example.test',
    'SHOP.example.test',
    'any.wild.example.test',
    '__proto__',
    'own.zone.test',
  ])('%s has its own', async (host) => {
    const { trusted, peer } = await served(host);
    expect([trusted, peer.subjectaltname]).toEqual([true, `DNS:${host.toLowerCase()}`]);
  });

  test.each([
    ['cert-pending.example.test', 'DNS:platform.test, DNS:*.platform.test'],
    ['shop.caa-blocked.test', 'DNS:platform.test, DNS:*.platform.test'],
    ['cname.platform.test', 'DNS:platform.test, DNS:*.platform.test'],
    ['cert-wrong-name.example.test', 'DNS:www.elsewhere.test'],
  ])('%s gets %s', async (host, names) => {
    expect((await served(host)).peer.subjectaltname).toBe(names);
  });

  test.each([
    ['cert-expired.example.test', -1],
    ['cert-expiring.example.test', 3.5],
  ])('%s ends after %d days, by the clock of the mock', async (host, days) => {
    expect(Date.parse((await served(host)).peer.valid_to)).toBe(NOON + days * DAY_MS);
  });

  test('one is signed with its own key', async () => {
    expect((await served('cert-self-signed.example.test')).trusted).toBe(false);
  });

  test('a host without TLS closes the connection', async () => {
    await expect(served('no-tls.example.test')).rejects.toMatchObject({ code: 'ECONNRESET' });
    expect((await served('shop.example.test')).trusted).toBe(true);
  });
});

describe('routes', () => {
  test('lead the addresses of the zones to loopback ports', async () => {
    const { host: address, httpPort, httpsPort } = web;
    for (const platform of ['192.0.2.80', '2001:db8::80']) {
      expect(web.route({ address: platform, port: 443 })).toEqual({ address, port: httpsPort });
      expect(web.route({ address: platform, port: 80 })).toEqual({ address, port: httpPort });
    }
    const other = web.route({ address: '198.51.100.9', port: 443 });
    expect(web.route({ address: '2001:db8:bad::9', port: 443 })).toEqual(other);
    expect((await served('blocked.example.test', other?.port)).peer.subjectaltname).toBe(
      'DNS:www.elsewhere.test',
    );
    expect((await served('moved.example.test', other?.port)).peer.subjectaltname).toBe(
      'DNS:moved.example.test',
    );
  });

  test.each([
    ['10.0.0.8', 443],
    ['192.0.2.80', 8443],
    ['93.184.216.34', 443],
  ])('do not exist for %s, port %i', (address, port) => {
    expect(web.route({ address, port })).toBeUndefined();
  });
});

describe('curl', () => {
  const CURL = findProgram('curl');

  /** Requests URLs of the mock's hosts in one process. Returns the status and Location of each. */
  async function request(...urls: readonly string[]): Promise<string[]> {
    const folder = temporaryFolder({ 'ca.pem': web.authority });
    const routes = [443, 80].flatMap((port) => {
      const routed = web.route({ address: '192.0.2.80', port });
      return ['--connect-to', `:${String(port)}:${web.host}:${String(routed?.port)}`];
    });
    const args = ['-s', '-m', '60', '--cacert', join(folder, 'ca.pem'), ...routes];
    const bodies = urls.flatMap((url) => ['-o', '/dev/null', url]);
    const env = { LD_LIBRARY_PATH: CURL?.libraryFolders.join(':') ?? '', HOME: '/nonexistent' };
    const format = '%{http_code} %{redirect_url}\n';
    const { stdout } = await promisify(execFile)(CURL?.path ?? '', [...args, '-w', format, ...bodies], {
      env,
    });
    return stdout
      .trimEnd()
      .split('\n')
      .map((line) => line.trim());
  }

  test.skipIf(CURL === undefined)('gets the redirects of each host', async () => {
    const expected = {
      'https://shop.example.test/': '200',
      'http://shop.example.test/': '200',
      'http://www.example.test/a?b=1': '301 https://example.test/a?b=1',
      'https://www.example.test/a': '301 https://example.test/a',
      'https://old.example.test/a': '308 https://shop.example.test/a',
      'https://xn--bcher-kva.example.test/': '301 https://xn--8pv.example.test/',
      'https://redirect-status.example.test/': '302 https://example.test/',
      'https://redirect-target.example.test/': '301 https://www.elsewhere.test/',
      'https://redirect-missing.example.test/': '200',
      'https://redirect-loop.example.test/': '301 https://redirect-loop.example.test/',
      'https://redirect-downgrade.example.test/': '301 http://example.test/',
      'http://redirect-no-path.example.test/a?b=1': '301 https://example.test/',
    };
    const urls = Object.keys(expected);
    const received = await request(...urls);
    expect(Object.fromEntries(urls.map((url, index) => [url, received[index]]))).toEqual(expected);
  });

  test.skipIf(CURL === undefined)('rejects the certificate of another name', async () => {
    await expect(request('https://cert-wrong-name.example.test/')).rejects.toMatchObject({ code: 60 });
  });
});

test('GET /__mock/ca.pem returns the authority, and 404 without web servers', async () => {
  const found = await fetch(`${server.url}/__mock/ca.pem`);
  expect([found.status, await found.text()]).toEqual([200, web.authority]);
  const foreign = await fetch(`${server.url}/__mock/ca.pem`, { headers: { origin: 'https://evil.example' } });
  expect(foreign.status).toBe(403);
  const bare = await createMock().listen();
  expect((await fetch(`${bare.url}/__mock/ca.pem`)).status).toBe(404);
  await bare.close();
});

test('the state has the ports without the authority, until the servers close', async () => {
  const mock = createMock();
  const own = await mock.listen({ dnsPort: 0, web: {} });
  const second = await mock.listen({ web: {} });
  const portsOf = ({ host, httpPort, httpsPort }: WebServer): object => ({ host, httpPort, httpsPort });
  expect(mock.state().web).toEqual(portsOf(second.web as WebServer));
  await second.close();
  expect(mock.state().web).toEqual(portsOf(own.web as WebServer));
  expect(await (await fetch(`${own.url}/__mock/ca.pem`)).text()).toBe(own.web?.authority);
  expect((await fetch(`${own.url}/__mock/ca.pem?x=1`)).status).toBe(400);
  const head = await fetch(`${own.url}/__mock/ca.pem`, { method: 'HEAD' });
  expect([head.status, await head.text()]).toEqual([200, '']);
  const events = await fetch(`${own.url}/__mock/events`);
  const { value } = (await events.body?.getReader().read()) ?? {};
  expect(Buffer.from(value ?? []).toString()).toMatch(/"httpsPort":\d+/);
  expect(Buffer.from(value ?? []).toString()).not.toContain('CERTIFICATE');
  const open = await mock.listen();
  await own.close();
  expect(mock.state().web).toBeUndefined();
  expect(mock.state().dns?.endpoint).toBeUndefined();
  expect((await fetch(`${open.url}/__mock/ca.pem`)).status).toBe(404);
  await open.close();
});

test('keeps the certificates of some hosts, until a reset, also if newer web servers are open', async () => {
  const mock = createMock({ clock: frozenClock });
  const own = await mock.listen({ web: {} });
  const newer = await mock.listen({ web: {} });
  const serial = async (host: string): Promise<string> => {
    const { httpsPort, authority } = own.web as WebServer;
    const socket = connect({ port: httpsPort, host: '127.0.0.1', servername: host, ca: authority });
    await once(socket, 'secureConnect');
    const { serialNumber } = socket.getPeerCertificate();
    socket.destroy();
    return serialNumber;
  };
  const first = await serial('shop.example.test');
  expect(await serial('shop.example.test')).toBe(first);
  mock.reset();
  const second = await serial('shop.example.test');
  expect(second).not.toBe(first);
  for (let count = 0; count < 64; count += 1) await serial(`host-${String(count)}.example.test`);
  expect(await serial('shop.example.test')).not.toBe(second);
  await Promise.all([own.close(), newer.close()]);
});

test('closes all ports with the mock', async () => {
  const own = await createMock().listen({ dnsPort: 0, web: {} });
  const { httpPort, httpsPort } = own.web as WebServer;
  await own.close();
  for (const port of [httpPort, httpsPort])
    await expect(fetch(`http://127.0.0.1:${String(port)}/`)).rejects.toThrow('fetch failed');
});
