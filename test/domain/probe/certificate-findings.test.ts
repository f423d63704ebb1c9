import { describe, expect, test } from 'vitest';
import type { AddressFacts } from '../../../src/domain/probe/probe-certificate.js';
import { certificateFindings } from '../../../src/domain/probe/certificate-findings.js';
import { certificateReport } from '../../../src/domain/probe/certificate-problems.js';
import { stateOf } from '../../../src/domain/diagnose/verdict.js';
import type { Finding, FindingId } from '../../../src/domain/report/finding.js';
import {
  buildCertificate,
  buildCertificateFacts,
  closed,
  DAY_MS,
  expired,
  guarded,
  overLimit,
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
import { named } from '../../support/named.js';

type Seen = readonly AddressFacts['result'][];

const lasting = (leftMs: number, days = 90) =>
  buildCertificate({ validFrom: NOW + leftMs - days * DAY_MS, validTo: NOW + leftMs });
const untrusted = (distrust: string) => buildCertificate({ distrust });
const notYetValid = buildCertificate({ validFrom: NOW + DAY_MS });
const strangersExpired = buildCertificate({ isForHost: false, validTo: 0, distrust: 'X' });

/** The status and the findings, what the addresses return, and minutes since verification. */
const cases = named<[expected: string, seen: Seen, minutesAgo?: number]>({
  right: ['active: cert.active info', [right, right]],
  'right, IPv6 without a route': ['active: cert.active info', [right, unrouted]],
  'right, one over the limit': ['active: cert.active info', [right, right, overLimit]],
  'closed, one over the limit': ['overdue: cert.overdue block, cert.no-tls block', [closed, overLimit], 31],
  'right, one without response': ['unknown: cert.no-tls unknown', [right, silent]],
  'right, one guarded': ['unknown: cert.no-tls unknown', [right, guarded], 5],
  'all without a route': ['unknown: cert.no-tls unknown', [unrouted]],
  'no address': ['unknown: cert.no-tls unknown', [], 60],
  'closed, just verified': ['pending: cert.pending wait, cert.no-tls wait', [closed], 0],
  'closed, 29 minutes': ['pending: cert.pending wait, cert.no-tls wait', [closed], 29.99],
  'closed, 30 minutes': ['overdue: cert.overdue block, cert.no-tls block', [closed], 30],
  'closed, verified when?': ['pending: cert.pending wait, cert.no-tls wait', [closed]],
  'verified in the future': ['pending: cert.pending wait, cert.no-tls wait', [closed], -5],
  "the platform's, 5 minutes": ['pending: cert.pending wait, cert.wrong-name wait', [platforms], 5],
  "the platform's, 31 minutes": ['overdue: cert.overdue block, cert.wrong-name block', [platforms], 31],
  "the platform's, when?": ['pending: cert.pending wait, cert.wrong-name wait', [platforms]],
  "another host's, 5 minutes": ['pending: cert.pending wait, cert.wrong-name wait', [strangers], 5],
  "another host's, 31 minutes": ['overdue: cert.overdue block, cert.wrong-name block', [strangers], 31],
  "another host's, time of verification unknown": ['wrong: cert.wrong-name block', [strangers]],
  'self-signed, when?': ['wrong: cert.untrusted block', [selfSigned]],
  'self-signed, 5 minutes': ['wrong: cert.untrusted block', [selfSigned], 5],
  'self-signed, 40 minutes': ['overdue: cert.overdue block, cert.untrusted block', [selfSigned], 40],
  'expired, just verified': ['wrong: cert.expired block', [expired], 1],
  "right over IPv4, another host's over IPv6": [
    'wrong: cert.wrong-name block, cert.differs-per-address warn',
    [right, strangers],
  ],
  'right at one, closed at the other, long since verified': [
    'none: cert.no-tls block, cert.differs-per-address warn',
    [right, closed],
    600,
  ],
  'issued at one of two addresses': [
    'pending: cert.pending wait, cert.wrong-name wait, cert.differs-per-address warn',
    [right, platforms],
    3,
  ],
  "the platform's at one, another host's at the other, just verified": [
    'pending: cert.pending wait, cert.wrong-name wait',
    [platforms, strangers],
    1,
  ],
  'right for one more millisecond': ['active: cert.active info, cert.expiring warn', [lasting(1)]],
  'right for five of six days': ['active: cert.active info', [lasting(5 * DAY_MS, 6)]],
  'right for the last of six days': [
    'active: cert.active info, cert.expiring warn',
    [lasting(DAY_MS - 1, 6)],
  ],
  'another name, with other problems': ['wrong: cert.wrong-name block', [strangersExpired]],
  'expired and closed, just verified': [
    'pending: cert.pending wait, cert.no-tls wait, cert.expired block',
    [expired, closed],
    1,
  ],
  'expired and self-signed': [
    'wrong: cert.untrusted block, cert.expired block',
    [buildCertificate({ validTo: 0, distrust: 'DEPTH_ZERO_SELF_SIGNED_CERT' })],
  ],
  'closed, others unknown, 31 minutes': [
    'overdue: cert.overdue block, cert.no-tls block, cert.no-tls unknown',
    [closed, silent],
    31,
  ],
  'three different problems': [
    'wrong: cert.no-tls block, cert.wrong-name block, cert.no-tls unknown',
    [closed, strangers, silent],
  ],
});

describe('findings and status', () => {
  test.each(cases)('%s', (_name, expected, seen, minutesAgo) => {
    const facts = buildCertificateFacts(seen, minutesAgo);
    const findings = certificateFindings(facts);
    const { status } = certificateReport(facts);
    expect(`${status}: ${summaryOf(findings)}`).toBe(expected);
    for (const finding of findings) expectComplete(finding);
    const isActive = stateOf([...findings, DNS_RIGHT]) === 'active';
    expect(isActive).toBe(status === 'active');
  });
});

test.each([
  [true, 'pending: cert.pending wait, cert.wrong-name wait', 'Check again in a few minutes.'],
  [false, 'wrong: cert.wrong-name block', 'First correct the records.'],
])(
  "another host's certificate, verified when? At an address of the target: %s",
  (isAtTarget, expected, fix) => {
    const facts = { ...buildCertificateFacts([strangers]), isAtTarget };
    const findings = certificateFindings(facts);
    expect(`${certificateReport(facts).status}: ${summaryOf(findings)}`).toBe(expected);
    expect(findings.at(-1)?.fix?.text).toContain(fix);
  },
);

test('removes no record if all addresses are the target’s', () => {
  const facts = { ...buildCertificateFacts([right, closed], 600), isAtTarget: true };
  const differs = certificateFindings(facts).find(({ id }) => id === 'cert.differs-per-address');
  expect(differs?.fix?.text).toBe(
    'The record is right: wait a few minutes and check again. If it stays so, contact the support of the service.',
  );
});

const ACTIVE =
  'serves its certificate: for shop.example.test, issued by An Authority, valid until 2027-01-20T12:00:00.000Z.';
const WHERE = 'The certificate of shop.example.test is correct at';
const OPENSSL = 'openssl s_client -connect 192.0.2.80:443 -servername shop.example.test </dev/null';

/** A part of the message, fix or commands of a finding: what the addresses return, and minutes since verification. */
const texts: Partial<Record<FindingId, [says: string, seen: Seen, minutesAgo?: number][]>> = {
  'cert.active': [
    [ACTIVE, [right]],
    ['1 of its addresses could not be checked', [unrouted, right]],
    ['Only 2 of its 3 addresses were probed.', [right, right, overLimit]],
  ],
  'cert.pending': [
    ['A check found its DNS correct less than a minute ago', [closed], 0.5],
    ['correct 1 minute ago (2026-11-21T11:59:00.000Z)', [closed], 1],
    ['correct 12 minutes ago', [platforms], 12],
    ['The time of its verification is unknown. The certificate is normally', [platforms]],
  ],
  'cert.overdue': [
    ['is overdue. A check found its DNS correct 30 minutes ago', [closed], 30],
    [
      'check for CAA records and for AAAA records of another host. Other reasons are a proxy or CDN',
      [closed],
      45,
    ],
  ],
  'cert.no-tls': [
    ['https does not work at 192.0.2.80, port 443: connection refused.', [closed]],
    [OPENSSL, [closed]],
    [' at 192.0.2.80 and 2001:db8::80, port 443: ', [closed, closed, right]],
    ["'[2001:db8::80]:443'", [closed, closed]],
    ['The certificate at 192.0.2.80 could not be checked: no response within 5 s.', [silent]],
    [
      '192.0.2.80 and 192.0.2.81 could not be checked: not probed: it is reserved',
      [guarded, silent, guarded],
    ],
    ['--connect HOST', [guarded]],
    ['could not be checked: no route from this machine.', [unrouted]],
    ['could not be checked: the domain has no known address.', []],
    ['Allow more time with --timeout.', [{ kind: 'aborted', detail: 'the time limit was reached' }]],
    ['open the port for TLS 1.2 or later', [closed], 45],
  ],
  'cert.wrong-name': [
    ['at 192.0.2.80 is for stranger.test, not for shop.example.test. Browsers reject it.', [strangers]],
    ["It is the platform's own", [platforms], 10],
    ['Check again in a few minutes', [platforms], 10],
  ],
  'cert.untrusted': [
    ['Browsers do not trust the certificate at 192.0.2.80: it is self-signed.', [selfSigned]],
    ['it is not valid before 2026-11-22T12:00:00.000Z, or the clock here is wrong', [notYetValid]],
    ['Check the clock of this machine. If it is right, start verification', [notYetValid]],
    ['does not send the intermediate certificate', [untrusted('UNABLE_TO_VERIFY_LEAF_SIGNATURE')]],
    ['a certificate of its chain has expired', [untrusted('CERT_HAS_EXPIRED')]],
    ['Check the clock of this machine.', [untrusted('CERT_HAS_EXPIRED')]],
    ['SOMETHING_NEW', [untrusted('SOMETHING_NEW')]],
  ],
  'cert.expired': [['at 192.0.2.80 expired at 2026-11-21T12:00:00.000Z. Browsers reject it.', [expired]]],
  'cert.differs-per-address': [
    [`${WHERE} 192.0.2.80, but not at 2001:db8::80.`, [right, strangers]],
    [`${WHERE} 2001:db8::80, but not at 192.0.2.80.`, [closed, right]],
    [`${WHERE} 192.0.2.80, but not at 192.0.2.81.\n`, [right, silent, closed]],
  ],
  'cert.expiring': [
    ['expires in 13 days (2026-12-05T11:59:59.999Z)', [lasting(14 * DAY_MS - 1)]],
    ['expires in 1 day (2026-11-23T00:00:00.000Z)', [lasting(1.5 * DAY_MS)]],
    ['expires in less than a day (2026-11-21T13:00:00.000Z)', [lasting(DAY_MS / 24)]],
    [
      ' at 192.0.2.80 and 192.0.2.81 expires in 5 days',
      [lasting(9 * DAY_MS), strangers, lasting(5 * DAY_MS)],
    ],
  ],
};

describe.each(Object.entries(texts))('%s', (id, rows) => {
  test.each(rows)('says %s', (says, seen, minutesAgo) => {
    const found = certificateFindings(buildCertificateFacts(seen, minutesAgo)).find((one) => one.id === id);
    const commands = found?.evidence.map(({ command }) => command) ?? [];
    expect([found?.message, found?.fix?.text, ...commands].join('\n')).toContain(says);
  });
});

test.each([
  ['given', 12, 'The domain was verified 12 minutes ago (2026-11-21T11:48:00.000Z, as given).'],
  ['given', 45, 'The domain was verified 45 minutes ago (2026-11-21T11:15:00.000Z, as given).'],
  ['earlier-check', 45, 'A check found its DNS correct 45 minutes ago (2026-11-21T11:15:00.000Z).'],
  ['this-check', 0, 'This is the first known check that found its DNS correct.'],
] as const)('says how the time is known: %s, %i minutes', (source, minutesAgo, says) => {
  const [finding] = certificateFindings(buildCertificateFacts([closed], minutesAgo, source));
  expect(finding?.message).toContain(says);
});

test('shows no command to a private address', () => {
  const [finding] = certificateFindings(buildCertificateFacts([guarded]));
  expect(finding?.evidence).toEqual([{ text: '192.0.2.80: not probed: it is reserved for one link' }]);
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
      result: 'not trusted: its chain ends at an unknown authority; expired',
    }),
  ]);
});

const DNS_RIGHT: Finding = { id: 'record.ok', axis: 'record', severity: 'info', message: '', evidence: [] };
