import { createSecureServer } from 'node:http2';
import { buffer } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { describe, expect, onTestFinished, test } from 'vitest';
import type { Report } from '../../src/domain/index.js';
import { createMock } from '../../src/mock/index.js';
import { pemOf } from '../domain/loopback-servers.js';
import { dnsWithoutSockets } from '../mock/dns/dns-client.js';
import { listening } from '../support/loopback-port.js';
import { IS_FULL } from '../support/random-runs.js';
import { runResident } from '../support/resident-cli.js';
import { runCli } from '../support/run-cli.js';

const AUTHORITY = fileURLToPath(new URL('../domain/certificates/loopback.pem', import.meta.url));

describe('a resolver over HTTPS, and name servers over UDP', () => {
  async function verify(domain: string, env: Record<string, string> = {}) {
    const server = await createMock({ dns: {} }).listen({ port: 0, dnsPort: 0 });
    onTestFinished(() => server.close());
    const resolver = dnsWithoutSockets();
    const requests: string[] = [];
    const pem = pemOf('loopback');
    const listener = createSecureServer({ key: pem, cert: pem }, (request, response) => {
      requests.push(`${request.method} ${request.headers['content-type']}`);
      response.setHeader('content-type', 'application/dns-message');
      void buffer(request).then((query) => response.end(resolver.send(query, { over: 'tcp' }) ?? ''));
    });
    const access = ['--doh', `https://localhost:${String(await listening(listener))}/dns-query`];
    const flags = [...access, '--authoritative-port', String(server.dns?.port), '--no-certificate'];
    const facts = ['--target', 'cname.platform.test', '--plan', 'pro', '--deployed'];
    // Node reads the variable of the certificate at its start.
    const run = 'NODE_EXTRA_CA_CERTS' in env ? runCli : runResident;
    const ran = await run(['domain', 'verify', domain, ...flags, ...facts, '-o', 'json'], { env });
    expect(ran.stderr).toBe('');
    return { exitCode: ran.exitCode, report: JSON.parse(ran.stdout) as Report, requests };
  }

  test.each([
    { domain: 'shop.example.test', exitCode: 0, state: 'verified', response: 'NOERROR' },
    ...(IS_FULL
      ? [{ domain: 'fresh.example.test', exitCode: 8, state: 'propagating', response: 'NXDOMAIN' }]
      : []),
  ])('$domain is $state (more with PETSTORE_TEST_FULL=1)', async ({ domain, exitCode, state, response }) => {
    const { requests, ...found } = await verify(domain, { NODE_EXTRA_CA_CERTS: AUTHORITY });
    expect(found).toMatchObject({ exitCode, report: { state } });
    expect(found.report.observed.recursive).toMatchObject([
      { resolver: expect.stringMatching(/^localhost:\d+$/), response },
    ]);
    expect(requests.length).toBeGreaterThan(3);
    expect(new Set(requests)).toEqual(new Set(['POST application/dns-message']));
  });

  test('is not used if its certificate is not trusted', async () => {
    const { exitCode, report, requests } = await verify('shop.example.test');
    expect(requests).toEqual([]);
    expect({ exitCode, state: report.state }).toEqual({ exitCode: 9, state: 'inconclusive' });
  });
});
