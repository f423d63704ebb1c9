import { zoneDnssecBogus } from '../../../../src/domain/rules/zone/zone-dnssec-bogus.js';
import { a, buildFacts, buildResolver, NAME, refused, TARGET, TARGET_A, value } from '../../facts-builder.js';
import { testRule } from '../../rule-table.js';

const failing = buildResolver('192.0.2.55', { a: refused('SERVFAIL'), aaaa: refused('SERVFAIL') });
const lookup = (result: typeof failing.a) => ({ ...result, question: { name: TARGET, type: 'A' as const } });
const { a: responding } = buildResolver('192.0.2.55', { a: value(a(NAME, TARGET_A)) });

/** The wrong keys and dates are tested with real servers in test/integration/dnssec.test.ts. */
testRule(zoneDnssecBogus, [
  {
    name: 'a resolver responds only with the CD flag',
    facts: buildFacts({
      resolvers: [{ ...failing, rejected: { unchecked: responding, target: lookup(responding) } }],
    }),
    finds: ['zone.dnssec-bogus block'],
    says: [
      '192.0.2.55 rejects shop.example.com',
      'DNSSEC of example.com is probably broken',
      'at your registrar',
    ],
    shows: ['dig @192.0.2.55 shop.example.com A', 'dig +cd @192.0.2.55 shop.example.com A'],
  },
  {
    name: 'a resolver rejects the target too',
    facts: buildFacts({
      resolvers: [{ ...failing, rejected: { unchecked: responding, target: lookup(failing.a) } }],
    }),
    finds: ['zone.dnssec-bogus block'],
    says: ["DNSSEC of the target's zone is probably broken", 'Contact the support of the service'],
  },
  {
    name: 'a resolver fails also with the CD flag',
    facts: buildFacts({
      resolvers: [{ ...failing, rejected: { unchecked: failing.a, target: lookup(responding) } }],
    }),
    finds: [],
  },
]);
