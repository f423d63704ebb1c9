import { zoneSplitProviders } from '../../../../src/domain/rules/zone/zone-copies.js';
import { buildAbsentServer, buildFacts, buildServer, cname, NAME, value } from '../../facts-builder.js';
import { testRule } from '../../rule-table.js';

const ofOther = (server: ReturnType<typeof buildServer>, serial: number): typeof server => ({
  ...server,
  zoneSoa: { type: 'SOA', primary: 'dns1.elsewhere.test', serial, refresh: 7200, minimum: 900 },
});

testRule(zoneSplitProviders, [
  ...[9, 10, 2_026_112_201].map((serial) => ({
    name: `another primary server, serial ${String(serial)}`,
    facts: buildFacts({ servers: [buildServer(1), ofOther(buildAbsentServer(2), serial)] }),
    finds: ['zone.split-providers block'],
    says: [
      'ns1.example.net (SOA ns1.example.net, serial 10), and ns2.example.net (SOA dns1.elsewhere.test',
      'ns2.example.net has no record of shop.example.com.',
      'set the same record: CNAME shop -> cname.platform.test',
    ],
    shows: ['dig +norecurse @192.0.2.2 example.com SOA'],
  })),
  {
    name: 'both have the record',
    facts: buildFacts({ servers: [buildServer(1), ofOther(buildServer(2), 9)] }),
    finds: [],
  },
  {
    name: 'an older copy of the same provider is zone.serial-skew',
    facts: buildFacts({ servers: [buildServer(1), buildAbsentServer(2, {}, { serial: 9 })] }),
    finds: [],
  },
  {
    name: 'neither has the record',
    facts: buildFacts({ servers: [buildAbsentServer(1), ofOther(buildAbsentServer(2), 9)] }),
    finds: ['zone.split-providers warn'],
    says: ['is not copied to the other', 'Set the record at both providers'],
  },
  {
    name: 'the same primary server with a serial of another format',
    facts: buildFacts({ servers: [buildServer(1), buildAbsentServer(2, {}, { serial: 2_026_112_201 })] }),
    finds: ['zone.split-providers block'],
    says: ['ns2.example.net has no record of shop.example.com.'],
  },
  {
    name: 'another record at the other provider',
    facts: buildFacts({
      servers: [buildServer(1), ofOther(buildAbsentServer(2, { cname: value(cname(NAME, 'old.test')) }), 9)],
    }),
    finds: ['zone.split-providers block'],
    says: ['ns2.example.net has CNAME old.test for shop.example.com'],
  },
]);
