import { describe, expect, test } from 'vitest';
import type { AddressFacts } from '../../../src/domain/certificate/probe-certificate.js';
import { certificateFindings } from '../../../src/domain/certificate/certificate-findings.js';
import { certificateReport } from '../../../src/domain/certificate/certificate-report.js';
import { stateOf } from '../../../src/domain/verdict/verdict.js';
import type { Finding } from '../../../src/domain/finding/finding.js';
import {
  buildCertificate,
  buildCertificateFacts,
  closed,
  DAY_MS,
  expired,
  guarded,
  platforms,
  right,
  selfSigned,
  silent,
  strangers,
  summaryOf,
  unrouted,
} from '../certificate-builder.js';
import { NOW } from '../loopback-servers.js';
import { expectComplete } from '../rule-table.js';

type Seen = readonly AddressFacts['result'][];

/** What the addresses return, minutes since verification, expected status and findings. */
const cases: [string, Seen, number | undefined, string, string[]][] = [
  ['right', [right, right], undefined, 'active', ['cert.active info']],
  ['right, IPv6 without a route', [right, unrouted], undefined, 'active', ['cert.active info']],
  ['right, one without response', [right, silent], undefined, 'unknown', ['cert.no-tls unknown']],
  ['right, one guarded', [right, guarded], 5, 'unknown', ['cert.no-tls unknown']],
  ['all without a route', [unrouted], undefined, 'unknown', ['cert.no-tls unknown']],
  ['no address', [], 60, 'unknown', ['cert.no-tls unknown']],
  ['closed, just verified', [closed], 0, 'pending', ['cert.pending wait', 'cert.no-tls wait']],
  ['closed, 29 minutes', [closed], 29.99, 'pending', ['cert.pending wait', 'cert.no-tls wait']],
  ['closed, 30 minutes', [closed], 30, 'overdue', ['cert.overdue block', 'cert.no-tls block']],
  ['closed, verified when?', [closed], undefined, 'pending', ['cert.pending wait', 'cert.no-tls wait']],
  ['verified in the future', [closed], -5, 'pending', ['cert.pending wait', 'cert.no-tls wait']],
  ["the platform's, 5 minutes", [platforms], 5, 'pending', ['cert.pending wait', 'cert.wrong-name wait']],
  ["the platform's, 31 minutes", [platforms], 31, 'overdue', ['cert.overdue block', 'cert.wrong-name block']],
  ["the platform's, when?", [platforms], undefined, 'pending', ['cert.pending wait', 'cert.wrong-name wait']],
  ["another host's, 5 minutes", [strangers], 5, 'pending', ['cert.pending wait', 'cert.wrong-name wait']],
  ["another host's, 31 minutes", [strangers], 31, 'overdue', ['cert.overdue block', 'cert.wrong-name block']],
  [
    "another host's, time of verification unknown",
    [strangers],
    undefined,
    'wrong',
    ['cert.wrong-name block'],
  ],
  ['self-signed, when?', [selfSigned], undefined, 'wrong', ['cert.untrusted block']],
  ['self-signed, 5 minutes', [selfSigned], 5, 'wrong', ['cert.untrusted block']],
  ['self-signed, 40 minutes', [selfSigned], 40, 'overdue', ['cert.overdue block', 'cert.untrusted block']],
  ['expired, just verified', [expired], 1, 'wrong', ['cert.expired block']],
  [
    "right over IPv4, another host's over IPv6",
    [right, strangers],
    undefined,
    'wrong',
    ['cert.wrong-name block', 'cert.differs-per-address warn'],
  ],
  [
    'right at one, closed at the other, long since verified',
    [right, closed],
    600,
    'none',
    ['cert.no-tls block', 'cert.differs-per-address warn'],
  ],
  [
    'issued at one of two addresses',
    [right, platforms],
    3,
    'pending',
    ['cert.pending wait', 'cert.wrong-name wait', 'cert.differs-per-address warn'],
  ],
  [
    "the platform's at one, another host's at the other, just verified",
    [platforms, strangers],
    1,
    'pending',
    ['cert.pending wait', 'cert.wrong-name wait'],
  ],
  [
    'three different problems',
    [closed, strangers, silent],
    undefined,
    'wrong',
    ['cert.no-tls block', 'cert.wrong-name block', 'cert.no-tls unknown'],
  ],
];

describe('findings and status', () => {
  test.each(cases)('%s', (_name, seen, minutesAgo, status, expected) => {
    const facts = buildCertificateFacts(seen, minutesAgo);
    const findings = certificateFindings(facts);
    expect(summaryOf(findings)).toEqual(expected);
    expect(certificateReport(facts).status).toBe(status);
    for (const finding of findings) expectComplete(finding);
    const isActive = stateOf([...findings, DNS_RIGHT]) === 'active';
    expect(isActive).toBe(status === 'active');
  });
});

test('reports each address', () => {
  const seen = [
    right,
    closed,
    buildCertificate({ validTo: NOW - DAY_MS, distrust: 'SELF_SIGNED_CERT_IN_CHAIN' }),
  ];
  expect(certificateReport(buildCertificateFacts(seen)).addresses).toEqual([
    {
      address: '192.0.2.80',
      result: 'ok',
      subject: 'shop.example.test',
      names: ['shop.example.test'],
      issuer: 'An Authority',
      chain: ['shop.example.test', 'An Authority'],
      validFrom: new Date('2026-10-22T12:00:00.000Z'),
      validTo: new Date('2027-01-20T12:00:00.000Z'),
    },
    { address: '2001:db8::80', result: 'no TLS: connection refused' },
    expect.objectContaining({
      result: 'not trusted: its chain ends at an unknown authority; expired at 2026-11-20T12:00:00.000Z',
    }),
  ]);
});

const DNS_RIGHT: Finding = { id: 'record.ok', axis: 'record', severity: 'info', message: '', evidence: [] };
