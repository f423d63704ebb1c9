import { expect, test } from 'vitest';
import { reportText } from '../../../../../src/cli/commands/domain/report/report-text.js';
import { buildFinding, buildTextReport } from '../report-builder.js';

const NOW = new Date(2026, 10, 21, 12, 0).getTime();
const STYLE = { stdout: { isTTY: false, width: 80, colorLevel: 0 as const }, now: NOW };

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
        ...{
          id: 'prop.stale-negative',
          axis: 'propagation',
          severity: 'wait',
          message: 'A resolver caches the absence of the record.',
        },
        evidence: [{ text: '::1: NXDOMAIN', command: 'dig @::1 a.example A' }],
      },
    ],
    observed: {
      authoritative: [
        {
          server: 'ns1',
          address: '::2',
          answer: 'NOERROR',
          serial: 7,
          records: ['CNAME t.example'],
          ttl: 60,
        },
        { server: 'ns2', address: '::3', answer: 'NOERROR', serial: 6, records: [] },
      ],
      recursive: [{ resolver: '::1', answer: 'NXDOMAIN', records: [], remaining: 9_120 }],
    },
    certificate: { status: 'pending', addresses: [{ address: '::4', result: 'no TLS' }] },
    redirects: [
      {
        ...{ from: 'b.example', to: 'a.example', status: 301 },
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
  expect(await reportText(report, STYLE)).toMatchInlineSnapshot(`
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
      ENTRY                         URL               RESPONSE
      b.example -> a.example (301)  http://b.example  302 https://a.example/x?y
      c.example -> a.example (301)                    not checked

    Evidence
      dig @::1 a.example A
        ::1: NXDOMAIN

    Next
      Check again later:
        petstore domain verify a.example
    "
  `);
});

test('shows serials if they differ', async () => {
  const server = { server: 'ns1', address: '::2', answer: 'NOERROR', serial: 7, records: [] };
  const report = buildTextReport({ observed: { authoritative: [server, server], recursive: [] } });
  expect(await reportText(report, STYLE)).not.toContain('SERIAL');
});

test('omits what is correct if action is required', async () => {
  const right = { id: 'caa.ok', axis: 'caa', severity: 'info', message: 'fine', evidence: [] } as const;
  expect(await reportText(buildTextReport({ findings: [right] }), STYLE)).toContain('fine [caa.ok]');
  const report = buildTextReport({ state: 'action-required', findings: [right] });
  expect(await reportText(report, STYLE)).not.toContain('fine [caa.ok]');
});

test('prints evidence without a command on its own', async () => {
  const evidence = [{ text: 'NXDOMAIN', command: 'dig a.example A' }, { text: 'Plan: not told' }];
  const finding = buildFinding({ severity: 'unknown', evidence });
  expect(await reportText(buildTextReport({ findings: [finding] }), STYLE)).toContain(
    'Evidence\n  dig a.example A\n    NXDOMAIN\n  Plan: not told\n',
  );
});
