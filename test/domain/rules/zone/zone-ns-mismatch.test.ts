import { expect, test } from 'vitest';
import { zoneNsMismatch } from '../../../../src/domain/rules/zone/zone-ns-mismatch.js';
import {
  ask,
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
  ask('NS', value(...hosts.map((host) => ns(ZONE, host))), ZONE, buildServer(index).server);

testRule(zoneNsMismatch, [
  {
    name: 'the parent zone names other servers',
    facts: buildFacts({ zone: buildZone({ parentHosts: ['ns1.old.example', 'ns2.old.example'] }) }),
    finds: ['zone.ns-mismatch warn'],
    says: [
      'The parent zone points example.com to ns1.old.example and ns2.old.example',
      'wrong provider',
      '48 hours',
      'Enter the servers that you mean at your registrar',
    ],
    // Both were asked, so that nothing begins at the root of the Internet.
    shows: ['dig +norecurse @192.0.2.1 example.com NS'],
  },
  {
    name: 'a sub-zone is not a matter of the registrar',
    facts: buildFacts({
      zone: buildZone({ name: 'team.example.com', parentHosts: ['ns1.old.example'] }),
    }),
    finds: ['zone.ns-mismatch warn'],
    says: [
      'The parent zone points team.example.com to ns1.old.example',
      'Enter the servers that you mean in the zone above team.example.com, at its DNS provider',
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
    name: 'a server that the parent alone names, without the record',
    facts: buildFacts({
      zone: buildZone({ ownHosts: ['ns1.example.net'] }),
      servers: [buildServer(1), buildAbsentServer(2)],
    }),
    finds: ['zone.ns-mismatch warn'],
    says: [
      'ns2.example.net (192.0.2.2), which the parent zone alone names, has no record of shop.example.com.',
    ],
    shows: ['dig +norecurse @192.0.2.2 shop.example.com CNAME'],
  },
  {
    name: 'a server that the zone alone names, with another record',
    facts: buildFacts({
      zone: buildZone({ parentHosts: ['ns1.example.net'] }),
      servers: [buildServer(1), buildServer(2, { cname: value(cname(NAME, 'old.example.net')) })],
    }),
    finds: ['zone.ns-mismatch warn'],
    says: [
      'ns2.example.net (192.0.2.2), which the zone alone names, has another record of shop.example.com.',
    ],
  },
  {
    name: 'copies that disagree: each is shown by the server that has it, and one remedy is told',
    facts: buildFacts({
      zone: buildZone({ ownHosts: ['ns1.example.net', 'ns3.example.net'] }),
      servers: [
        { ...buildServer(1), ns: listing(1, 'ns1.example.net', 'ns3.example.net') },
        { ...buildAbsentServer(2), ns: listing(2, 'ns2.example.net') },
      ],
    }),
    finds: ['zone.ns-mismatch warn'],
    says: [
      'the copies of the zone disagree themselves: ns1.example.net (192.0.2.1) names ns1.example.net and ns3.example.net; ns2.example.net (192.0.2.2) names ns2.example.net',
      'Leave ns1.example.net in the list at your registrar, and take ns2.example.net out of it; or make the same records there.',
    ],
    shows: ['dig +norecurse @192.0.2.2 example.com NS'],
  },
  {
    name: 'the server that is shown is the one that says so',
    facts: buildFacts({
      zone: buildZone({ ownHosts: ['ns2.example.net'] }),
      servers: [
        { ...buildServer(1), ns: ask('NS', silent(), ZONE) },
        { ...buildServer(2), ns: listing(2, 'ns2.example.net') },
      ],
    }),
    finds: ['zone.ns-mismatch warn'],
    says: ['the zone itself names ns2.example.net:'],
    shows: ['dig +norecurse @192.0.2.2 example.com NS'],
  },
  {
    name: 'nothing is right yet: the parent’s servers are those that count',
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
    name: 'an unknown parent is no mismatch',
    facts: buildFacts({ zone: buildZone({ parentHosts: [] }) }),
    finds: [],
  },
]);

test('a server on both lists is no stray, whatever it has', () => {
  const zone = buildZone({ parentHosts: ['ns1.example.net', 'ns2.example.net', 'ns3.example.net'] });
  const [finding] = zoneNsMismatch(buildFacts({ zone, servers: [buildServer(1), buildAbsentServer(2)] }));
  expect(finding?.message).not.toContain('ns2.example.net (');
  expect(finding?.evidence).toHaveLength(2);
});
