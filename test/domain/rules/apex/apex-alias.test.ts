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
    {
      name: 'the TTL counts down',
      facts: buildApexFacts(),
      finds: ['apex.alias-proved info'],
      says: ['counts down'],
      shows: ['dig +norecurse @192.0.2.1 example.com A'],
    },
    {
      name: 'a resolver in between counts down too',
      facts: apex({ aRepeated: flagged(value(a(ZONE, TARGET_A, 58)), { authoritative: false }) }),
      finds: ['apex.alias-consistent info'],
    },
    {
      name: 'the target’s addresses with the target’s TTL',
      facts: apex(constant(60)),
      finds: ['apex.alias-consistent info'],
      says: ['DNS does not show'],
    },
    {
      name: 'a constant TTL above the target’s',
      facts: apex(constant(3600)),
      finds: ['apex.looks-copied warn'],
      says: ['look copied', 'If it has: Replace A 198.51.100.10 and AAAA 2001:db8::10 with ALIAS @'],
    },
    {
      name: 'an edited TTL is not a countdown',
      facts: apex({ a: value(a(ZONE, TARGET_A, 3600)), aRepeated: value(a(ZONE, TARGET_A, 60)) }),
      finds: ['apex.alias-consistent info'],
    },
    {
      name: 'queried only once',
      facts: buildApexFacts({
        servers: [{ ...buildApexServer(1, { a: value(a(ZONE, TARGET_A, 3600)) }), aRepeated: undefined }],
      }),
      finds: ['apex.alias-consistent info'],
    },
    {
      name: 'unknown target, and another server without addresses',
      facts: buildApexFacts({
        platform: unknownTarget,
        servers: [buildApexServer(1), buildApexServer(2, { a: nodata(), aaaa: nodata() })],
      }),
      finds: ['apex.alias-broken unknown'],
    },
    {
      name: 'unknown target',
      facts: buildApexFacts({ platform: unknownTarget }),
      finds: ['apex.alias-broken unknown'],
      says: ["can't be compared"],
    },
  ],
  ['apex.alias-proved'],
);
