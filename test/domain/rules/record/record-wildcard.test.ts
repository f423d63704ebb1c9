import { recordWildcard } from '../../../../src/domain/rules/record/record-state.js';
import {
  a,
  lookupOf,
  buildAbsentServer,
  buildFacts,
  buildServer,
  cname,
  NAME,
  TARGET,
  value,
} from '../../facts-builder.js';
import { testRule } from '../../rule-table.js';

const RANDOM = 'x7k2.shop.example.com';
const behind = (lookup: ReturnType<typeof lookupOf>) => ({
  ...buildFacts().relatedNames,
  wildcard: { name: '*.example.com', lookup },
});
const sameAlias = lookupOf('CNAME', value(cname(RANDOM, TARGET)), RANDOM);

testRule(recordWildcard, [
  [
    'an unused name below leads to the target too',
    { relatedNames: behind(sameAlias) },
    'record.wildcard warn',
    'the wildcard *.example.com covers it',
    'Add CNAME shop -> cname.platform.test',
    'dig +norecurse @192.0.2.1 x7k2.shop.example.com CNAME',
  ],
  [
    'the newest copy has a record next to the old wildcard',
    {
      servers: [buildServer(1, { cname: value(cname(NAME, 'hop.example.com')) })],
      relatedNames: {
        ...behind(sameAlias),
        chain: [
          { from: NAME, to: 'hop.example.com', ttl: 3600 },
          { from: 'hop.example.com', to: TARGET, ttl: 3600 },
        ],
      },
    },
    'nothing',
  ],
  [
    'a wildcard to another host is record.missing',
    {
      servers: [buildAbsentServer(1, { a: value(a(NAME, '192.0.2.99')) })],
      relatedNames: behind(lookupOf('A', value(a(RANDOM, '192.0.2.99')), RANDOM)),
    },
    'nothing',
  ],
  ['no wildcard', {}, 'nothing'],
]);
