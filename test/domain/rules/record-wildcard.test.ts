import { expect, test } from 'vitest';
import { recordWildcard, wildcardAnswer } from '../../../src/domain/rules/record-wildcard.js';
import {
  a,
  ask,
  buildAbsentServer,
  buildFacts,
  cname,
  nxdomain,
  TARGET,
  throughAlias,
  value,
  NAME,
} from '../facts-builder.js';
import { testRule } from '../rule-table.js';

const RANDOM = 'x7k2.example.com';
const nearby = (...wildcard: ReturnType<typeof ask>[]) => ({ ...buildFacts().nearby, wildcard });
const sameAlias = ask('CNAME', value(cname(RANDOM, TARGET)), RANDOM);

testRule(recordWildcard, [
  {
    name: 'a random name leads to the target as well',
    facts: buildFacts({ nearby: nearby(sameAlias) }),
    finds: ['record.wildcard warn'],
    says: ['*.example.com', 'Add CNAME shop -> cname.platform.test'],
    shows: ['dig +norecurse @192.0.2.1 x7k2.example.com CNAME'],
  },
  {
    name: 'seen through the addresses',
    facts: buildFacts({ nearby: nearby(ask('A', throughAlias(cname(RANDOM, TARGET)), RANDOM)) }),
    finds: ['record.wildcard warn'],
  },
  {
    name: 'a wildcard with another answer is overridden here',
    facts: buildFacts({ nearby: nearby(ask('A', value(a(RANDOM, '192.0.2.99')), RANDOM)) }),
    finds: [],
  },
  { name: 'no wildcard', facts: buildFacts({ nearby: nearby(ask('A', nxdomain(), RANDOM)) }), finds: [] },
]);

test('addresses of a wildcard are known as such', () => {
  const lookup = ask('A', value(a(RANDOM, '192.0.2.99')), RANDOM);
  const servers = [buildAbsentServer(1, { a: value(a(NAME, '192.0.2.99')) })];
  expect(wildcardAnswer(buildFacts({ servers, nearby: nearby(lookup) }))).toBe(lookup);
});
