import { apexAddress, apexAlias } from '../../../../../src/domain/diagnose/rules/apex/apex-address.js';
import {
  a,
  aaaa,
  buildApexFacts,
  buildApexServer,
  buildZone,
  nodata,
  TARGET_A,
  value,
  ZONE,
  lookupOf,
  flagged,
  silent,
  TARGET,
} from '../../../facts-builder.js';
import { testRule } from '../../../rule-table.js';

const strangerA = a(ZONE, '192.0.2.99');
const strangerAaaa = aaaa(ZONE, '2001:db8::99');
const ours = a(ZONE, TARGET_A, 60);
const apex = (answers: Parameters<typeof buildApexServer>[1]) =>
  buildApexFacts({ servers: [buildApexServer(1, answers)] });

testRule(apexAddress, {
  'an old host: apex.wrong-address block': [
    apex({ a: value(strangerA), aaaa: nodata() }),
    'has A 192.0.2.99, which is not an address of',
    'replace A with ALIAS @',
    'dig +norecurse @192.0.2.1 example.com A',
    'dig +norecurse @192.0.2.1 cname.platform.test A',
  ],
  'a proxy of the provider itself: apex.wrong-address block': [
    {
      ...apex({ a: value(a(ZONE, '104.16.1.2', 300)), aaaa: nodata() }),
      zone: buildZone({ kind: 'apex', ownHosts: ['amy.ns.cloudflare.com', 'bob.ns.cloudflare.com'] }),
    },
    "It belongs to Cloudflare's proxy, which hides the record.",
    'and to "DNS only" (grey cloud), in one edit. The type in the panel is CNAME.',
  ],
  'one address of the target and another one: apex.mixed block': [
    apex({ a: value(ours, strangerA) }),
    'Remove A 192.0.2.99.',
  ],
  'an old IPv6 address: apex.aaaa-stale block': [
    apex({ a: value(ours), aaaa: value(strangerAaaa) }),
    'correct over IPv4',
    'Remove AAAA 2001:db8::99.',
  ],
  'IPv6 alone, and wrong: apex.wrong-address block': apex({ a: nodata(), aaaa: value(strangerAaaa) }),
  'IPv4 wrong, IPv6 right: apex.mixed block': apex({ a: value(strangerA) }),
  'a subset of the target’s addresses: nothing': apex({ aaaa: nodata() }),
});

const constant = (ttl: number) => ({
  a: value(a(ZONE, TARGET_A, ttl)),
  aRepeated: value(a(ZONE, TARGET_A, ttl)),
});
const unknownTarget = { a: lookupOf('A', silent(), TARGET), aaaa: undefined, addresses: [], ttl: undefined };

testRule(
  apexAlias,
  {
    'the TTL counts down: apex.alias-proved info': [
      buildApexFacts(),
      'counts down',
      'dig +norecurse @192.0.2.1 example.com A',
    ],
    'a resolver in between counts down too: apex.alias-consistent info': apex({
      aRepeated: flagged(value(a(ZONE, TARGET_A, 58)), { authoritative: false }),
    }),
    'the target’s addresses with the target’s TTL: apex.alias-consistent info': [
      apex(constant(60)),
      'DNS does not show',
    ],
    'a constant TTL above the target’s: apex.looks-copied warn': [
      apex(constant(3600)),
      'look copied',
      'If it has them: replace A and AAAA with ALIAS @',
    ],
    'an edited TTL is not a countdown: apex.alias-consistent info': apex({
      a: value(a(ZONE, TARGET_A, 3600)),
      aRepeated: value(a(ZONE, TARGET_A, 60)),
    }),
    'queried only once: apex.alias-consistent info': buildApexFacts({
      servers: [{ ...buildApexServer(1, { a: value(a(ZONE, TARGET_A, 3600)) }), aRepeated: undefined }],
    }),
    'unknown target, and another server without addresses: apex.alias-broken unknown': buildApexFacts({
      platform: unknownTarget,
      servers: [buildApexServer(1), buildApexServer(2, { a: nodata(), aaaa: nodata() })],
    }),
    'unknown target: apex.alias-broken unknown': [
      buildApexFacts({ platform: unknownTarget }),
      "can't be compared",
    ],
  },
  ['apex.alias-proved'],
);
