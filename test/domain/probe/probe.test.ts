import type { RequestListener } from 'node:http';
import { describe, expect, test } from 'vitest';
import { exitCodeOf } from '../../../src/domain/diagnose/verdict.js';
import { createProbe } from '../../../src/domain/probe/probe.js';
import {
  AUTHORITY,
  NOW,
  probeRequest,
  serveHttp,
  serveHttps,
  serveTls,
  SHOP,
  shopAt,
  TARGET,
} from '../loopback-servers.js';
import { zoneLab } from '../world.js';

test.each([
  ['shop', 'active', 0],
  ['platform', 'verified', 8],
  // Verified just now: the certificate may still come.
  ['stranger', 'verified', 8],
  ['self-signed', 'action-required', 1],
] as const)('reports a certificate of the %s: %s', async (certificate, state, exitCode) => {
  const httpsPort = await serveTls(certificate);
  const { check } = zoneLab([`shop CNAME ${TARGET}.`]);
  const report = await check({ probe: { connect: '127.0.0.1', httpsPort, ca: AUTHORITY } });
  expect(report.state).toBe(state);
  expect(report.certificate?.addresses).toHaveLength(1);
  expect(exitCodeOf(report.state, report.findings, { until: 'active' })).toBe(exitCode);
});

const OLD = { from: 'old.example.test', to: 'new.example.test', status: 301 };

const redirecting: RequestListener = (request, response) =>
  response.writeHead(301, { location: `https://${OLD.to}${request.url ?? ''}` }).end();

test.each([
  ['shop', 'block', 'action-required'],
  ['stranger', 'wait', 'verified'],
])(
  'a redirect without a certificate, with a certificate of the %s: %s',
  async (certificate, severity, state) => {
    const site: RequestListener = (request, response) => {
      if (request.headers.host === OLD.to) response.end();
      else redirecting(request, response);
    };
    const httpPort = await serveHttp(site);
    const httpsPort = await serveHttps(site, {
      [SHOP]: certificate,
      [OLD.from]: 'stranger',
      [OLD.to]: 'shop',
    });
    const { check } = zoneLab([`shop CNAME ${TARGET}.`]);
    const probe = { connect: '127.0.0.1', httpPort, httpsPort, ca: AUTHORITY };
    const report = await check({ probe, redirects: [OLD] });
    expect(report.findings).toContainEqual(
      expect.objectContaining({ id: 'redirect.no-cert-on-from', severity }),
    );
    expect(report.state).toBe(state);
  },
);

test('checks redirect entries as data, then by requests', async () => {
  const [httpPort, httpsPort] = [await serveHttp(redirecting), await serveHttps(redirecting)];
  const probe = createProbe({ attached: [SHOP], random: () => 0.5 });
  const redirects = [OLD, { from: 'other.example.test', to: SHOP, status: 500 }];
  const { redirects: report = [], findings } = await probe(
    probeRequest({ httpPort, httpsPort }, { redirects }),
  );
  expect(findings.map(({ id, severity }) => `${id} ${severity}`)).toEqual([
    'redirect.status block',
    'redirect.target warn',
    'redirect.loop block',
  ]);
  expect(report.map(({ observed }) => observed.length)).toEqual([4, 0]);
  expect(report[0]?.observed[0]?.url).toBe('http://old.example.test/petstore-check/80000000?probe=80000000');
});

test.each([{ certificate: shopAt() }, { redirects: [] }])('rejects an invalid CA file', async (parts) => {
  await expect(createProbe({})(probeRequest({ ca: 'none' }, parts))).rejects.toMatchObject({
    type: 'invalid-input',
  });
});

test('uses the time of the check', async () => {
  const httpsPort = await serveTls('shop');
  const certificate = { ...shopAt(), verifiedAt: new Date(NOW) };
  const late = probeRequest({ httpsPort }, { now: new Date('2125-12-25'), certificate });
  const { certificate: report, findings } = await createProbe({})(late);
  expect(report?.status).toBe('active');
  expect(findings.map(({ id }) => id)).toEqual(['cert.active', 'cert.expiring']);
});

describe('a route', () => {
  const DOCUMENTATION = '192.0.2.80';

  test('leads to another endpoint, and the report names the original one', async () => {
    const port = await serveTls('shop');
    const requested: unknown[] = [];
    const probe = createProbe({
      route(endpoint) {
        requested.push(endpoint);
        return endpoint.address === DOCUMENTATION ? { address: '127.0.0.1', port } : undefined;
      },
    });
    const at = (...addresses: string[]) =>
      probe(probeRequest({ connect: undefined }, { certificate: shopAt(...addresses) }));
    const { certificate } = await at(DOCUMENTATION, '10.0.0.8');
    expect(certificate?.addresses.map(({ address, result }) => [address, result])).toEqual([
      [DOCUMENTATION, 'ok'],
      ['10.0.0.8', 'not probed: it is reserved for private networks'],
    ]);
    const { findings } = await at(DOCUMENTATION);
    expect(findings[0]?.evidence[0]?.command).toMatch(`-connect ${DOCUMENTATION}:443 `);
    expect(requested).toContainEqual({ address: DOCUMENTATION, port: 443 });
  });

  test('applies to redirects, by port', async () => {
    const [http, https] = [await serveHttp(redirecting), await serveHttps(redirecting)];
    const probe = createProbe({
      route: ({ port }) => ({ address: '127.0.0.1', port: port === 443 ? https : http }),
    });
    const addressesOf = () => Promise.resolve({ outcome: 'found' as const, addresses: [DOCUMENTATION] });
    const { redirects } = await probe(
      probeRequest({ connect: undefined }, { addressesOf, redirects: [OLD] }),
    );
    const statuses = redirects?.[0]?.observed.map(({ url, status }) => [new URL(url).protocol, status]);
    expect(statuses?.slice(0, 1)).toEqual([['http:', 301]]);
  });
});
