import type { RequestListener } from 'node:http';
import { describe, expect, test } from 'vitest';
import { createProbes } from '../../../src/domain/run/probes.js';
import { exitCodeOf } from '../../../src/domain/diagnose/verdict.js';
import {
  AUTHORITY,
  NOW,
  probeSubject,
  serveHttp,
  serveHttps,
  serveTls,
  SHOP,
  TARGET,
} from '../loopback-servers.js';
import { zoneLab } from '../world.js';

test.each([
  ['shop', 'active', 0],
  ['platform', 'verified', 8],
  // Verified just now: the certificate may still come.
  ['stranger', 'verified', 8],
  ['self-signed', 'action-required', 1],
] as const)('report a certificate of the %s: %s', async (certificate, state, exitCode) => {
  const httpsPort = await serveTls(certificate);
  const { check } = zoneLab([`shop CNAME ${TARGET}.`]);
  const report = await check({ probe: { connect: '127.0.0.1', httpsPort, ca: AUTHORITY } });
  expect(report.state).toBe(state);
  expect(report.certificate?.addresses).toHaveLength(1);
  expect(exitCodeOf(report.state, report.findings, { until: 'active' })).toBe(exitCode);
});

test('check redirect entries as data, then by requests', async () => {
  const site: RequestListener = (request, response) =>
    response.writeHead(301, { location: `https://new.example.test${request.url ?? ''}` }).end();
  const [httpPort, httpsPort] = [await serveHttp(site), await serveHttps(site)];
  const probes = createProbes({ attached: [SHOP], random: () => 0.5 });
  const entries = [
    { from: 'old.example.test', to: 'new.example.test', status: 301 },
    { from: 'other.example.test', to: SHOP, status: 500 },
  ];
  const { report, findings } = await probes.redirects(entries, probeSubject({ httpPort, httpsPort }));
  expect(findings.map(({ id, severity }) => `${id} ${severity}`)).toEqual([
    'redirect.status block',
    'redirect.target warn',
    'redirect.loop block',
  ]);
  expect(report.map(({ observed }) => observed.length)).toEqual([4, 0]);
  expect(report[0]?.observed[0]?.url).toBe('http://old.example.test/petstore-check/80000000?probe=80000000');
});

test('reject an invalid CA file', async () => {
  const subject = probeSubject({ ca: 'none' });
  await expect(createProbes({}).certificate(subject)).rejects.toMatchObject({ type: 'invalid-input' });
  await expect(createProbes({}).redirects([], subject)).rejects.toMatchObject({ type: 'invalid-input' });
});

test('use the time of the check', async () => {
  const httpsPort = await serveTls('shop');
  const late = probeSubject({ httpsPort }, { now: new Date('2125-12-25'), verifiedAt: new Date(NOW) });
  const { report, findings } = await createProbes({}).certificate(late);
  expect(report.status).toBe('active');
  expect(findings.map(({ id }) => id)).toEqual(['cert.active', 'cert.expiring']);
});

describe('a route', () => {
  const DOCUMENTATION = '192.0.2.80';

  test('leads to another endpoint, and the report names the original one', async () => {
    const port = await serveTls('shop');
    const requested: unknown[] = [];
    const probes = createProbes({
      route(endpoint) {
        requested.push(endpoint);
        return endpoint.address === DOCUMENTATION ? { address: '127.0.0.1', port } : undefined;
      },
    });
    const subject = probeSubject({ connect: undefined }, { addresses: [DOCUMENTATION, '10.0.0.8'] });
    const { report } = await probes.certificate(subject);
    expect(report.addresses.map(({ address, result }) => [address, result])).toEqual([
      [DOCUMENTATION, 'ok'],
      ['10.0.0.8', 'not probed: it is reserved for private networks'],
    ]);
    const { findings } = await probes.certificate({ ...subject, addresses: [DOCUMENTATION] });
    expect(findings[0]?.evidence[0]?.command).toMatch(`-connect ${DOCUMENTATION}:443 `);
    expect(requested).toContainEqual({ address: DOCUMENTATION, port: 443 });
  });

  test('applies to redirects, by port', async () => {
    const site: RequestListener = (request, response) =>
      response.writeHead(301, { location: `https://new.example.test${request.url ?? ''}` }).end();
    const [http, https] = [await serveHttp(site), await serveHttps(site)];
    const probes = createProbes({
      route: ({ port }) => ({ address: '127.0.0.1', port: port === 443 ? https : http }),
    });
    const subject = probeSubject(
      { connect: undefined },
      { addressesOf: () => Promise.resolve({ outcome: 'found', addresses: [DOCUMENTATION] }) },
    );
    const entry = { from: 'old.example.test', to: 'new.example.test', status: 301 };
    const { report } = await probes.redirects([entry], subject);
    const statuses = report[0]?.observed.map(({ url, status }) => [new URL(url).protocol, status]);
    expect(statuses?.slice(0, 1)).toEqual([['http:', 301]]);
  });
});
