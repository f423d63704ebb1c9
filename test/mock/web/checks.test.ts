import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  checkDomain,
  type CheckRequest,
  createDnsClient,
  type DnsClient,
  type Report,
} from '../../../src/domain/index.js';
import { createMock, type MockServer, type WebServer } from '../../../src/mock/index.js';

let own: MockServer;
beforeAll(async () => {
  own = await createMock().listen({ dnsPort: 0, web: {} });
});
afterAll(() => own.close());

test('the checks of a program reach the web servers by a route', async () => {
  const report = await checkWithWeb(own, { domain: 'shop.example.test', probe: {} });
  expect(report.certificate?.addresses).toMatchObject([
    { address: '192.0.2.80', result: 'ok' },
    { address: '2001:db8::80', result: 'ok' },
  ]);
});

test.each([
  ['shop.example.test', 'active', 'probe.served'],
  ['proxied.example.test', 'active', 'probe.served'],
  ['wrong.example.test', 'action-required', 'probe.unproved'],
])('a probe of %s: %s, %s', async (domain, state, id) => {
  const request = { domain, plan: 'pro', deployed: true, probe: { platform: true } };
  const report = await checkWithWeb(own, request);
  expect(report.state).toBe(state);
  expect(report.findings.map((finding) => finding.id)).toContain(id);
});

/** Checks a domain by the servers of a mock, with limits that no query reaches on a busy machine. */
async function checkWithWeb(
  { dns, web }: MockServer,
  request: Omit<CheckRequest, 'target'>,
): Promise<Report> {
  const { authority, route } = web as WebServer;
  const client = createDnsClient({ timeoutMs: 30_000 });
  const patient: DnsClient = {
    ...client,
    query: (dnsServer, question, options) =>
      client.query(dnsServer, question, { ...options, limitMs: undefined }),
  };
  const report = await checkDomain(
    { ...request, target: 'cname.platform.test', probe: { ...request.probe, ca: authority } },
    {
      dns: patient,
      resolvers: [`127.0.0.1:${String(dns?.port)}`],
      authoritativePort: dns?.port,
      route,
    },
  );
  client.close();
  return report;
}
