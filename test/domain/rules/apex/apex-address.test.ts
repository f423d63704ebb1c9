import { apexAddress, apexAlias } from '../../../../src/domain/rules/apex/apex-address.js';
import {
  a,
  aaaa,
  buildApexFacts,
  buildApexServer,
  nodata,
  TARGET_A,
  value,
  ZONE,
  lookupOf,
  flagged,
  silent,
  TARGET,
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

const constant = (ttl: number) => ({
  a: value(a(ZONE, TARGET_A, ttl)),
  aRepeated: value(a(ZONE, TARGET_A, ttl)),
});
const unknownTarget = { a: lookupOf('A', silent(), TARGET), aaaa: undefined, addresses: [], ttl: undefined };

testRule(
  apexAlias,
  [
    [
      'the TTL counts down',
      buildApexFacts(),
      'apex.alias-proved info',
      'counts down',
      'dig +norecurse @192.0.2.1 example.com A',
    ],
    [
      'a resolver in between counts down too',
      apex({ aRepeated: flagged(value(a(ZONE, TARGET_A, 58)), { authoritative: false }) }),
      'apex.alias-consistent info',
    ],
    [
      'the target’s addresses with the target’s TTL',
      apex(constant(60)),
      'apex.alias-consistent info',
      'DNS does not show',
    ],
    [
      'a constant TTL above the target’s',
      apex(constant(3600)),
      'apex.looks-copied warn',
      'look copied',
      'If the provider has ALIAS: Replace A 198.51.100.10 and AAAA 2001:db8::10 with ALIAS @',
    ],
    [
      'an edited TTL is not a countdown',
      apex({ a: value(a(ZONE, TARGET_A, 3600)), aRepeated: value(a(ZONE, TARGET_A, 60)) }),
      'apex.alias-consistent info',
    ],
    [
      'queried only once',
      buildApexFacts({
        servers: [{ ...buildApexServer(1, { a: value(a(ZONE, TARGET_A, 3600)) }), aRepeated: undefined }],
      }),
      'apex.alias-consistent info',
    ],
    [
      'unknown target, and another server without addresses',
      buildApexFacts({
        platform: unknownTarget,
        servers: [buildApexServer(1), buildApexServer(2, { a: nodata(), aaaa: nodata() })],
      }),
      'apex.alias-broken unknown',
    ],
    [
      'unknown target',
      buildApexFacts({ platform: unknownTarget }),
      'apex.alias-broken unknown',
      "can't be compared",
    ],
  ],
  ['apex.alias-proved'],
);
