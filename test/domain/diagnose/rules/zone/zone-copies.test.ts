import {
  zoneSerialSkew,
  zoneSplitProviders,
  zoneWrongNxdomain,
} from '../../../../../src/domain/diagnose/rules/zone/zone-copies.js';
import {
  buildAbsentServer,
  buildServer,
  buildZone,
  cname,
  NAME,
  nxdomain,
  value,
} from '../../../facts-builder.js';
import { testRule } from '../../../rule-table.js';

testRule(zoneSerialSkew, {
  'an older copy lacks the record: zone.serial-skew wait': [
    { servers: [buildServer(1), buildAbsentServer(2, {}, { serial: 9 })] },
    'ns2.example.net (192.0.2.2) has serial 9, but ns1.example.net (192.0.2.1) has serial 10',
    'within 2 h',
    'dig +norecurse @192.0.2.2 example.com SOA',
  ],
  'serial numbers wrap around: zone.serial-skew wait': {
    servers: [buildServer(1, {}, { serial: 3 }), buildAbsentServer(2, {}, { serial: 4_294_967_290 })],
  },
  'an older copy that has the record too: nothing': {
    servers: [buildServer(1), buildServer(2, {}, { serial: 9 })],
  },
  'the newest copy lacks the record: it was removed: nothing': {
    servers: [buildServer(1), buildAbsentServer(2, {}, { serial: 11 })],
  },
  'the same serial with other contents is record.partial: nothing': {
    servers: [buildServer(1), buildAbsentServer(2)],
  },
  'another provider’s zone does not catch up: nothing': {
    zone: buildZone({ ownHosts: ['ns1.example.net', 'ns3.example.net'] }),
    servers: [buildServer(1), buildAbsentServer(2, {}, { serial: 9 })],
  },
});

const ofOther = (server: ReturnType<typeof buildServer>, serial: number): typeof server => ({
  ...server,
  zoneSoa: { type: 'SOA', primary: 'dns1.elsewhere.test', serial, refresh: 7200, minimum: 900 },
});

testRule(zoneSplitProviders, {
  'another primary server with the same serial: zone.split-providers block': [
    { servers: [buildServer(1), ofOther(buildAbsentServer(2), 10)] },
    'ns1.example.net, and ns2.example.net.',
    'ns2.example.net has no record of shop.example.com.',
    'set the same record: CNAME shop -> cname.platform.test',
    'dig +norecurse @192.0.2.2 example.com SOA',
  ],
  'another primary server with an older serial: zone.split-providers block': {
    servers: [buildServer(1), ofOther(buildAbsentServer(2), 9)],
  },
  'another primary server with a serial of another format: zone.split-providers block': {
    servers: [buildServer(1), ofOther(buildAbsentServer(2), 2_026_112_201)],
  },
  'both have the record: nothing': { servers: [buildServer(1), ofOther(buildServer(2), 9)] },
  'an older copy of the same provider is zone.serial-skew: nothing': {
    servers: [buildServer(1), buildAbsentServer(2, {}, { serial: 9 })],
  },
  'neither has the record: zone.split-providers warn': [
    { servers: [buildAbsentServer(1), ofOther(buildAbsentServer(2), 9)] },
    'is not copied to the other',
    'Set the record at both providers',
  ],
  'the same primary server with a serial of another format: zone.split-providers block': [
    { servers: [buildServer(1), buildAbsentServer(2, {}, { serial: 2_026_112_201 })] },
    'ns2.example.net has no record of shop.example.com.',
  ],
  'another record at the other provider: zone.split-providers block': [
    {
      servers: [buildServer(1), ofOther(buildAbsentServer(2, { cname: value(cname(NAME, 'old.test')) }), 9)],
    },
    'ns2.example.net has CNAME old.test for shop.example.com',
  ],
});

testRule(zoneWrongNxdomain, {
  'one server denies the name for one type: zone.wrong-nxdomain block': [
    { servers: [buildServer(1), buildServer(2, { aaaa: nxdomain() })] },
    'ns2.example.net (192.0.2.2) returns NXDOMAIN for AAAA',
    'dig +norecurse @192.0.2.2 shop.example.com AAAA',
  ],
});
