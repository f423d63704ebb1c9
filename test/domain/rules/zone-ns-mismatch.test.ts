import { zoneNsMismatch } from '../../../src/domain/rules/zone-ns-mismatch.js';
import { buildFacts, buildZone } from '../facts-builder.js';
import { testRule } from '../rule-table.js';

testRule(zoneNsMismatch, [
  {
    name: 'the parent zone names other servers',
    facts: buildFacts({ zone: buildZone({ parentHosts: ['ns1.old.example', 'ns2.old.example'] }) }),
    finds: ['zone.ns-mismatch warn'],
    says: [
      'The parent zone points example.com to ns1.old.example and ns2.old.example',
      'wrong provider',
      '48 hours',
      'enter the servers that you mean at your registrar',
    ],
    shows: ['dig example.com NS +trace'],
  },
  {
    name: 'a sub-zone is not a matter of the registrar',
    facts: buildFacts({
      zone: buildZone({ name: 'team.example.com', parentHosts: ['ns1.old.example'] }),
    }),
    finds: ['zone.ns-mismatch warn'],
    says: [
      'The parent zone points team.example.com to ns1.old.example',
      'enter the servers that you mean in the parent zone',
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
