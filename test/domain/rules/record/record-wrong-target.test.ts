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
  [
    'another platform',
    pointing('shop.elsewhere.example'),
    'record.wrong-target block',
    'points to shop.elsewhere.example, not to cname.platform.test',
    'Change the value from shop.elsewhere.example',
    'dig +norecurse @192.0.2.1 shop.example.com CNAME',
  ],
  [
    'two letters swapped',
    pointing('cnaem.platform.test'),
    'record.typo-target block',
    'Did you mean "cname.platform.test"?',
  ],
  ['two typos', pointing('cnme.platfrom.test'), 'record.typo-target block'],
  ['three typos', pointing('cme.platfrom.test'), 'record.wrong-target block'],
  [
    'the provider appends the zone',
    pointing('cname.platform.test.example.com'),
    'record.missing-dot block',
    'appends the zone',
    'Set the value to "cname.platform.test.", with the dot at its end.',
  ],
  [
    'a URL as the value',
    pointing('https\\058\\047\\047cname.platform.test'),
    'record.wrong-target block',
    'without https://',
  ],
  ['the target through another name', pointing('www.example.com', ['cname.platform.test']), 'nothing'],
  [
    'a dead end is record.dangling only',
    {
      ...pointing('shop.elsewhere.example'),
      relatedNames: {
        ...pointing('shop.elsewhere.example').relatedNames,
        chainEnd: lookupOf('CNAME', nxdomain(), 'shop.elsewhere.example'),
      },
    },
    'nothing',
  ],
  ['a loop is record.loop', pointing('www.example.com', [NAME]), 'nothing'],
]);
