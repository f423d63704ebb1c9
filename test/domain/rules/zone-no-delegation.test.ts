import { zoneNoDelegation } from '../../../src/domain/rules/zone-no-delegation.js';
import { ask, buildFacts, buildZone, nodata, ZONE } from '../facts-builder.js';
import { testRule } from '../rule-table.js';

testRule(zoneNoDelegation, [
  {
    name: 'registered, without name servers',
    facts: buildFacts({
      servers: [],
      zone: buildZone({ delegation: ask('NS', nodata(), ZONE), parentHosts: [], ownHosts: [] }),
    }),
    finds: ['zone.no-delegation block'],
    says: ['has no name servers'],
  },
  {
    name: 'no name server has an address',
    facts: buildFacts({
      servers: [],
      zone: buildZone({ unresolvedHosts: ['ns1.example.net', 'ns2.example.net'] }),
    }),
    finds: ['zone.no-delegation block'],
    says: ['ns1.example.net and ns2.example.net'],
  },
  {
    name: 'one of two without an address is no dead zone',
    facts: buildFacts({ zone: buildZone({ unresolvedHosts: ['ns2.example.net'] }) }),
    finds: [],
  },
]);
