import { apexAlias } from '../../../../src/domain/rules/apex/apex-address.js';
import {
  a,
  lookupOf,
  buildApexFacts,
  buildApexServer,
  flagged,
  nodata,
  silent,
  TARGET,
  TARGET_A,
  value,
  ZONE,
} from '../../facts-builder.js';
import { testRule } from '../../rule-table.js';

const constant = (ttl: number) => ({
  a: value(a(ZONE, TARGET_A, ttl)),
  aRepeated: value(a(ZONE, TARGET_A, ttl)),
});
const apex = (answers: Parameters<typeof buildApexServer>[1]) =>
  buildApexFacts({ servers: [buildApexServer(1, answers)] });
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
      'If it has: Replace A 198.51.100.10 and AAAA 2001:db8::10 with ALIAS @',
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
