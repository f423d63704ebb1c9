import { createServer, type Server } from 'node:https';
import type { AddressInfo } from 'node:net';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Report } from '../../src/domain/index.js';
import { createMock, type Mock, type MockServer } from '../../src/mock/index.js';
import { pemOf } from '../domain/loopback-servers.js';
import { type DnsWithoutSockets, dnsWithoutSockets } from '../mock/dns/dns-client.js';
import { runCli } from '../support/run-cli.js';

const AUTHORITY = fileURLToPath(new URL('../domain/certificates/loopback.pem', import.meta.url));

describe('a resolver over HTTPS, and name servers over UDP', () => {
  let mock: Mock;
  let server: MockServer;
  let resolver: DnsWithoutSockets;
  let listener: Server;
  const requests: { method: string | undefined; type: string | undefined; bytes: number }[] = [];
  beforeAll(async () => {
    mock = createMock({ dns: {} });
    server = await mock.listen({ port: 0, dnsPort: 0 });
    resolver = dnsWithoutSockets();
    const pem = pemOf('loopback');
    listener = createServer({ key: pem, cert: pem }, (request, response) => {
      const chunks: Buffer[] = [];
      request.on('data', (chunk: Buffer) => chunks.push(chunk));
      request.once('end', () => {
        const query = Buffer.concat(chunks);
        requests.push({ method: request.method, type: request.headers['content-type'], bytes: query.length });
        response.setHeader('content-type', 'application/dns-message');
        response.end(resolver.send(query, { over: 'tcp' }));
      });
    });
    await new Promise<void>((resolve) => listener.listen(0, '127.0.0.1', resolve));
  });
  afterAll(async () => {
    listener.closeAllConnections();
    listener.close();
    await server.close();
  });

  async function verify(domain: string, env: Record<string, string> = {}) {
    const { port } = listener.address() as AddressInfo;
    const access = ['--doh', `https://localhost:${String(port)}/dns-query`];
    const flags = [...access, '--authoritative-port', String(server.dns?.port), '--no-certificate'];
    const facts = ['--target', 'cname.platform.test', '--plan', 'pro', '--deployed'];
    const ran = await runCli(['domain', 'verify', domain, ...flags, ...facts, '-o', 'json'], { env });
    expect(ran.stderr).toBe('');
    return { exitCode: ran.exitCode, report: JSON.parse(ran.stdout) as Report };
  }

  test.each([
    { domain: 'shop.example.test', exitCode: 0, state: 'verified', response: 'NOERROR' },
    { domain: 'fresh.example.test', exitCode: 8, state: 'propagating', response: 'NXDOMAIN' },
  ])('$domain is $state', async ({ domain, exitCode, state, response }) => {
    requests.length = 0;
    const found = await verify(domain, { NODE_EXTRA_CA_CERTS: AUTHORITY });
    expect(found).toMatchObject({ exitCode, report: { state } });
    expect(found.report.observed.recursive).toMatchObject([
      { resolver: expect.stringMatching(/^localhost:\d+$/), response },
    ]);
    expect(requests.length).toBeGreaterThan(3);
    expect(new Set(requests.map(({ method, type }) => `${method} ${type}`))).toEqual(
      new Set(['POST application/dns-message']),
    );
  });

  test('is not queried if the record is wrong at the source', async () => {
    requests.length = 0;
    const asked: string[] = [];
    const { send } = resolver;
    resolver.send = (bytes, asking) => {
      asked.push(Buffer.from(bytes).toString('latin1'));
      return send(bytes, asking);
    };
    const { report } = await verify('missing.example.test', { NODE_EXTRA_CA_CERTS: AUTHORITY });
    resolver.send = send;
    expect(report.state).toBe('action-required');
    expect(asked.length).toBeGreaterThan(0);
    expect(asked.filter((query) => query.includes('missing'))).toEqual([]);
  });

  test('is not used if its certificate is not trusted', async () => {
    requests.length = 0;
    const { exitCode, report } = await verify('shop.example.test');
    expect(requests).toEqual([]);
    expect({ exitCode, state: report.state }).toEqual({ exitCode: 9, state: 'inconclusive' });
  });
});
