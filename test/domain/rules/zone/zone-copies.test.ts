import { zoneSerialSkew, zoneSplitProviders } from '../../../../src/domain/rules/zone/zone-copies.js';
import { buildAbsentServer, buildServer, buildZone, cname, NAME, value } from '../../facts-builder.js';
import { testRule, type RuleCase } from '../../rule-table.js';

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

const ofOther = (server: ReturnType<typeof buildServer>, serial: number): typeof server => ({
  ...server,
  zoneSoa: { type: 'SOA', primary: 'dns1.elsewhere.test', serial, refresh: 7200, minimum: 900 },
});

testRule(zoneSplitProviders, [
  ...[9, 10, 2_026_112_201].map((serial): RuleCase => [
    `another primary server, serial ${String(serial)}`,
    { servers: [buildServer(1), ofOther(buildAbsentServer(2), serial)] },
    'zone.split-providers block',
    'ns1.example.net (SOA ns1.example.net, serial 10), and ns2.example.net (SOA dns1.elsewhere.test',
    'ns2.example.net has no record of shop.example.com.',
    'set the same record: CNAME shop -> cname.platform.test',
    'dig +norecurse @192.0.2.2 example.com SOA',
  ]),
  ['both have the record', { servers: [buildServer(1), ofOther(buildServer(2), 9)] }, 'nothing'],
  [
    'an older copy of the same provider is zone.serial-skew',
    { servers: [buildServer(1), buildAbsentServer(2, {}, { serial: 9 })] },
    'nothing',
  ],
  [
    'neither has the record',
    { servers: [buildAbsentServer(1), ofOther(buildAbsentServer(2), 9)] },
    'zone.split-providers warn',
    'is not copied to the other',
    'Set the record at both providers',
  ],
  [
    'the same primary server with a serial of another format',
    { servers: [buildServer(1), buildAbsentServer(2, {}, { serial: 2_026_112_201 })] },
    'zone.split-providers block',
    'ns2.example.net has no record of shop.example.com.',
  ],
  [
    'another record at the other provider',
    {
      servers: [buildServer(1), ofOther(buildAbsentServer(2, { cname: value(cname(NAME, 'old.test')) }), 9)],
    },
    'zone.split-providers block',
    'ns2.example.net has CNAME old.test for shop.example.com',
  ],
]);
