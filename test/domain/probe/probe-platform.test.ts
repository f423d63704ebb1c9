import type { RequestListener } from 'node:http';
import { describe, expect, test } from 'vitest';
import { platformProof } from '../../../src/domain/probe/platform-report.js';
import { probePlatform } from '../../../src/domain/probe/probe-platform.js';
import { createVirtualClock, until } from '../../support/virtual-clock.js';
import { closedPort } from '../../support/loopback-port.js';
import {
  probeLimits,
  probeRequest,
  serveHttps,
  serveTls,
  SHOP,
  shopAt,
  TARGET,
} from '../loopback-servers.js';

const ok: RequestListener = (_request, response) => response.writeHead(200).end();

/** Responds with other headers for each host. */
function withHeaders(headers: Readonly<Record<string, Record<string, string>>>): RequestListener {
  return ({ headers: { host = '' } }, response) =>
    response.writeHead(200, headers[host.replace(/:\d+$/, '')] ?? {}).end();
}

function probe(httpsPort: number) {
  return probePlatform({ ...shopAt(), target: TARGET }, probeRequest({ httpsPort }), probeLimits());
}

describe('the platform serves the domain', () => {
  test('with its own certificate, before the domain has one', async () => {
    const facts = await probe(await serveHttps(ok, { [SHOP]: 'platform', [TARGET]: 'platform' }));
    expect(platformProof(facts)).toMatchObject({ by: 'certificate', subject: 'platform.test' });
    expect(facts.ofDomain).toMatchObject([{ address: '127.0.0.1', response: { status: 200 } }]);
    expect(facts.ofDomain[0]?.fingerprint).toMatch(/^([\dA-F]{2}:){31}[\dA-F]{2}$/);
  });

  test('with its header, behind a proxy with another certificate', async () => {
    const headers = {
      'x-platform-edge': '7c1f90b2e4d85a36',
      server: 'nginx',
      'x-frame-options': 'SAMEORIGIN',
    };
    const site = withHeaders({ [SHOP]: { ...headers, 'cf-ray': '8a1b2c3d4e' }, [TARGET]: headers });
    const facts = await probe(await serveHttps(site, { [SHOP]: 'stranger', [TARGET]: 'platform' }));
    expect(platformProof(facts)).toEqual({
      by: 'header',
      name: 'x-platform-edge',
      value: '7c1f90b2e4d85a36',
    });
  });
});

test.each([
  ['no headers', {}, {}],
  [
    'common headers',
    { server: 'nginx', 'x-powered-by': 'PHP/8.3' },
    { server: 'nginx', 'x-powered-by': 'PHP/8.3' },
  ],
  ['headers of the same CDN', { 'cf-cache-status': 'DYNAMIC' }, { 'cf-cache-status': 'DYNAMIC' }],
  [
    'other values of a header',
    { 'x-platform-edge': '7c1f90b2e4d85a36' },
    { 'x-platform-edge': '7c1f90b2e4d85a37' },
  ],
  ['a region', { 'x-region': 'fra1' }, { 'x-region': 'fra1' }],
  ['a short id', { 'x-platform-edge': 'fra1-7c' }, { 'x-platform-edge': 'fra1-7c' }],
  ['words', { 'x-environment': 'production-environment' }, { 'x-environment': 'production-environment' }],
  ['a version', { 'x-build': 'nginx-1.25.3-ubuntu-4b7c' }, { 'x-build': 'nginx-1.25.3-ubuntu-4b7c' }],
  [
    'values that are the same by chance',
    { 'x-edge': '1', 'x-hit': 'true' },
    { 'x-edge': '1', 'x-hit': 'true' },
  ],
])('%s prove nothing', async (_name, ofDomain: Record<string, string>, ofTarget: Record<string, string>) => {
  const site = withHeaders({ [SHOP]: ofDomain, [TARGET]: ofTarget });
  const facts = await probe(await serveHttps(site, { [SHOP]: 'stranger', [TARGET]: 'platform' }));
  expect(facts.ofDomain[0]?.response).toEqual({ kind: 'response', status: 200, location: undefined });
  expect(platformProof(facts)).toBeUndefined();
});

test('requests / with GET, without a key, cookies or a body, and follows no redirect', async () => {
  const requests: string[] = [];
  const names: string[] = [];
  const port = await serveHttps((request, response) => {
    requests.push(`${request.method ?? ''} ${request.headers.host ?? ''} ${request.url ?? ''}`);
    names.push(...Object.keys(request.headers));
    response.writeHead(302, { location: '/elsewhere', 'set-cookie': 'id=secret-value' }).end();
  });
  const facts = await probe(port);
  expect(requests.sort()).toEqual([`GET ${TARGET} /`, `GET ${SHOP} /`].sort());
  expect(new Set(names)).toEqual(new Set(['host', 'accept', 'user-agent', 'connection']));
  expect(facts.ofDomain[0]?.headers.has('set-cookie')).toBe(false);
});

test('a server that sends no response still proves itself by its certificate', async () => {
  const clock = createVirtualClock();
  let requests = 0;
  const httpsPort = await serveTls('platform', () => (requests += 1));
  const subject = { ...shopAt(), target: TARGET };
  const probing = probePlatform(subject, probeRequest({ httpsPort }), probeLimits({ clock }));
  await until(() => requests === 2);
  while (clock.pending > 0) await clock.next();
  const facts = await probing;
  expect(facts.ofDomain).toMatchObject([{ response: { kind: 'unreachable' } }]);
  expect(platformProof(facts)?.by).toBe('certificate');
});

test('a refused connection is a fact', async () => {
  const facts = await probe(await closedPort());
  expect(facts.ofDomain).toMatchObject([{ response: { kind: 'refused', detail: 'connection refused' } }]);
});

test('private addresses are not requested without connect', async () => {
  const addressesOf = () => Promise.resolve({ outcome: 'found' as const, addresses: ['169.254.169.254'] });
  const subject = { ...shopAt('10.0.0.1', '127.0.0.1'), target: TARGET };
  const request = probeRequest({ connect: undefined }, { addressesOf });
  const facts = await probePlatform(subject, request, probeLimits());
  expect([...facts.ofDomain, ...facts.ofTarget].map(({ response }) => response.kind)).toEqual([
    'not-probed',
    'not-probed',
    'not-probed',
  ]);
});
