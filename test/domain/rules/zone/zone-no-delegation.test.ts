import { zoneNoDelegation } from '../../../../src/domain/rules/zone/zone-delegation.js';
import { a, lookupOf, buildZone, mx, nodata, value, ZONE } from '../../facts-builder.js';
import { testRule } from '../../rule-table.js';

testRule(zoneNoDelegation, [
  [
    'registered, without name servers',
    {
      servers: [],
      zone: buildZone({ delegation: lookupOf('NS', nodata(), ZONE), parentHosts: [], ownHosts: [] }),
    },
    'zone.no-delegation block',
    'has no name servers',
  ],
  [
    'records in the zone of the registry',
    {
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
    },
    'zone.no-delegation block',
    'The registry serves its records from the zone above it: A 192.0.2.99 and MX 10 mail.example.net',
    'add the records that you want to keep, and CNAME shop -> cname.platform.test, TTL 3600',
    'dig +norecurse @192.0.2.1 example.com NS',
    'dig +norecurse @192.0.2.1 example.com MX',
  ],
  [
    'no name server has an address',
    {
      servers: [],
      zone: buildZone({ unresolvedHosts: ['ns1.example.net', 'ns2.example.net'] }),
    },
    'zone.no-delegation block',
    'ns1.example.net and ns2.example.net',
    'At your registrar',
    'dig ns2.example.net A',
  ],
  [
    'a name that was delegated by mistake',
    {
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
    },
    'zone.no-delegation block',
    'None of the name servers of ns.example.com has an address: ns9.elsewhere.test.',
    'In the zone example.com, remove the NS records of ns. Or, if ns.example.com is a zone of its own',
    'dig +norecurse @192.0.2.1 ns.example.com NS',
    'dig ns9.elsewhere.test A',
  ],
  [
    'one of two name servers has an address',
    { zone: buildZone({ unresolvedHosts: ['ns2.example.net'] }) },
    'nothing',
  ],
]);
