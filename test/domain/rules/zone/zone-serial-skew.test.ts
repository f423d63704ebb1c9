import { zoneSerialSkew } from '../../../../src/domain/rules/zone/zone-copies.js';
import { buildAbsentServer, buildFacts, buildServer, buildZone } from '../../facts-builder.js';
import { testRule } from '../../rule-table.js';

testRule(zoneSerialSkew, [
  {
    name: 'an older copy lacks the record',
    facts: buildFacts({ servers: [buildServer(1), buildAbsentServer(2, {}, { serial: 9 })] }),
    finds: ['zone.serial-skew wait'],
    says: [
      'ns2.example.net (192.0.2.2) has serial 9, but ns1.example.net (192.0.2.1) has serial 10',
      'within 2 h',
    ],
    shows: ['dig +norecurse @192.0.2.2 example.com SOA'],
  },
  {
    name: 'serial numbers wrap around',
    facts: buildFacts({
      servers: [buildServer(1, {}, { serial: 3 }), buildAbsentServer(2, {}, { serial: 4_294_967_290 })],
    }),
    finds: ['zone.serial-skew wait'],
  },
  {
    name: 'an older copy that has the record too',
    facts: buildFacts({ servers: [buildServer(1), buildServer(2, {}, { serial: 9 })] }),
    finds: [],
  },
  {
    name: 'the newest copy lacks the record: it was removed',
    facts: buildFacts({ servers: [buildServer(1), buildAbsentServer(2, {}, { serial: 11 })] }),
    finds: [],
  },
  {
    name: 'the same serial with other contents is record.partial',
    facts: buildFacts({ servers: [buildServer(1), buildAbsentServer(2)] }),
    finds: [],
  },
  {
    name: 'another provider’s zone does not catch up',
    facts: buildFacts({
      zone: buildZone({ ownHosts: ['ns1.example.net', 'ns3.example.net'] }),
      servers: [buildServer(1), buildAbsentServer(2, {}, { serial: 9 })],
    }),
    finds: [],
  },
]);
