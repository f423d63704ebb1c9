import { zoneSerialSkew } from '../../../../src/domain/rules/zone/zone-copies.js';
import { buildAbsentServer, buildServer, buildZone } from '../../facts-builder.js';
import { testRule } from '../../rule-table.js';

testRule(zoneSerialSkew, [
  [
    'an older copy lacks the record',
    { servers: [buildServer(1), buildAbsentServer(2, {}, { serial: 9 })] },
    'zone.serial-skew wait',
    'ns2.example.net (192.0.2.2) has serial 9, but ns1.example.net (192.0.2.1) has serial 10',
    'within 2 h',
    'dig +norecurse @192.0.2.2 example.com SOA',
  ],
  [
    'serial numbers wrap around',
    {
      servers: [buildServer(1, {}, { serial: 3 }), buildAbsentServer(2, {}, { serial: 4_294_967_290 })],
    },
    'zone.serial-skew wait',
  ],
  [
    'an older copy that has the record too',
    { servers: [buildServer(1), buildServer(2, {}, { serial: 9 })] },
    'nothing',
  ],
  [
    'the newest copy lacks the record: it was removed',
    { servers: [buildServer(1), buildAbsentServer(2, {}, { serial: 11 })] },
    'nothing',
  ],
  [
    'the same serial with other contents is record.partial',
    { servers: [buildServer(1), buildAbsentServer(2)] },
    'nothing',
  ],
  [
    'another provider’s zone does not catch up',
    {
      zone: buildZone({ ownHosts: ['ns1.example.net', 'ns3.example.net'] }),
      servers: [buildServer(1), buildAbsentServer(2, {}, { serial: 9 })],
    },
    'nothing',
  ],
]);
