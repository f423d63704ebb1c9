import { recordReservedAddress } from '../../../../src/domain/rules/record/record-reserved-address.js';
import {
  a,
  buildAbsentServer,
  buildFacts,
  buildResolver,
  buildServer,
  NAME,
  TARGET_A,
  value,
} from '../../facts-builder.js';
import { testRule } from '../../rule-table.js';

testRule(recordReservedAddress, [
  {
    name: 'a private address in the zone',
    facts: buildFacts({
      servers: [buildAbsentServer(1, { a: value(a(NAME, '10.0.0.5'), a(NAME, '203.0.113.9')) })],
    }),
    finds: ['record.reserved-address block'],
    says: ['10.0.0.5 (reserved for private networks)', 'Remove 10.0.0.5.'],
    shows: ['dig +norecurse @192.0.2.1 shop.example.com A'],
  },
  {
    name: 'the only record: the CNAME replaces it',
    facts: buildFacts({ servers: [buildAbsentServer(1, { a: value(a(NAME, '10.0.0.5')) })] }),
    finds: ['record.reserved-address block'],
    says: ['Replace A 10.0.0.5 with CNAME shop -> cname.platform.test'],
  },
  {
    name: 'next to a CNAME it is conflict.coexist',
    facts: buildFacts({ servers: [buildServer(1, { a: value(a(NAME, '10.0.0.5')) })] }),
    finds: [],
  },
  {
    name: 'a target with only private addresses',
    facts: buildFacts({
      platform: { ...buildFacts().platform, addresses: ['10.0.0.5', 'fd00::5'] },
    }),
    finds: ['record.reserved-address warn'],
    says: ['The target cname.platform.test has only addresses', '10.0.0.5 and fd00::5'],
  },
  {
    name: 'such a target, if the goal is the certificate',
    facts: buildFacts({
      platform: { ...buildFacts().platform, addresses: ['127.0.0.1'] },
      isForActive: true,
    }),
    finds: ['record.reserved-address block'],
  },
  {
    name: 'a filter at one resolver',
    facts: buildFacts({ resolvers: [buildResolver('192.0.2.53', { a: value(a(NAME, '0.0.0.0')) })] }),
    finds: ['record.reserved-address unknown'],
    says: ['192.0.2.53 returns 0.0.0.0', 'The zone itself is correct'],
    shows: ['dig @192.0.2.53 shop.example.com A'],
  },
  {
    name: 'a platform in a private network has such addresses',
    facts: buildFacts({
      platform: { ...buildFacts().platform, addresses: ['127.0.0.1', TARGET_A] },
      resolvers: [buildResolver('192.0.2.53', { a: value(a(NAME, '127.0.0.1')) })],
    }),
    finds: [],
  },
]);
