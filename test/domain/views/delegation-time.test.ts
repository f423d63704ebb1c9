import { expect, test } from 'vitest';
import { delegationTimeText } from '../../../src/domain/rules/zone/zone-name-servers.js';
import { buildFacts, buildZone, lookupOf, ns, nxdomain, value, ZONE } from '../facts-builder.js';

const at = (ttl: number, host?: string) =>
  lookupOf('NS', value({ ...ns(ZONE, 'ns1.example.net'), ttl }), ZONE, {
    address: '192.0.2.1',
    port: 53,
    transport: 'dns',
    ...(host !== undefined && { host }),
  });

test.each([
  ['the TTL of .com', at(172_800, 'a.gtld.test'), '48 hours'],
  ['a day', at(86_400, 'a.nic.test'), '24 hours'],
  ['an hour', at(3_600, 'a.nic.test'), '60 minutes'],
  ['a minute', at(60, 'a.nic.test'), '1 minute'],
  ['a resolver, whose TTL counts down', at(60), '48 hours'],
  ['no delegation', undefined, '48 hours'],
  ['an absence', lookupOf('NS', nxdomain(), ZONE), '48 hours'],
])('%s', (_name, delegation, expected) => {
  expect(delegationTimeText(buildFacts({ zone: buildZone({ delegation }) }))).toBe(expected);
});

test('the delegation of a zone below counts instead', () => {
  const cut = { parentZone: 'example.com', referral: at(7200, 'ns1.example.net') };
  const zone = buildZone({ delegation: at(172_800, 'a.gtld.test'), cut });
  expect(delegationTimeText(buildFacts({ zone }))).toBe('2 hours');
});
