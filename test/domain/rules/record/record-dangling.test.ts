import { recordDangling } from '../../../../src/domain/rules/record/record-target.js';
import {
  lookupOf,
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
} from '../../facts-builder.js';
import { testRule } from '../../rule-table.js';

const alias = cname(NAME, 'gone.example.com');
const abroad = cname(NAME, 'gone.example.org');
const lost = cname(NAME, 'shops.nowhere.test');
const mistyped = cname(NAME, 'cnmae.platform.test');
const dead = flagged(throughAlias(alias), { rcode: 'NXDOMAIN' });
const platform = (a: ReturnType<typeof nodata>, aaaa = a) => ({
  a: lookupOf('A', a, TARGET),
  aaaa: lookupOf('AAAA', aaaa, TARGET),
  addresses: [],
  ttl: undefined,
});

testRule(recordDangling, [
  [
    'the target does not exist',
    { platform: platform(nxdomain()) },
    'record.dangling block',
    'The target cname.platform.test has no address',
    'Compare the target with the value that the dashboard shows',
  ],
  ['the target query fails', { platform: platform(nodata(), refused('SERVFAIL')) }, 'nothing'],
  [
    'the alias ends at a name of the zone that does not exist',
    { servers: [buildServer(1, { cname: value(alias), a: dead, aaaa: dead })] },
    'record.dangling block',
    'points to gone.example.com, which has no address',
    'dig +norecurse @192.0.2.1 shop.example.com A',
  ],
  [
    'the alias points to a missing name in another zone',
    {
      servers: [
        buildServer(1, { cname: value(abroad), a: throughAlias(abroad), aaaa: throughAlias(abroad) }),
      ],
      relatedNames: {
        ...buildFacts().relatedNames,
        chain: [{ from: NAME, to: 'gone.example.org', ttl: 3600 }],
        chainEnd: lookupOf('CNAME', nxdomain(), 'gone.example.org'),
      },
    },
    'record.dangling block',
    'dig +norecurse @192.0.2.1 gone.example.org CNAME',
  ],
  [
    'the alias leads into a zone that does not exist',
    {
      servers: [buildServer(1, { cname: value(lost), a: throughAlias(lost), aaaa: throughAlias(lost) })],
      relatedNames: {
        ...buildFacts().relatedNames,
        chain: [{ from: NAME, to: 'shops.nowhere.test', ttl: 3600 }],
        chainEnd: lookupOf('NS', nxdomain(), 'nowhere.test'),
      },
    },
    'record.dangling block',
    'points to shops.nowhere.test, and nowhere.test is not registered',
    'dig +norecurse @192.0.2.1 nowhere.test NS',
  ],
  [
    'a dangling wildcard alias is not a record of the domain',
    {
      servers: [buildServer(1, { cname: value(alias), a: dead, aaaa: dead })],
      relatedNames: {
        ...buildFacts().relatedNames,
        chain: [{ from: NAME, to: 'gone.example.com', ttl: 3600 }],
        wildcard: {
          name: '*.example.com',
          lookup: lookupOf('CNAME', value(cname('x7.shop.example.com', 'gone.example.com'))),
        },
      },
    },
    'nothing',
  ],
  [
    'a mistyped target is record.typo-target',
    {
      servers: [
        buildServer(1, { cname: value(mistyped), a: throughAlias(mistyped), aaaa: throughAlias(mistyped) }),
      ],
      relatedNames: {
        ...buildFacts().relatedNames,
        chain: [{ from: NAME, to: 'cnmae.platform.test', ttl: 3600 }],
        chainEnd: lookupOf('CNAME', nxdomain(), 'cnmae.platform.test'),
      },
    },
    'nothing',
  ],
]);
