import { createServer } from 'node:tls';
import { expect, test } from 'vitest';
import type { AddressFacts } from '../../../src/domain/probe/probe-certificate.js';
import { probeCertificate } from '../../../src/domain/probe/probe-certificate.js';
import type { ProbeOptions } from '../../../src/domain/request/options.js';
import { closedPort, listening } from '../../support/loopback-port.js';
import { createVirtualClock, until } from '../../support/virtual-clock.js';
import {
  AUTHORITY,
  NOW,
  pemOf,
  probeLimits,
  probeRequest,
  serveAfterReset,
  serveTcp,
  serveTls,
  SHOP,
  shopAt,
} from '../loopback-servers.js';

async function seenAt(probe: ProbeOptions): Promise<AddressFacts['result'] | undefined> {
  const facts = await probeCertificate(shopAt(), probeRequest(probe), probeLimits());
  return facts.addresses[0]?.result;
}

test('reads the certificate of a server', async () => {
  const httpsPort = await serveTls('shop');
  const facts = await probeCertificate(shopAt(), probeRequest({ httpsPort }), probeLimits());
  expect(facts).toEqual({
    domain: SHOP,
    target: 'cname.platform.test',
    port: httpsPort,
    checkedAt: NOW,
    verifiedAt: undefined,
    verifiedAtSource: 'earlier-check',
    addresses: [
      {
        address: '127.0.0.1',
        result: {
          kind: 'certificate',
          subject: 'shop.example.test',
          names: ['shop.example.test', '*.example.test'],
          issuer: 'Petstore test intermediate',
          fingerprint: expect.stringMatching(/^([\dA-F]{2}:){31}[\dA-F]{2}$/) as string,
          validFrom: Date.UTC(2026, 0, 1),
          validTo: Date.UTC(2126, 0, 1),
          chain: ['shop.example.test', 'Petstore test intermediate', 'Petstore test root'],
          isForHost: true,
          isForTarget: false,
          distrust: undefined,
        },
      },
    ],
  });
});

test.each([
  ['platform', { isForHost: false, isForTarget: true, distrust: undefined }],
  ['stranger', { isForHost: false, isForTarget: false }],
  // Browsers read alternative names alone.
  ['common-name-only', { isForHost: false, subject: SHOP, names: [] }],
  ['self-signed', { isForHost: true, distrust: 'DEPTH_ZERO_SELF_SIGNED_CERT' }],
  ['without-intermediate', { isForHost: true, distrust: 'UNABLE_TO_VERIFY_LEAF_SIGNATURE' }],
  ['expired-2021', { isForHost: true, distrust: 'CERT_HAS_EXPIRED', validTo: Date.UTC(2021, 0, 1) }],
  ['from-2120', { isForHost: true, distrust: 'CERT_NOT_YET_VALID', validFrom: Date.UTC(2120, 0, 1) }],
])('reports %s', async (name, expected) => {
  const httpsPort = await serveTls(name);
  expect(await seenAt({ httpsPort })).toMatchObject(expected);
});

test('trusts given authorities in addition to its own', async () => {
  const httpsPort = await serveTls('shop');
  expect(await seenAt({ httpsPort, ca: undefined })).toMatchObject({
    distrust: 'UNABLE_TO_GET_ISSUER_CERT_LOCALLY',
  });
  const several = `# ours\n${AUTHORITY}\n${AUTHORITY}`;
  expect(await seenAt({ httpsPort, ca: several })).toMatchObject({ distrust: undefined });
});

test.each([
  ['a closed port', closedPort, 'connection refused'],
  [
    'another protocol',
    () => serveTcp((socket) => socket.end('HTTP/1.1 400 Bad Request\r\n\r\n')),
    'does not use TLS',
  ],
  ['a server that hangs up', () => serveTcp((socket) => socket.destroy()), 'connection closed'],
])('distinguishes %s from no response', async (_name, serve, detail) => {
  const result = await seenAt({ httpsPort: await serve() });
  expect(result).toEqual({ kind: 'refused', detail: expect.stringContaining(detail) });
});

test('stops at the time limit without a response', async () => {
  const clock = createVirtualClock();
  let connections = 0;
  let closed = false;
  const httpsPort = await serveTcp((socket) => {
    connections += 1;
    socket.resume();
    socket.once('close', () => (closed = true));
  });
  const probing = probeCertificate(
    shopAt(),
    probeRequest({ httpsPort }),
    probeLimits({ clock, timeoutMs: 5_000 }),
  );
  await until(() => connections === 1);
  await clock.next();
  const { addresses } = await probing;
  expect(addresses[0]?.result).toEqual({ kind: 'unreachable', detail: 'no response within 5 s' });
  expect(clock.pending).toBe(0);
  await until(() => closed);
});

test('stops on abort', async () => {
  const ending = new AbortController();
  const httpsPort = await serveTcp((socket) => {
    socket.resume();
    ending.abort();
  });
  const limits = probeLimits({}, ending.signal);
  const first = await probeCertificate(shopAt(), probeRequest({ httpsPort }), limits);
  expect(first.addresses[0]?.result.kind).toBe('aborted');
  const second = await probeCertificate(shopAt(), probeRequest({ httpsPort }), limits);
  expect(second.addresses[0]?.result.kind).toBe('aborted');
});

test('probes private addresses only with connect', async () => {
  let connections = 0;
  const httpsPort = await serveTcp((socket) => {
    connections += 1;
    socket.destroy();
  });
  const site = shopAt('127.0.0.1', '::ffff:127.0.0.1');
  const facts = await probeCertificate(site, probeRequest({ httpsPort, connect: undefined }), probeLimits());
  expect(facts.addresses.map(({ result }) => result)).toEqual([
    { kind: 'not-probed', detail: 'not probed: it is reserved for the machine itself' },
    { kind: 'not-probed', detail: 'not probed: it is reserved for mapped IPv4 addresses' },
  ]);
  expect(connections).toBe(0);
  await probeCertificate(site, probeRequest({ httpsPort, connect: 'localhost' }), probeLimits());
  expect(connections).toBe(2);
});

test('connects once more if the server closed the connection', async () => {
  const httpsPort = await serveAfterReset(await serveTls('shop'));
  expect(await seenAt({ httpsPort })).toMatchObject({ kind: 'certificate', isForHost: true });
});

test.each(['no certificate', '-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n'])(
  'rejects invalid certificate authorities: %j',
  async (ca) => {
    const probing = probeCertificate(shopAt(), probeRequest({ ca }), probeLimits());
    await expect(probing).rejects.toMatchObject({ type: 'invalid-input', field: 'ca' });
  },
);

test.each([
  ['TLS 1.0', { minVersion: 'TLSv1', maxVersion: 'TLSv1', ciphers: 'ALL@SECLEVEL=0' }, 'before 1.2'],
  [
    'TLS 1.2 with a client certificate',
    { maxVersion: 'TLSv1.2', requestCert: true, rejectUnauthorized: true },
    'client certificate',
  ],
] as const)('reports a server with %s', async (_, options, text) => {
  const pem = pemOf('shop');
  const httpsPort = await listening(createServer({ key: pem, cert: pem, ...options }));
  const result = await seenAt({ httpsPort });
  expect(result).toMatchObject({ kind: 'refused', detail: expect.stringContaining(text) });
});
