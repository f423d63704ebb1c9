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
const abroad = cname(NAME, 'gone.example.org');
const mistyped = cname(NAME, 'cnmae.platform.test');
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
  {
    name: 'the alias leads to a name elsewhere that does not exist',
    facts: buildFacts({
      servers: [
        buildServer(1, { cname: value(abroad), a: throughAlias(abroad), aaaa: throughAlias(abroad) }),
      ],
      nearby: {
        ...buildFacts().nearby,
        chain: [{ from: NAME, to: 'gone.example.org', ttl: 3600 }],
        chainEnd: ask('CNAME', nxdomain(), 'gone.example.org'),
      },
    }),
    finds: ['record.dangling block'],
    shows: ['dig +norecurse @192.0.2.1 gone.example.org CNAME'],
  },
  {
    name: 'a mistyped target is told as such, not as an alias to nowhere',
    facts: buildFacts({
      servers: [
        buildServer(1, { cname: value(mistyped), a: throughAlias(mistyped), aaaa: throughAlias(mistyped) }),
      ],
      nearby: {
        ...buildFacts().nearby,
        chain: [{ from: NAME, to: 'cnmae.platform.test', ttl: 3600 }],
        chainEnd: ask('CNAME', nxdomain(), 'cnmae.platform.test'),
      },
    }),
    finds: [],
  },
]);
