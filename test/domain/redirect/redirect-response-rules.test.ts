import { expect, test } from 'vitest';
import type { RedirectFacts, RedirectHop } from '../../../src/domain/redirect/redirect-facts.js';
import { redirectAnswers } from '../../../src/domain/redirect/redirect-response-rules.js';
import { buildCertificate, closed, expired, selfSigned, silent } from '../certificate-builder.js';
import { NOW } from '../loopback-servers.js';
import { expectComplete } from '../rule-table.js';

// Walks as servers make them are in redirect.test.ts; here is what only facts can show.
const FROM = 'old.example.test';
const TO = 'new.example.test';
const PATH = '/petstore-check/t1?probe=t1';

function answer(location: string | undefined, status = 301): RedirectHop['response'] {
  return { kind: 'response', status, location };
}

function facts(hop: Partial<RedirectHop>): RedirectFacts {
  const url = `https://${FROM}${PATH}`;
  return {
    entry: { from: FROM, to: TO, status: 301 },
    checkedAt: NOW,
    path: PATH,
    ports: { http: 80, https: 443 },
    walks: [
      {
        scheme: 'https',
        hops: [
          {
            url,
            endpoint: { address: '192.0.2.80', port: 443 },
            response: answer(`https://${TO}${PATH}`),
            certificate: buildCertificate(),
            ...hop,
          },
        ],
      },
    ],
  };
}

const OK = 'redirect.ok info works from http and https, with 301, path and query.';

test.each<[string, Partial<RedirectHop>, string[]]>([
  ['right', {}, [OK]],
  ['a final dot', { response: answer(`https://${TO}.${PATH}`) }, [OK]],
  [
    'a final slash and more query',
    { response: answer(`https://${TO}/petstore-check/t1/?x=1&probe=t1`) },
    [OK],
  ],
  ['the usual port, spelled out', { response: answer(`https://${TO}:443${PATH}`) }, [OK]],
  [
    'expiry',
    { certificate: expired },
    [`cert.expired block the certificate of ${FROM} expired on 2026-11-21.`],
  ],
  [
    'no trust',
    { certificate: selfSigned },
    [`cert.untrusted block the certificate of ${FROM} is not trusted: it is signed by itself.`],
  ],
  [
    "the platform's certificate, and so no redirect yet",
    {
      response: answer(undefined, 404),
      certificate: buildCertificate({ isForHost: false, isForTarget: true, names: ['*.platform.test'] }),
    },
    [
      `redirect.no-cert-on-from block ${FROM} has no certificate of its own, but shows one for *.platform.test.`,
    ],
  ],
  [
    'expiry, and no redirect',
    { response: answer(undefined, 404), certificate: expired },
    [
      `cert.expired block the certificate of ${FROM} expired on 2026-11-21.`,
      'redirect.missing block it is not redirected, but answered with status 404.',
    ],
  ],
  [
    'silence after the handshake',
    { response: silent },
    ['redirect.missing unknown it could not be asked: no response within 5 s.'],
  ],
  [
    'an end after the handshake',
    { response: closed },
    ['redirect.missing block nothing answers (connection refused).'],
  ],
  [
    'a Location that drives terminals',
    { response: answer(`https://${TO}/\u009b31m`, 302) },
    [
      'redirect.status block the status is 302 and should be 301.',
      'redirect.drops-path-query warn it drops the path and the query.',
    ],
  ],
])('%s', (_name, hop, expected) => {
  const findings = redirectAnswers(facts(hop));
  const prefix = /^.* → .*?: /;
  expect(
    findings.map(({ id, severity, message }) => `${id} ${severity} ${message.replace(prefix, '')}`),
  ).toEqual(expected);
  for (const finding of findings) expectComplete(finding);
  expect(JSON.stringify(findings)).not.toMatch(/[\u0000-\u001f\u007f-\u009f]/);
});

test('shows how to see it', () =>
  expect(redirectAnswers(facts({}))[0]?.evidence).toEqual([
    {
      text: `https://${FROM}${PATH}: 301 → https://${TO}${PATH}`,
      command: `curl -sk -o /dev/null -D - --connect-to '${FROM}:443:192.0.2.80:443' 'https://${FROM}${PATH}'`,
    },
  ]));

test('shows how to see it where it was seen', () => {
  const commandOf = (hop: Partial<RedirectHop>) => redirectAnswers(facts(hop))[0]?.evidence[0]?.command;
  expect(commandOf({ endpoint: { address: '::1', port: 8443 } })).toContain(
    ` --connect-to '${FROM}:443:[::1]:8443' `,
  );
  expect(commandOf({ url: `https://${FROM}:8443/` })).toContain(
    ` --connect-to '${FROM}:8443:192.0.2.80:443' `,
  );
});

test('quotes what a server made up', () => {
  const hostile = facts({ url: `https://${FROM}/';reboot;'` });
  expect(redirectAnswers(hostile)[0]?.evidence[0]?.command).toBe(
    `curl -sk -o /dev/null -D - --connect-to '${FROM}:443:192.0.2.80:443' 'https://${FROM}/%27;reboot;%27'`,
  );
});
