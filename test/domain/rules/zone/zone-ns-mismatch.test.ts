import { expect, test } from 'vitest';
import { zoneNsMismatch } from '../../../../src/domain/rules/zone/zone-name-servers.js';
import {
  lookupOf,
  buildAbsentServer,
  buildFacts,
  buildServer,
  buildZone,
  cname,
  NAME,
  ns,
  silent,
  value,
  ZONE,
} from '../../facts-builder.js';
import { testRule } from '../../rule-table.js';

const listing = (index: number, ...hosts: string[]) =>
  lookupOf('NS', value(...hosts.map((host) => ns(ZONE, host))), ZONE, buildServer(index).server);

testRule(zoneNsMismatch, [
  {
    name: 'the parent zone lists other servers',
    facts: buildFacts({ zone: buildZone({ parentHosts: ['ns1.old.example', 'ns2.old.example'] }) }),
    finds: ['zone.ns-mismatch warn'],
    says: [
      'The parent zone lists ns1.old.example and ns2.old.example for example.com',
      'wrong provider',
      '24 hours',
      'Enter the name servers that you want at your registrar',
    ],
    // Both servers are known, so +trace is not needed.
    shows: ['dig +norecurse @192.0.2.1 example.com NS'],
  },
  {
    name: 'a sub-zone is listed in the zone above',
    facts: buildFacts({
      zone: buildZone({ name: 'team.example.com', parentHosts: ['ns1.old.example'] }),
    }),
    finds: ['zone.ns-mismatch warn'],
    says: [
      'The parent zone lists ns1.old.example for team.example.com',
      'Enter the name servers that you want in the zone above team.example.com, at its DNS provider',
    ],
  },
  {
    name: 'one server more in the parent zone',
    facts: buildFacts({
      zone: buildZone({ parentHosts: ['ns1.example.net', 'ns2.example.net', 'ns3.example.net'] }),
    }),
    finds: ['zone.ns-mismatch warn'],
  },
  {
    name: 'a server that only the parent lists, without the record',
    facts: buildFacts({
      zone: buildZone({ ownHosts: ['ns1.example.net'] }),
      servers: [buildServer(1), buildAbsentServer(2)],
    }),
    finds: ['zone.ns-mismatch warn'],
    says: ['ns2.example.net, which only the parent zone lists, has no record of shop.example.com.'],
    shows: ['dig +norecurse @192.0.2.2 shop.example.com CNAME'],
  },
  {
    name: 'a server that only the zone lists, with another record',
    facts: buildFacts({
      zone: buildZone({ parentHosts: ['ns1.example.net'] }),
      servers: [buildServer(1), buildServer(2, { cname: value(cname(NAME, 'old.example.net')) })],
    }),
    finds: ['zone.ns-mismatch warn'],
    says: ['ns2.example.net, which only the zone lists, has another record of shop.example.com.'],
  },
  {
    name: 'copies that disagree: shows the list of each server and one fix',
    facts: buildFacts({
      zone: buildZone({ ownHosts: ['ns1.example.net', 'ns3.example.net'] }),
      servers: [
        { ...buildServer(1), ns: listing(1, 'ns1.example.net', 'ns3.example.net') },
        { ...buildAbsentServer(2), ns: listing(2, 'ns2.example.net') },
      ],
    }),
    finds: ['zone.ns-mismatch warn'],
    says: [
      'The copies of the zone disagree. ns1.example.net lists ns1.example.net and ns3.example.net. ns2.example.net lists ns2.example.net.',
      'Keep ns1.example.net in the list at your registrar, and remove ns2.example.net. Or add the same records there.',
    ],
    shows: ['dig +norecurse @192.0.2.2 example.com NS'],
  },
  {
    name: 'shows the server that returned the list',
    facts: buildFacts({
      zone: buildZone({ ownHosts: ['ns2.example.net'] }),
      servers: [
        { ...buildServer(1), ns: lookupOf('NS', silent(), ZONE) },
        { ...buildServer(2), ns: listing(2, 'ns2.example.net') },
      ],
    }),
    finds: ['zone.ns-mismatch warn'],
    says: ['The zone itself lists ns2.example.net.'],
    shows: ['dig +norecurse @192.0.2.2 example.com NS'],
  },
  {
    name: 'no server has the record: the parent’s servers decide',
    facts: buildFacts({
      zone: buildZone({ parentHosts: ['ns1.example.net'], delegation: undefined }),
      servers: [buildAbsentServer(1)],
    }),
    finds: ['zone.ns-mismatch warn'],
    says: ['Edit the records at the provider of ns1.example.net'],
    shows: ['dig example.com NS +trace'],
  },
  {
    name: 'order and case do not matter',
    facts: buildFacts({ zone: buildZone({ parentHosts: ['NS2.example.net', 'ns1.example.net'] }) }),
    finds: [],
  },
  {
    name: 'an unknown parent list is not a mismatch',
    facts: buildFacts({ zone: buildZone({ parentHosts: [] }) }),
    finds: [],
  },
]);

test('does not report the record of a server on both lists', () => {
  const zone = buildZone({ parentHosts: ['ns1.example.net', 'ns2.example.net', 'ns3.example.net'] });
  const [finding] = zoneNsMismatch(buildFacts({ zone, servers: [buildServer(1), buildAbsentServer(2)] }));
  expect(finding?.message).not.toContain('ns2.example.net (');
  expect(finding?.evidence).toHaveLength(2);
});
