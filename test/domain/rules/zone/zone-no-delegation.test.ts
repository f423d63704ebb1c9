import { zoneNoDelegation } from '../../../../src/domain/rules/zone/zone-delegation.js';
import { a, lookupOf, buildFacts, buildZone, mx, nodata, value, ZONE } from '../../facts-builder.js';
import { testRule } from '../../rule-table.js';

testRule(zoneNoDelegation, [
  {
    name: 'registered, without name servers',
    facts: buildFacts({
      servers: [],
      zone: buildZone({ delegation: lookupOf('NS', nodata(), ZONE), parentHosts: [], ownHosts: [] }),
    }),
    finds: ['zone.no-delegation block'],
    says: ['has no name servers'],
  },
  {
    name: 'records in the zone of the registry',
    facts: buildFacts({
      servers: [],
      zone: buildZone({
        delegation: lookupOf('NS', nodata(), ZONE),
        parentRecords: [
          lookupOf('A', value(a(ZONE, '192.0.2.99')), ZONE),
          lookupOf('MX', value(mx(ZONE, 'mail.example.net')), ZONE),
        ],
        parentHosts: [],
        ownHosts: [],
      }),
    }),
    finds: ['zone.no-delegation block'],
    says: [
      'The registry serves its records from the zone above it: A 192.0.2.99 and MX 10 mail.example.net',
      'add the records that you want to keep, and CNAME shop -> cname.platform.test, TTL 3600',
    ],
    shows: ['dig +norecurse @192.0.2.1 example.com NS', 'dig +norecurse @192.0.2.1 example.com MX'],
  },
  {
    name: 'no name server has an address',
    facts: buildFacts({
      servers: [],
      zone: buildZone({ unresolvedHosts: ['ns1.example.net', 'ns2.example.net'] }),
    }),
    finds: ['zone.no-delegation block'],
    says: ['ns1.example.net and ns2.example.net', 'At your registrar'],
    shows: ['dig ns2.example.net A'],
  },
  {
    name: 'a name that was delegated by mistake',
    facts: buildFacts({
      servers: [],
      domain: { input: 'ns.example.com', ascii: 'ns.example.com', unicode: 'ns.example.com' },
      zone: buildZone({
        name: 'ns.example.com',
        kind: 'apex',
        parentHosts: ['ns9.elsewhere.test'],
        ownHosts: [],
        unresolvedHosts: ['ns9.elsewhere.test'],
        cut: { parentZone: ZONE, referral: lookupOf('SOA', nodata(), 'ns.example.com') },
      }),
    }),
    finds: ['zone.no-delegation block'],
    says: [
      'None of the name servers of ns.example.com has an address: ns9.elsewhere.test.',
      'In the zone example.com, remove the NS records of ns. Or, if ns.example.com is a zone of its own',
    ],
    shows: ['dig +norecurse @192.0.2.1 ns.example.com NS', 'dig ns9.elsewhere.test A'],
  },
  {
    name: 'one of two name servers has an address',
    facts: buildFacts({ zone: buildZone({ unresolvedHosts: ['ns2.example.net'] }) }),
    finds: [],
  },
]);
