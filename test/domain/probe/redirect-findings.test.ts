import { expect, test } from 'vitest';
import type { Finding } from '../../../src/domain/report/finding.js';
import type { RedirectHop } from '../../../src/domain/probe/probe-redirects.js';
import { redirectFindings, whileCertificatePending } from '../../../src/domain/probe/redirect-findings.js';
import { buildCertificate, closed, expired, selfSigned, silent } from '../certificate-builder.js';
import { expectComplete } from '../rule-table.js';
import { named } from '../../support/named.js';
import { FROM, PATH, redirect, redirectFacts as facts, TO } from '../redirect-builder.js';

// probe-redirects.test.ts covers walks of real servers.
const OK = 'redirect.ok info works from http and https, with 301, path and query.';

test.each(
  named<[Partial<RedirectHop>, ...string[]]>({
    right: [{}, OK],
    'a final dot': [{ response: redirect(`https://${TO}.${PATH}`) }, OK],
    'a final slash and more query': [
      { response: redirect(`https://${TO}/petstore-check/t1/?x=1&probe=t1`) },
      OK,
    ],
    'the usual port, spelled out': [{ response: redirect(`https://${TO}:443${PATH}`) }, OK],
    'an expired certificate': [
      { certificate: expired },
      `cert.expired block the certificate of ${FROM} expired at 2026-11-21T12:00:00.000Z.`,
    ],
    'an untrusted certificate': [
      { certificate: selfSigned },
      `cert.untrusted block the certificate of ${FROM} is not trusted: it is self-signed.`,
    ],
    "the platform's certificate, so no redirect yet": [
      {
        response: redirect(undefined, 404),
        certificate: buildCertificate({ isForHost: false, isForTarget: true, names: ['*.platform.test'] }),
      },
      `redirect.no-cert-on-from block ${FROM} has no certificate of its own; it uses one for *.platform.test.`,
    ],
    'an expired certificate and no redirect': [
      { response: redirect(undefined, 404), certificate: expired },
      `cert.expired block the certificate of ${FROM} expired at 2026-11-21T12:00:00.000Z.`,
      'redirect.missing block it does not redirect; the response has status 404.',
    ],
    'no response after the handshake': [
      { response: silent },
      'redirect.missing unknown it could not be checked: no response within 5 s.',
    ],
    'a closed connection after the handshake': [
      { response: closed },
      'redirect.missing block no response (connection refused).',
    ],
    'a Location with control characters': [
      { response: redirect(`https://${TO}/\u009b31m`, 302) },
      'redirect.status block the status is 302 and should be 301.',
      'redirect.drops-path-query warn it drops the path and the query.',
    ],
  }),
)('%s', (_name, hop, ...expected) => {
  const findings = redirectFindings(facts(hop));
  const prefix = /^.* → .*?: /;
  expect(
    findings.map(({ id, severity, message }) => `${id} ${severity} ${message.replace(prefix, '')}`),
  ).toEqual(expected);
  for (const finding of findings) expectComplete(finding);
  expect(JSON.stringify(findings)).not.toMatch(/[\u0000-\u001f\u007f-\u009f]/);
});

test('shows a curl command', () =>
  expect(redirectFindings(facts({}))[0]?.evidence).toEqual([
    {
      text: `https://${FROM}${PATH}: 301 → https://${TO}${PATH}`,
      command: `curl -sk -o /dev/null -D - --connect-to '${FROM}:443:192.0.2.80:443' 'https://${FROM}${PATH}'`,
    },
  ]));

test('shows a curl command to the probed address', () => {
  const commandOf = (hop: Partial<RedirectHop>) => redirectFindings(facts(hop))[0]?.evidence[0]?.command;
  expect(commandOf({ endpoint: { address: '::1', port: 8443 } })).toContain(
    ` --connect-to '${FROM}:443:[::1]:8443' `,
  );
  expect(commandOf({ url: `https://${FROM}:8443/` })).toContain(
    ` --connect-to '${FROM}:8443:192.0.2.80:443' `,
  );
});

test('quotes a URL from a server', () => {
  const hostile = facts({ url: `https://${FROM}/';reboot;'` });
  expect(redirectFindings(hostile)[0]?.evidence[0]?.command).toBe(
    `curl -sk -o /dev/null -D - --connect-to '${FROM}:443:192.0.2.80:443' 'https://${FROM}/%27;reboot;%27'`,
  );
});

const finding = (id: Finding['id'], severity: Finding['severity']): Finding => ({
  id,
  severity,
  axis: 'redirect',
  message: 'old → new',
  evidence: [],
});

test('waits for a missing certificate only', () => {
  const findings = [
    finding('redirect.no-cert-on-from', 'block'),
    finding('cert.expired', 'block'),
    finding('cert.untrusted', 'block'),
    finding('redirect.status', 'block'),
    finding('redirect.ok', 'info'),
  ];
  expect(whileCertificatePending(findings)).toEqual([
    finding('redirect.no-cert-on-from', 'wait'),
    finding('cert.expired', 'block'),
    finding('cert.untrusted', 'block'),
    finding('redirect.status', 'block'),
    finding('redirect.ok', 'info'),
  ]);
});

test.each<[string, Partial<RedirectHop>, string]>([
  ['serves', { response: redirect(undefined, 200) }, 'redirect.ok info'],
  ['has no page', { response: redirect(undefined, 404) }, 'redirect.ok info'],
  ['fails', { response: redirect(undefined, 503) }, 'redirect.unreachable block'],
  ['has no address', { response: { kind: 'no-address', detail: 'none' } }, 'redirect.unreachable block'],
  ['refuses', { response: closed }, 'redirect.unreachable block'],
  ['has no route from here', { response: silent }, 'redirect.unreachable unknown'],
  [
    'has another certificate',
    { certificate: buildCertificate({ isForHost: false }) },
    'redirect.unreachable block',
  ],
  ['has an untrusted certificate', { certificate: selfSigned }, 'redirect.unreachable block'],
])('the target %s: %s', (_name, hop, expected) => {
  const before = facts({});
  const [walk] = before.walks;
  const last: RedirectHop = {
    url: `https://${TO}${PATH}`,
    response: redirect(undefined, 200),
    certificate: buildCertificate(),
    ...hop,
  };
  const walks = [{ scheme: 'https' as const, hops: [...(walk?.hops ?? []), last] }];
  const findings = redirectFindings({ ...before, walks });
  expect(findings.map(({ id, severity }) => `${id} ${severity}`)).toEqual([expected]);
  for (const finding of findings) expectComplete(finding);
});
