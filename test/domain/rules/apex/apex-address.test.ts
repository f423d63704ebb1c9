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
  {
    name: 'an old host',
    facts: apex({ a: value(strangerA), aaaa: nodata() }),
    finds: ['apex.wrong-address block'],
    says: ['has A 192.0.2.99, which is not an address of', 'Replace A 192.0.2.99 with ALIAS @'],
    shows: ['dig +norecurse @192.0.2.1 example.com A', 'dig +norecurse @192.0.2.1 cname.platform.test A'],
  },
  {
    name: 'one address of the target and another one',
    facts: apex({ a: value(ours, strangerA) }),
    finds: ['apex.mixed block'],
    says: ['Remove A 192.0.2.99.'],
  },
  {
    name: 'an old IPv6 address',
    facts: apex({ a: value(ours), aaaa: value(strangerAaaa) }),
    finds: ['apex.aaaa-stale block'],
    says: ['correct over IPv4', 'Remove AAAA 2001:db8::99.'],
  },
  {
    name: 'IPv6 alone, and wrong',
    facts: apex({ a: nodata(), aaaa: value(strangerAaaa) }),
    finds: ['apex.wrong-address block'],
  },
  { name: 'IPv4 wrong, IPv6 right', facts: apex({ a: value(strangerA) }), finds: ['apex.mixed block'] },
  { name: 'a subset of the target’s addresses', facts: apex({ aaaa: nodata() }), finds: [] },
]);
