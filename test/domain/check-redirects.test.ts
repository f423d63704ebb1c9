import { describe, expect, test } from 'vitest';
import { checkRedirects } from '../../src/domain/run/checks.js';
import type { RedirectEntry } from '../../src/domain/request/options.js';
import { AUTHORITY, serveHttp, serveHttps } from './loopback-servers.js';
import { resolverQueries, zoneLab } from './world.js';

const [A, B, C] = ['a.example.test', 'b.example.test', 'c.example.test'];

const entry = (from: string, to: string, status = 301): RedirectEntry => ({ from, to, status });

const setUp = (lines: readonly string[] = []) => zoneLab(lines);

describe('entries', () => {
  test('are requested at the addresses from their own name servers', async () => {
    const { options, dns } = setUp([`a A 10.0.0.1`]);
    const { redirects, findings } = await checkRedirects({ redirects: [entry(A, B)] }, options);
    expect(redirects).toMatchObject([
      { from: A, observed: [{ trouble: expect.stringContaining('private networks') }, {}] },
    ]);
    expect(findings).toMatchObject([{ id: 'redirect.missing', severity: 'unknown' }]);
    expect(resolverQueries(dns, A)).toEqual([]);
  });

  test('are reported if their host has no records', async () => {
    const { findings } = await checkRedirects({ redirects: [entry(A, B)] }, setUp().options);
    expect(findings).toMatchObject([
      { id: 'redirect.missing', severity: 'block', message: expect.stringContaining(`${A} has no address`) },
    ]);
  });

  test('are checked against all entries, but only the selected ones are requested and reported', async () => {
    const hosts: string[] = [];
    const httpPort = await serveHttp(({ headers, url }, response) => {
      hosts.push(headers.host ?? '');
      response.writeHead(301, { location: `https://${B}${url ?? ''}` }).end();
    });
    const httpsPort = await serveHttps((_, response) => response.end());
    const { options } = setUp();
    const { redirects, findings } = await checkRedirects(
      {
        redirects: [entry(C, C), entry('10.0.0.1', A), entry(A, B), entry(B, C), entry('x.example.test', B)],
        only: ['X.example.test.'],
        probe: { connect: '127.0.0.1', httpPort, httpsPort, ca: AUTHORITY },
      },
      options,
    );
    expect(redirects.map(({ from, observed }) => [from, observed.length])).toEqual([['x.example.test', 0]]);
    expect(findings.map(({ id, message }) => `${id} ${message}`)).toEqual([
      `redirect.loop x.example.test → ${B}: the entries form a loop: x.example.test → ${B} → ${C} → ${C}.`,
    ]);
    expect(hosts).toEqual([]);
  });

  test('that are equal are requested and judged once', async () => {
    let requests = 0;
    const httpPort = await serveHttp((_, response) => {
      requests += 1;
      response.writeHead(404).end();
    });
    const probe = { connect: '127.0.0.1', httpPort, httpsPort: httpPort };
    const all = Array.from({ length: 1_500 }, () => entry(A, B, 302));
    const { redirects, findings } = await checkRedirects({ redirects: all, probe }, setUp().options);
    expect([requests, redirects.length, new Set(redirects.map(({ observed }) => observed.length))]).toEqual([
      1,
      1_500,
      new Set([2]),
    ]);
    expect(findings.map(({ id }) => id)).toEqual([
      'redirect.target',
      'redirect.missing',
      'redirect.no-cert-on-from',
    ]);
  });

  test('are named by their index among all entries', async () => {
    const all = [entry(A, B), entry(C, 'https://b.example.test/')];
    const { findings } = await checkRedirects({ redirects: all, only: [C] }, setUp().options);
    expect(findings.map(({ message }) => message)).toEqual([
      expect.stringContaining('redirects[1].to: "https://b.example.test/"'),
    ]);
  });

  test('are reported if their target is outside the project', async () => {
    const request = { redirects: [entry(A, B)], attached: [C] };
    const { findings } = await checkRedirects(request, setUp().options);
    expect(findings[0]).toMatchObject({ id: 'redirect.target', severity: 'warn' });
  });
});

test('an invalid target is rejected', async () => {
  await expect(checkRedirects({ redirects: [], target: 'a b' }, setUp().options)).rejects.toMatchObject({
    type: 'invalid-input',
    field: 'target',
  });
});
