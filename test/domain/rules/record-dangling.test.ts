import { recordDangling } from '../../../src/domain/rules/record-dangling.js';
import {
  ask,
  buildFacts,
  buildServer,
  cname,
  flagged,
  NAME,
  nodata,
  nxdomain,
  refused,
  TARGET,
  throughAlias,
  value,
} from '../facts-builder.js';
import { testRule } from '../rule-table.js';

const alias = cname(NAME, 'gone.example.com');
const dead = flagged(throughAlias(alias), { rcode: 'NXDOMAIN' });
const platform = (a: ReturnType<typeof nodata>, aaaa = a) => ({
  a: ask('A', a, TARGET),
  aaaa: ask('AAAA', aaaa, TARGET),
  addresses: [],
  ttl: undefined,
});

testRule(recordDangling, [
  {
    name: 'the target does not exist',
    facts: buildFacts({ platform: platform(nxdomain()) }),
    finds: ['record.dangling block'],
    says: [
      'The target cname.platform.test has no address',
      'Compare the target with the value that the dashboard shows',
    ],
  },
  {
    name: 'the target could not be asked for',
    facts: buildFacts({ platform: platform(nodata(), refused('SERVFAIL')) }),
    finds: [],
  },
  {
    name: 'the alias ends at a name of the zone that does not exist',
    facts: buildFacts({ servers: [buildServer(1, { cname: value(alias), a: dead, aaaa: dead })] }),
    finds: ['record.dangling block'],
    says: ['leads to gone.example.com, which has no address'],
    shows: ['dig +norecurse @192.0.2.1 shop.example.com A'],
  },
]);
