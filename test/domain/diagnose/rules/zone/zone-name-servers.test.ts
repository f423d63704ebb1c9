import { expect, test } from 'vitest';
import {
  zoneNsMismatch,
  zoneServerHosts,
  delegationTimeText,
} from '../../../../../src/domain/diagnose/rules/zone/zone-name-servers.js';
import {
  lookupOf,
  buildAbsentServer,
  buildFacts,
  buildServer,
  buildZone,
  ns,
  value,
  ZONE,
  nxdomain,
} from '../../../facts-builder.js';
import { testRule } from '../../../rule-table.js';

testRule(zoneNsMismatch, {
  'the parent zone lists other servers: zone.ns-mismatch warn': [
    { zone: buildZone({ parentHosts: ['ns1.old.example', 'ns2.old.example'] }) },
    'The parent zone lists ns1.old.example and ns2.old.example for example.com',
    'wrong provider',
    '24 hours',
    'Enter the name servers that you want at your registrar',
    'dig +norecurse @192.0.2.1 example.com NS',
  ],
  'a sub-zone is listed in the zone above: zone.ns-mismatch warn': [
    { zone: buildZone({ name: 'team.example.com', parentHosts: ['ns1.old.example'] }) },
    'The parent zone lists ns1.old.example for team.example.com',
    'Enter the name servers that you want in the zone above team.example.com, at its DNS provider',
  ],
  'one server more in the parent zone: zone.ns-mismatch warn': {
    zone: buildZone({ parentHosts: ['ns1.example.net', 'ns2.example.net', 'ns3.example.net'] }),
  },
  'no server has the record: the parent’s servers decide: zone.ns-mismatch warn': [
    {
      zone: buildZone({ parentHosts: ['ns1.example.net'], delegation: undefined }),
      servers: [buildAbsentServer(1)],
    },
    'Edit the records at the provider of ns1.example.net',
    'dig example.com NS +trace',
  ],
  'order and case do not matter: nothing': {
    zone: buildZone({ parentHosts: ['NS2.example.net', 'ns1.example.net'] }),
  },
  'an unknown parent list is not a mismatch: nothing': { zone: buildZone({ parentHosts: [] }) },
});

test('does not report the record of a server on both lists', () => {
  const zone = buildZone({ parentHosts: ['ns1.example.net', 'ns2.example.net', 'ns3.example.net'] });
  const [finding] = zoneNsMismatch(buildFacts({ zone, servers: [buildServer(1), buildAbsentServer(2)] }));
  expect(finding?.message).not.toContain('ns2.example.net (');
  expect(finding?.evidence).toHaveLength(2);
});

const HOST = 'ns1.example.com';

testRule(zoneServerHosts, {
  'an alias: zone.lame-ns warn': [
    { zone: buildZone({ aliasHosts: [{ host: HOST, target: 'real.example.net' }] }) },
    'ns1.example.com is an alias of real.example.net',
    'at your registrar',
    'enter real.example.net',
    'dig ns1.example.com CNAME',
  ],
  'outdated glue: zone.ns-mismatch warn': [
    {
      zone: buildZone({ glueDifferences: [{ host: HOST, atParent: ['192.0.2.7'], inZone: ['192.0.2.1'] }] }),
    },
    'ns1.example.com is 192.0.2.7, but 192.0.2.1 in the zone',
    'under "Host records" or "Glue records", set ns1.example.com to 192.0.2.1',
  ],
});

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
