import { recordLoop } from '../../../../src/domain/rules/record/record-target.js';
import { buildFacts, buildServer, cname, NAME, throughAlias, value } from '../../facts-builder.js';
import { testRule } from '../../rule-table.js';

const ns1 = buildServer(1).server;
const chain = (...names: string[]) => ({
  ...buildFacts().relatedNames,
  chain: names.slice(1).map((to, index) => ({ from: names[index] ?? '', to, ttl: 300, server: ns1 })),
});
const self = cname(NAME, 'Shop.Example.com');

testRule(recordLoop, [
  [
    'two names point to each other',
    { relatedNames: chain(NAME, 'www.example.com', 'SHOP.example.com') },
    'record.loop block',
    'shop.example.com -> www.example.com -> shop.example.com',
    'dig +norecurse @192.0.2.1 shop.example.com CNAME',
    'dig +norecurse @192.0.2.1 www.example.com CNAME',
  ],
  [
    'a loop further along is reported without the aliases before it',
    { relatedNames: chain(NAME, 'a.example.com', 'b.example.com', 'a.example.com') },
    'record.loop block',
    'loop: a.example.com -> b.example.com -> a.example.com',
  ],
  [
    'a name that points to itself',
    {
      servers: [buildServer(1, { cname: value(self), a: throughAlias(self), aaaa: throughAlias(self) })],
      relatedNames: chain(NAME),
    },
    'record.loop block',
  ],
]);
