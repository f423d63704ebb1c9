import { describe, expect, test } from 'vitest';
import {
  certificateDiffers,
  certificateExpiring,
  certificateProblem,
  certificateUnknown,
} from '../../../src/domain/certificate/certificate-findings.js';
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

describe('certificateProblem', () => {
  test.each([
    ['no TLS', closed, 'cert.no-tls', 'https does not work at 192.0.2.80, port 443: connection refused.'],
    [
      'another name',
      strangers,
      'cert.wrong-name',
      'The certificate at 192.0.2.80 is for stranger.test, not for shop.example.test. Browsers reject it.',
    ],
    [
      'no trust',
      selfSigned,
      'cert.untrusted',
      'Browsers do not trust the certificate at 192.0.2.80: it is self-signed.',
    ],
    [
      'expiry',
      expired,
      'cert.expired',
      'The certificate at 192.0.2.80 expired at 2026-11-21T12:00:00.000Z. Browsers reject it.',
    ],
  ] as const)('reports %s, with a fix and a command', (_name, seen, id, message) => {
    const [finding, ...others] = certificateProblem(buildCertificateFacts([seen], 60));
    expect(others).toEqual([]);
    expect(finding).toMatchObject({ id, axis: 'certificate', severity: 'block', message });
    expect(finding?.fix?.text).toContain('verification again');
    expect(finding?.evidence[0]?.command).toBe(
      'openssl s_client -connect 192.0.2.80:443 -servername shop.example.test </dev/null',
    );
  });

  test('groups addresses with the same problem, and quotes IPv6 addresses', () => {
    const [finding, ...others] = certificateProblem(buildCertificateFacts([closed, closed, right]));
    expect(others).toEqual([]);
    expect(finding?.message).toMatch(/ at 192\.0\.2\.80 and 2001:db8::80, port 443: /);
    expect(finding?.evidence[1]?.command).toContain("'[2001:db8::80]:443'");
  });

  test("reports the platform's own certificate, and to wait while issuance is pending", () => {
    const [finding] = certificateProblem(buildCertificateFacts([platforms], 10));
    expect(finding?.message).toContain("It is the platform's own");
    expect(finding).toMatchObject({ severity: 'wait' });
    expect(finding?.fix?.text).toContain('Check again in a few minutes');
  });

  test('an expired certificate is never pending', () =>
    expect(
      certificateProblem(buildCertificateFacts([expired, closed], 1)).map(({ severity }) => severity),
    ).toEqual(['wait', 'block']));

  test('reports nothing for a correct or unknown address', () =>
    expect(certificateProblem(buildCertificateFacts([right, silent]))).toEqual([]));
});

describe('certificateUnknown', () => {
  test.each([
    ['failure', [silent], ['The certificate at 192.0.2.80 could not be checked: no response within 5 s.']],
    [
      'each reason once',
      [guarded, silent, guarded],
      [
        'The certificate at 192.0.2.80 and 192.0.2.81 could not be checked: not probed: it is reserved for one link.',
        'The certificate at 2001:db8::80 could not be checked: no response within 5 s.',
      ],
    ],
    [
      'no route to any address',
      [unrouted],
      ['The certificate at 192.0.2.80 could not be checked: no route from this machine.'],
    ],
    [
      'no address',
      [],
      ['The certificate of shop.example.test could not be checked: the domain has no known address.'],
    ],
    ['no route to some addresses', [right, unrouted], []],
    ['all probed', [right, closed], []],
  ] as const)('%s', (_name, seen, messages) => {
    const findings = certificateUnknown(buildCertificateFacts(seen));
    expect(findings.map(({ message }) => message)).toEqual(messages);
    for (const finding of findings) expectComplete(finding);
    for (const { id, severity } of findings) expect([id, severity]).toEqual(['cert.no-tls', 'unknown']);
  });

  test('suggests more time after the time limit', () => {
    const late = { kind: 'aborted', detail: 'the time limit was reached' } as const;
    const [finding] = certificateUnknown(buildCertificateFacts([late]));
    expect(finding?.message).toContain('the time limit was reached');
    expect(finding?.fix?.text).toBe('Allow more time with --timeout.');
  });

  test('suggests --connect, without a command to a private address', () => {
    const [finding] = certificateUnknown(buildCertificateFacts([guarded]));
    expect(finding?.fix?.text).toContain('--connect HOST');
    expect(finding?.evidence).toEqual([{ text: '192.0.2.80: not probed: it is reserved for one link' }]);
  });
});

describe('certificateDiffers', () => {
  const WHERE = 'The certificate of shop.example.test is correct at';

  test.each([
    [
      'IPv6 wrong',
      [right, strangers],
      `${WHERE} 192.0.2.80, but not at 2001:db8::80. Visitors over IPv6 get the wrong one.`,
    ],
    [
      'IPv4 wrong',
      [closed, right],
      `${WHERE} 2001:db8::80, but not at 192.0.2.80. Visitors over IPv4 get the wrong one.`,
    ],
    ['one IPv4 address wrong', [right, silent, closed], `${WHERE} 192.0.2.80, but not at 192.0.2.81.`],
    ['right with different certificates', [right, buildCertificate({ issuer: 'Another' })], undefined],
    ['wrong everywhere', [closed, strangers], undefined],
    ['one unknown', [right, silent], undefined],
  ] as const)('%s', (_name, seen, message) => {
    const findings = certificateDiffers(buildCertificateFacts(seen));
    expect(findings.map((finding) => finding.message)).toEqual(message === undefined ? [] : [message]);
    for (const finding of findings) expectComplete(finding);
  });
});

describe('certificateExpiring', () => {
  const lasting = (leftMs: number) => buildCertificate({ validTo: NOW + leftMs });

  test.each([
    ['14 days', 14 * DAY_MS, undefined],
    ['just less', 14 * DAY_MS - 1, 'expires in 13 days (2026-12-05T11:59:59.999Z)'],
    ['a day and a bit', 1.5 * DAY_MS, 'expires in 1 day (2026-11-23T00:00:00.000Z)'],
    ['an hour', DAY_MS / 24, 'expires in less than a day (2026-11-21T13:00:00.000Z)'],
    ['nothing left', 0, undefined],
  ])('%s', (_name, leftMs, says) => {
    const findings = certificateExpiring(buildCertificateFacts([lasting(leftMs)]));
    expect(summaryOf(findings)).toEqual(says === undefined ? [] : ['cert.expiring warn']);
    for (const finding of findings) expectComplete(finding);
    if (says !== undefined) expect(findings[0]?.message).toContain(says);
  });

  test('reports the earliest expiry, of certificates for the domain', () => {
    const others = buildCertificate({ validTo: NOW + DAY_MS, isForHost: false });
    const findings = certificateExpiring(
      buildCertificateFacts([lasting(9 * DAY_MS), others, lasting(5 * DAY_MS)]),
    );
    expect(findings[0]?.message).toMatch(/ at 192\.0\.2\.80 and 192\.0\.2\.81 .* in 5 days/);
    expect(certificateExpiring(buildCertificateFacts([others, closed]))).toEqual([]);
  });
});

test.each([
  ['old-tls', 'Enable TLS 1.2 and 1.3'],
  ['client-certificate', 'Turn off the requirement of a client certificate'],
  [undefined, 'Check for a firewall or proxy'],
] as const)('mistake %s: the fix fits, whatever the words', (mistake, remedy) => {
  const detail = 'words about before 1.2 and a client certificate';
  const result = { kind: 'refused', detail, ...(mistake && { mistake }) } as const;
  const finding = certificateProblem(buildCertificateFacts([result], 45))[0];
  expect(finding?.message).toContain(detail);
  expect(finding?.fix?.text).toContain(remedy);
});
