import { expect, test } from 'vitest';
import { platformProof } from '../../../src/domain/probe/platform-report.js';
import { platformFindings, platformReport } from '../../../src/domain/probe/platform-report.js';
import type { PlatformFacts, SiteResponse } from '../../../src/domain/probe/probe-platform.js';
import { SHOP, TARGET } from '../loopback-servers.js';

function site(parts: Partial<SiteResponse> = {}): SiteResponse {
  return {
    address: '192.0.2.1',
    response: { kind: 'response', status: 200 },
    fingerprint: 'AA:01',
    subject: 'platform.test',
    headers: new Map(),
    ...parts,
  };
}

function facts(
  ofDomain: readonly SiteResponse[],
  ofTarget: readonly SiteResponse[] = [site()],
): PlatformFacts {
  return { domain: SHOP, target: TARGET, port: 443, ofDomain, ofTarget };
}

const SILENT = site({
  response: { kind: 'unreachable', detail: 'no response within 5 s' },
  fingerprint: undefined!,
});

test('every address of the domain needs a proof', () => {
  const stranger = site({ address: '192.0.2.9', fingerprint: 'BB:02' });
  expect(platformProof(facts([site(), stranger]))).toBeUndefined();
  expect(platformProof(facts([site(), SILENT]))).toBeUndefined();
  expect(platformProof(facts([]))).toBeUndefined();
});

test.each(['no-route', 'over-limit'] as const)(
  'an address that was not reached does not count: %s',
  (kind) => {
    const skipped = site({ response: { kind, detail: 'no route' }, fingerprint: undefined! });
    expect(platformProof(facts([site(), skipped]))?.by).toBe('certificate');
  },
);

test.each([
  [[site()], [site()], 'served', 'probe.served info'],
  [[site({ fingerprint: 'BB:02' })], [site()], 'unproved', 'probe.unproved unknown'],
  [[SILENT], [site()], 'unknown', 'probe.failed unknown'],
  [[site()], [SILENT], 'unknown', 'probe.failed unknown'],
])('case %#: %s', (ofDomain, ofTarget, result, finding) => {
  const probed = facts(ofDomain, ofTarget);
  expect(platformReport(probed)).toMatchObject({ result, domain: [{ address: '192.0.2.1' }] });
  const findings = platformFindings(probed);
  expect(findings.map(({ id, severity }) => `${id} ${severity}`)).toEqual([finding]);
  expect(findings[0]?.evidence).toHaveLength(2);
  expect(findings[0]?.evidence[0]?.command).toBe(
    'curl -skI --connect-to ::192.0.2.1:443 https://shop.example.test/',
  );
});

test('quotes an IPv6 address for a shell', () => {
  const [finding] = platformFindings(facts([site({ address: '2001:db8::1' })]));
  expect(finding?.evidence[0]?.command).toBe(
    "curl -skI --connect-to '::[2001:db8::1]:443' https://shop.example.test/",
  );
});

test('a name without an address has no finding of its own', () => {
  expect(platformFindings(facts([]))).toEqual([]);
  expect(platformReport(facts([])).result).toBe('unknown');
});

test('a header from outside can not control the terminal', () => {
  const headers = new Map([['x-platform-edge', '\u001B[2Jfra1\u202E']]);
  const probed = facts([site({ fingerprint: 'BB:02', headers })], [site({ headers })]);
  const texts = JSON.stringify([platformReport(probed), platformFindings(probed)]);
  expect(texts).toContain('fra1');
  expect(texts).not.toMatch(/\\u001b|\u202e/i);
});
