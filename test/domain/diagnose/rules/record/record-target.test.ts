import {
  recordWrongTarget,
  recordDangling,
  recordDeadTarget,
  recordLoop,
  recordChain,
} from '../../../../../src/domain/diagnose/rules/record/record-target.js';
import {
  type QueryResult,
  chainOf,
  lookupOf,
  buildFacts,
  buildServer,
  cname,
  NAME,
  nxdomain,
  throughAlias,
  value,
  flagged,
  nodata,
  refused,
  TARGET,
} from '../../../facts-builder.js';
import { testRule } from '../../../rule-table.js';

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
      chain: names.slice(1).map((to, index) => ({ from: names[index] ?? '', to, ttl: 3600 })),
    },
  });
};

testRule(recordWrongTarget, {
  'another platform: record.wrong-target block': [
    pointing('shop.elsewhere.example'),
    'points to shop.elsewhere.example, not to cname.platform.test',
    'Change the value from shop.elsewhere.example',
    'dig +norecurse @192.0.2.1 shop.example.com CNAME',
  ],
  'two letters swapped: record.typo-target block': [
    pointing('cnaem.platform.test'),
    'Did you mean "cname.platform.test"?',
  ],
  'two typos: record.typo-target block': pointing('cnme.platfrom.test'),
  'three typos: record.wrong-target block': pointing('cme.platfrom.test'),
  'the provider appends the zone: record.missing-dot block': [
    pointing('cname.platform.test.example.com'),
    'appends the zone',
    'Set the value to "cname.platform.test.", with the dot at its end.',
  ],
  'a URL as the value: record.wrong-target block': [
    pointing('https\\058\\047\\047cname.platform.test'),
    'without https://',
  ],
  'a dead end is record.dangling only: nothing': {
    ...pointing('shop.elsewhere.example'),
    relatedNames: {
      ...pointing('shop.elsewhere.example').relatedNames,
      chainEnd: lookupOf('CNAME', nxdomain(), 'shop.elsewhere.example'),
    },
  },
  'a loop is record.loop: nothing': pointing('www.example.com', [NAME]),
});

const alias = cname(NAME, 'gone.example.com');
const lost = cname(NAME, 'shops.nowhere.test');
const mistyped = cname(NAME, 'cnmae.platform.test');
const dead: QueryResult = (question, server) => ({
  ...flagged(throughAlias(alias), { rcode: 'NXDOMAIN' })(question, server),
  outcome: 'nxdomain',
});
const platform = (a: ReturnType<typeof nodata>, aaaa = a) => ({
  a: lookupOf('A', a, TARGET),
  aaaa: lookupOf('AAAA', aaaa, TARGET),
  addresses: [],
  ttl: undefined,
});

testRule(recordDeadTarget, {
  'the target does not exist: record.dangling block': [
    { platform: platform(nxdomain()) },
    'The target cname.platform.test has no address',
    'Compare the target cname.platform.test with the value that the dashboard shows',
  ],
  'the target query fails: nothing': { platform: platform(nodata(), refused('SERVFAIL')) },
});

testRule(recordDangling, {
  'the target does not exist, which recordDeadTarget reports: nothing': { platform: platform(nxdomain()) },
  'the target query fails: nothing': { platform: platform(nodata(), refused('SERVFAIL')) },
  'the alias ends at a name of the zone that does not exist: record.dangling block': [
    { servers: [buildServer(1, { cname: value(alias), a: dead, aaaa: dead })] },
    'points to gone.example.com, which has no address',
    'dig +norecurse @192.0.2.1 shop.example.com A',
  ],
  'the alias leads into a zone that does not exist: record.dangling block': [
    {
      servers: [buildServer(1, { cname: value(lost), a: throughAlias(lost), aaaa: throughAlias(lost) })],
      relatedNames: {
        chain: chainOf(NAME, 'shops.nowhere.test'),
        chainEnd: lookupOf('NS', nxdomain(), 'nowhere.test'),
      },
    },
    'points to shops.nowhere.test, and nowhere.test is not registered',
    'dig +norecurse @192.0.2.1 nowhere.test NS',
  ],
  'a dangling wildcard alias is not a record of the domain: nothing': {
    servers: [buildServer(1, { cname: value(alias), a: dead, aaaa: dead })],
    relatedNames: {
      chain: chainOf(NAME, 'gone.example.com'),
      wildcard: {
        name: '*.example.com',
        lookup: lookupOf('CNAME', value(cname('x7.shop.example.com', 'gone.example.com'))),
      },
    },
  },
  'a mistyped target is record.typo-target: nothing': {
    servers: [
      buildServer(1, { cname: value(mistyped), a: throughAlias(mistyped), aaaa: throughAlias(mistyped) }),
    ],
    relatedNames: {
      chain: chainOf(NAME, 'cnmae.platform.test'),
      chainEnd: lookupOf('CNAME', nxdomain(), 'cnmae.platform.test'),
    },
  },
});

const ns1 = buildServer(1).server;
const chain = (...names: string[]) => ({
  chain: names.slice(1).map((to, index) => ({ from: names[index] ?? '', to, ttl: 300, server: ns1 })),
});
const self = cname(NAME, 'Shop.Example.com');

testRule(recordLoop, {
  'two names point to each other: record.loop block': [
    { relatedNames: chain(NAME, 'www.example.com', 'SHOP.example.com') },
    'shop.example.com -> www.example.com -> shop.example.com',
    'dig +norecurse @192.0.2.1 shop.example.com CNAME',
    'dig +norecurse @192.0.2.1 www.example.com CNAME',
  ],
  'a loop further along is reported without the aliases before it: record.loop block': [
    { relatedNames: chain(NAME, 'a.example.com', 'b.example.com', 'a.example.com') },
    'loop: a.example.com -> b.example.com -> a.example.com',
  ],
  'a name that points to itself: record.loop block': {
    servers: [buildServer(1, { cname: value(self), a: throughAlias(self), aaaa: throughAlias(self) })],
    relatedNames: chain(NAME),
  },
});

const through = (...names: string[]) =>
  buildFacts({
    relatedNames: {
      chain: names.map((to, index) => ({ from: names[index - 1] ?? NAME, to, ttl: 300 })),
    },
  });
const many = (count: number) => Array.from({ length: count }, (_, index) => `hop${index}.example.com`);

testRule(recordChain, {
  'two hops: record.chain info': [
    through('www.example.com', TARGET),
    'through 2 aliases',
    'a direct CNAME is safer',
    'dig +norecurse @192.0.2.1 shop.example.com CNAME',
  ],
  'nine hops: record.chain warn': [through(...many(8), TARGET), '9 aliases'],
  'eleven hops: record.chain block': through(...many(10), TARGET),
  'another target: nothing': through('a.example.com', 'b.example.com'),
});
