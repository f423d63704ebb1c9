import { zoneNotRegistered } from '../../../../src/domain/rules/zone/zone-delegation.js';
import { lookupOf, buildFacts, buildZone, nxdomain, silent, ZONE } from '../../facts-builder.js';
import { testRule } from '../../rule-table.js';

testRule(zoneNotRegistered, [
  {
    name: 'the parent does not know the name',
    facts: buildFacts({ servers: [], zone: buildZone({ delegation: lookupOf('NS', nxdomain(), ZONE) }) }),
    finds: ['zone.not-registered block'],
    says: ['example.com is not registered', 'paid for'],
    shows: ['dig +norecurse @192.0.2.1 example.com NS'],
  },
  {
    name: 'the parent does not respond',
    facts: buildFacts({ servers: [], zone: buildZone({ delegation: lookupOf('NS', silent(), ZONE) }) }),
    finds: [],
  },
]);
