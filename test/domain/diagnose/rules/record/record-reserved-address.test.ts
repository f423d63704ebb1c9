import { recordReservedAddress } from '../../../../../src/domain/diagnose/rules/record/record-reserved-address.js';
import {
  a,
  buildAbsentServer,
  buildFacts,
  buildResolver,
  buildServer,
  NAME,
  TARGET_A,
  value,
} from '../../../facts-builder.js';
import { testRule } from '../../../rule-table.js';

testRule(recordReservedAddress, {
  'a private address in the zone: record.reserved-address block': [
    { servers: [buildAbsentServer(1, { a: value(a(NAME, '10.0.0.5'), a(NAME, '203.0.113.9')) })] },
    '10.0.0.5 (reserved for private networks)',
    'Remove 10.0.0.5.',
    'dig +norecurse @192.0.2.1 shop.example.com A',
  ],
  'the only record: the CNAME replaces it: record.reserved-address block': [
    { servers: [buildAbsentServer(1, { a: value(a(NAME, '10.0.0.5')) })] },
    'Replace A 10.0.0.5 with CNAME shop -> cname.platform.test',
  ],
  'next to a CNAME it is conflict.coexist: nothing': {
    servers: [buildServer(1, { a: value(a(NAME, '10.0.0.5')) })],
  },
  'a target with only private addresses: record.reserved-address warn': [
    { platform: { ...buildFacts().platform, addresses: ['10.0.0.5', 'fd00::5'] } },
    'The target cname.platform.test has only addresses',
    '10.0.0.5 and fd00::5',
  ],
  'such a target, if the goal is the certificate: record.reserved-address block': {
    platform: { ...buildFacts().platform, addresses: ['127.0.0.1'] },
    isForActive: true,
  },
  'a filter at one resolver: record.reserved-address unknown': [
    { resolvers: [buildResolver('192.0.2.53', { a: value(a(NAME, '0.0.0.0')) })] },
    '192.0.2.53 returns 0.0.0.0',
    'The zone itself is correct',
    'dig @192.0.2.53 shop.example.com A',
  ],
  'a platform in a private network has such addresses: nothing': {
    platform: { ...buildFacts().platform, addresses: ['127.0.0.1', TARGET_A] },
    resolvers: [buildResolver('192.0.2.53', { a: value(a(NAME, '127.0.0.1')) })],
  },
});
