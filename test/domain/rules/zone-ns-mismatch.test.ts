import { zoneNsMismatch } from '../../../src/domain/rules/zone-ns-mismatch.js';
import { buildFacts, buildZone } from '../facts-builder.js';
import { testRule } from '../rule-table.js';

testRule(zoneNsMismatch, [
  {
    name: 'the registrar names other servers',
    facts: buildFacts({ zone: buildZone({ parentHosts: ['ns1.old.example', 'ns2.old.example'] }) }),
    finds: ['zone.ns-mismatch warn'],
    says: [
      'The registrar points example.com to ns1.old.example and ns2.old.example',
      'wrong provider',
      '48 hours',
    ],
    shows: ['dig example.com NS +trace'],
  },
  {
    name: 'one server more at the registrar',
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
