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
  [
    'two hops',
    through('www.example.com', TARGET),
    'record.chain info',
    'through 2 aliases',
    'a direct CNAME is safer',
    'dig +norecurse @192.0.2.1 shop.example.com CNAME',
  ],
  ['hops behind the target do not count', through(TARGET, 'lb.platform.test'), 'nothing'],
  ['nine hops', through(...many(8), TARGET), 'record.chain warn', '9 aliases'],
  ['eleven hops', through(...many(10), TARGET), 'record.chain block'],
  ['another target', through('a.example.com', 'b.example.com'), 'nothing'],
]);
