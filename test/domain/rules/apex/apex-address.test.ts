import { apexAddress } from '../../../../src/domain/rules/apex/apex-address.js';
import {
  a,
  aaaa,
  buildApexFacts,
  buildApexServer,
  nodata,
  TARGET_A,
  value,
  ZONE,
} from '../../facts-builder.js';
import { testRule } from '../../rule-table.js';

const strangerA = a(ZONE, '192.0.2.99');
const strangerAaaa = aaaa(ZONE, '2001:db8::99');
const ours = a(ZONE, TARGET_A, 60);
const apex = (answers: Parameters<typeof buildApexServer>[1]) =>
  buildApexFacts({ servers: [buildApexServer(1, answers)] });

testRule(apexAddress, [
  [
    'an old host',
    apex({ a: value(strangerA), aaaa: nodata() }),
    'apex.wrong-address block',
    'has A 192.0.2.99, which is not an address of',
    'Replace A 192.0.2.99 with ALIAS @',
    'dig +norecurse @192.0.2.1 example.com A',
    'dig +norecurse @192.0.2.1 cname.platform.test A',
  ],
  [
    'one address of the target and another one',
    apex({ a: value(ours, strangerA) }),
    'apex.mixed block',
    'Remove A 192.0.2.99.',
  ],
  [
    'an old IPv6 address',
    apex({ a: value(ours), aaaa: value(strangerAaaa) }),
    'apex.aaaa-stale block',
    'correct over IPv4',
    'Remove AAAA 2001:db8::99.',
  ],
  ['IPv6 alone, and wrong', apex({ a: nodata(), aaaa: value(strangerAaaa) }), 'apex.wrong-address block'],
  ['IPv4 wrong, IPv6 right', apex({ a: value(strangerA) }), 'apex.mixed block'],
  ['a subset of the target’s addresses', apex({ aaaa: nodata() }), 'nothing'],
]);
