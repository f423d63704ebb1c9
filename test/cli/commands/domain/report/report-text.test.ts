import { adviceWithoutChange } from '../../../../../src/domain/report/finding.js';
import { describe, expect, test } from 'vitest';
import type { RenderedReport } from '../../../../../src/cli/commands/domain/report/next-commands.js';
import { situationLab, SITUATIONS } from '../../../../domain/situations.js';
import { buildFinding, buildTextReport, rendered, reportsText } from '../report-builder.js';

const NOW = new Date(2026, 10, 21, 12, 0).getTime();
const STYLE = { stdout: { isTTY: false, width: 80, colorLevel: 0 as const }, now: NOW, verbose: true };

test('shows in the first lines that no resolver confirmed a correct record', async () => {
  const report = buildTextReport({
    findings: [buildFinding({ id: 'prop.resolver-error', axis: 'propagation', severity: 'warn' })],
    observed: { authoritative: [], recursive: [{ resolver: '::1', response: 'SERVFAIL', records: [] }] },
  });
  const doubt = 'No resolver confirmed it, so visitors may not reach the domain.';
  const style = { ...STYLE, verbose: false };
  expect((await reportsText([report], style)).replaceAll(/\s+/g, ' ')).toMatch(
    new RegExp(`^a.example: verified Correct at every name server. ${doubt}`),
  );
  expect((await reportsText([report, report], style)).split('\n').slice(0, 4)).toEqual([
    'a.example: verified',
    `  ${doubt}`,
    'a.example: verified',
    `  ${doubt}`,
  ]);
});

test.each(SITUATIONS)('an owner who $did: at most 12 lines for one problem', async (situation) => {
  const report = await situationLab(situation).check(situation.request);
  const problems = report.findings.filter(({ severity }) => severity !== 'info');
  const lines = (await reportsText([rendered(report)], { ...STYLE, verbose: false })).trimEnd().split('\n');
  const isDone = report.state === 'verified' || report.state === 'active';
  // Each of several ways has two lines.
  const choices = lines.filter((line) => line.startsWith('  - ')).length;
  if (problems.length === 1 && !isDone) expect(lines.length, lines.join('\n')).toBeLessThan(13 + 2 * choices);
});

test('prints a complete report', async () => {
  const report = buildTextReport({
    state: 'propagating',
    estimate: {
      latest: new Date(2026, 10, 21, 14, 32),
      inSeconds: 9_120,
      perResolver: [{ resolver: '::1', remaining: 9_120 }],
    },
    findings: [
      {
        id: 'prop.stale-negative',
        axis: 'propagation',
        severity: 'wait',
        message: 'A resolver caches the absence of the record.',
        evidence: [{ text: '::1: NXDOMAIN', command: 'dig @::1 a.example A' }],
      },
    ],
    observed: {
      authoritative: [
        {
          server: 'ns1',
          address: '::2',
          response: 'NOERROR',
          serial: 7,
          records: ['CNAME t.example'],
          ttl: 60,
        },
        { server: 'ns2', address: '::3', response: 'NOERROR', serial: 6, records: [] },
      ],
      recursive: [{ resolver: '::1', response: 'NXDOMAIN', records: [], remaining: 9_120 }],
    },
    certificate: { status: 'pending', addresses: [{ address: '::4', result: 'no TLS' }] },
    redirects: [
      {
        from: 'b.example',
        to: 'a.example',
        status: 301,
        observed: [{ url: 'http://b.example/x?y', status: 302, location: 'https://a.example/x?y' }],
      },
      { from: 'c.example', to: 'a.example', status: 301, observed: [] },
    ],
    next: [
      {
        command: 'petstore domain verify a.example',
        when: 'Check again later',
        action: { step: 'verify', domain: 'a.example', target: 't.example' },
      },
    ],
  });
  expect(await reportsText([report], STYLE)).toMatchInlineSnapshot(`
    "a.example: propagating
      DNS is correct and still propagating.
      Visible by 14:32 at the latest (in 2 h 32 min), probably earlier.

    What to wait for
      - A resolver caches the absence of the record. [prop.stale-negative]

    Name servers of example
      The domain is a subdomain.
      SERVER  ADDRESS  RESPONSE  SERIAL  RECORDS          TTL
      ns1     ::2      NOERROR        7  CNAME t.example   60
      ns2     ::3      NOERROR        6  none

    Resolvers, as visitors use them
      RESOLVER  RESPONSE  RECORDS  CACHES
      ::1       NXDOMAIN  none     for 2 h 32 min

    Certificate: pending
      ADDRESS  RESULT
      ::4      no TLS

    Redirects
      ENTRY                        URL               RESPONSE
      b.example → a.example (301)  http://b.example  302 https://a.example/x?y
      c.example → a.example (301)                    not checked

    Evidence
      dig @::1 a.example A
        ::1: NXDOMAIN

    Next
      Check again later:
        petstore domain verify a.example --target t.example
    "
  `);
});

test('shows serials if they differ', async () => {
  const server = { server: 'ns1', address: '::2', response: 'NOERROR', serial: 7, records: [] };
  const report = buildTextReport({ observed: { authoritative: [server, server], recursive: [] } });
  expect(await reportsText([report], STYLE)).not.toContain('SERIAL');
});

test('omits what is correct if action is required', async () => {
  const right = { id: 'caa.ok', axis: 'caa', severity: 'info', message: 'fine', evidence: [] } as const;
  expect(await reportsText([buildTextReport({ findings: [right] })], STYLE)).toContain('fine [caa.ok]');
  const report = buildTextReport({ state: 'action-required', findings: [right] });
  expect(await reportsText([report], STYLE)).not.toContain('fine [caa.ok]');
});

test('prints evidence without a command on its own', async () => {
  const evidence = [{ text: 'NXDOMAIN', command: 'dig a.example A' }, { text: 'Plan: not told' }];
  const finding = buildFinding({ severity: 'unknown', evidence });
  expect(await reportsText([buildTextReport({ findings: [finding] })], STYLE)).toContain(
    'Evidence\n  dig a.example A\n    NXDOMAIN\n  Plan: not told\n',
  );
});

test('shows queries with their failures and extended errors', async () => {
  const query = { name: 'a.example', type: 'A', isAuthoritative: false, extendedErrors: [] };
  const report = buildTextReport({
    trace: [
      {
        ...query,
        server: 'ns1.example',
        address: '192.0.2.1',
        transport: 'tcp',
        rcode: 'NOERROR',
        isAuthoritative: true,
        elapsedMs: 12,
      },
      {
        ...query,
        server: '::1',
        address: '::1',
        transport: 'https',
        rcode: 'SERVFAIL',
        elapsedMs: 0,
        extendedErrors: [
          { code: 6, text: 'bogus' },
          { code: 22, text: '' },
        ],
      },
      { ...query, server: '::2', address: '::2', rcode: 'no response within 2 s', elapsedMs: 2_000 },
    ],
  });
  expect((await reportsText([report], STYLE)).split('\nQueries\n')[1]).toMatchInlineSnapshot(`
    "     TIME  VIA    RESPONSE                AA  QUERY
        12 ms  tcp    NOERROR                 aa  a.example A @ns1.example
                                                  (192.0.2.1)
         0 ms  https  SERVFAIL                    a.example A @::1
                                                  EDE 6: bogus
                                                  EDE 22
      2000 ms         no response within 2 s      a.example A @::2
    "
  `);
});

describe('without -v', () => {
  const short = { ...STYLE, verbose: false };
  const verify = (when: string): RenderedReport['next'][number] => ({
    step: 'verify',
    command: 'petstore domain verify a.example --target t.example --until active --wait',
    when,
  });
  const active = {
    status: 'active' as const,
    addresses: [
      { address: '::4', result: 'ok', issuer: 'R12', validTo: new Date(2027, 1, 1) },
      { address: '::5', result: 'ok', issuer: 'R12', validTo: new Date(2027, 0, 31) },
    ],
  };
  const redirect = { from: 'www.a.example', to: 'a.example', status: 301, observed: [] };

  test('shows record, certificate and redirects of an active domain', async () => {
    const report = buildTextReport({
      state: 'active',
      certificate: active,
      redirects: [redirect, { ...redirect, from: 'old.a.example' }],
      findings: [
        buildFinding({ id: 'redirect.ok', axis: 'redirect', entries: [redirect] }),
        buildFinding({ id: 'plan.unknown', axis: 'plan', severity: 'unknown', message: 'plan?' }),
      ],
    });
    expect(await reportsText([report], short)).toMatchInlineSnapshot(`
      "a.example: active
        Correct at every name server, with an active certificate.

        Record: CNAME a -> t.example
        Certificate: active until 2027-01-31 00:00, by R12
        Redirect: www.a.example → a.example (301): works
        Redirect: old.a.example → a.example (301): not checked
        Not checked: the plan (--plan).
        Check again: after the next change of DNS.
      "
    `);
  });

  test('shows when a pending certificate is overdue, and the command that waits for it', async () => {
    const report = {
      ...buildTextReport({
        certificate: { status: 'pending', addresses: [] },
        verifiedAt: new Date(NOW - 60_000),
        findings: [buildFinding({ id: 'cert.pending', axis: 'certificate', severity: 'wait' })],
      }),
      next: [verify('Watch until the certificate is issued')],
    };
    expect(await reportsText([report], short)).toMatchInlineSnapshot(`
      "a.example: verified
        Correct at every name server.

        Record: CNAME a -> t.example
        Certificate: not issued yet; overdue at 12:29
        Check again: in a few minutes, or wait for the certificate:
          petstore domain verify a.example --target t.example --until active --wait
      "
    `);
  });

  test('shows for whom the certificate is that the server has', async () => {
    const report = buildTextReport({
      certificate: {
        status: 'pending',
        addresses: [{ address: '::2', result: 'not for a.example', names: ['www.b.example', 'b.example'] }],
      },
    });
    expect(await reportsText([report], short)).toContain(
      '  Certificate: not issued yet; the server has one for www.b.example and others\n',
    );
  });

  test('shows the alias that the record has', async () => {
    const server = { server: 'ns1', address: '::2', response: 'NOERROR', records: ['CNAME hop.example'] };
    const report = buildTextReport({ observed: { authoritative: [server], recursive: [] } });
    expect(await reportsText([report], short)).toContain('  Record: CNAME a -> hop.example\n');
  });

  test('shows warnings with their fix', async () => {
    const fix = adviceWithoutChange('Renew it.');
    const finding = buildFinding({ id: 'cert.expiring', severity: 'warn', message: 'Soon.', fix });
    expect(await reportsText([buildTextReport({ findings: [finding] })], short)).toContain(
      '\nWarnings\n  - Soon. [cert.expiring]\n    Renew it.\n',
    );
  });
});
