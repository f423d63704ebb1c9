import { recordWrongTarget } from '../../../../src/domain/rules/record/record-target.js';
import {
  lookupOf,
  buildFacts,
  buildServer,
  cname,
  NAME,
  nxdomain,
  throughAlias,
  value,
} from '../../facts-builder.js';
import { testRule } from '../../rule-table.js';

const pointing = (target: string, hops: readonly string[] = []) => {
  const alias = cname(NAME, target);
  const through = throughAlias(alias);
  const answers = {
    cname: value(alias),
    a: through,
    aaaa: through,
    mx: through,
    txt: through,
    https: through,
  };
  const names = [NAME, target, ...hops];
  return buildFacts({
    servers: [buildServer(1, answers), buildServer(2, answers)],
    relatedNames: {
      ...buildFacts().relatedNames,
      chain: names.slice(1).map((to, index) => ({ from: names[index] ?? '', to, ttl: 3600 })),
    },
  });
};

testRule(recordWrongTarget, [
  {
    name: 'another platform',
    facts: pointing('shop.elsewhere.example'),
    finds: ['record.wrong-target block'],
    says: [
      'points to shop.elsewhere.example, not to cname.platform.test',
      'Change the value from shop.elsewhere.example',
    ],
    shows: ['dig +norecurse @192.0.2.1 shop.example.com CNAME'],
  },
  {
    name: 'two letters swapped',
    facts: pointing('cnaem.platform.test'),
    finds: ['record.typo-target block'],
    says: ['Did you mean "cname.platform.test"?'],
  },
  { name: 'two typos', facts: pointing('cnme.platfrom.test'), finds: ['record.typo-target block'] },
  { name: 'three typos', facts: pointing('cme.platfrom.test'), finds: ['record.wrong-target block'] },
  {
    name: 'the provider appends the zone',
    facts: pointing('cname.platform.test.example.com'),
    finds: ['record.missing-dot block'],
    says: ['appends the zone', 'Set the value to "cname.platform.test.", with the dot at its end.'],
  },
  {
    name: 'a URL as the value',
    facts: pointing('https\\058\\047\\047cname.platform.test'),
    finds: ['record.wrong-target block'],
    says: ['without https://'],
  },
  {
    name: 'the target through another name',
    facts: pointing('www.example.com', ['cname.platform.test']),
    finds: [],
  },
  {
    name: 'a dead end is record.dangling only',
    facts: {
      ...pointing('shop.elsewhere.example'),
      relatedNames: {
        ...pointing('shop.elsewhere.example').relatedNames,
        chainEnd: lookupOf('CNAME', nxdomain(), 'shop.elsewhere.example'),
      },
    },
    finds: [],
  },
  { name: 'a loop is record.loop', facts: pointing('www.example.com', [NAME]), finds: [] },
]);
