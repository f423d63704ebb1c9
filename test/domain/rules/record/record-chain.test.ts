import { recordChain } from '../../../../src/domain/rules/record/record-target.js';
import { buildFacts, NAME, TARGET } from '../../facts-builder.js';
import { testRule } from '../../rule-table.js';

const through = (...names: string[]) =>
  buildFacts({
    relatedNames: {
      ...buildFacts().relatedNames,
      chain: names.map((to, index) => ({ from: names[index - 1] ?? NAME, to, ttl: 300 })),
    },
  });
const many = (count: number) => Array.from({ length: count }, (_, index) => `hop${index}.example.com`);

testRule(recordChain, [
  {
    name: 'two hops',
    facts: through('www.example.com', TARGET),
    finds: ['record.chain info'],
    says: ['through 2 aliases', 'a direct CNAME is safer'],
    shows: ['dig +norecurse @192.0.2.1 shop.example.com CNAME'],
  },
  {
    name: 'hops behind the target do not count',
    facts: through(TARGET, 'lb.platform.test'),
    finds: [],
  },
  {
    name: 'nine hops',
    facts: through(...many(8), TARGET),
    finds: ['record.chain warn'],
    says: ['9 aliases'],
  },
  { name: 'eleven hops', facts: through(...many(10), TARGET), finds: ['record.chain block'] },
  { name: 'another target', facts: through('a.example.com', 'b.example.com'), finds: [] },
]);
