import { expect, test } from 'vitest';
import { resolverView } from '../../../../src/domain/gather/views/resolver-view.js';
import {
  a,
  aaaa,
  lookupOf,
  buildApexFacts,
  buildApexServer,
  buildFacts,
  buildResolver,
  cname,
  NAME,
  nodata,
  nxdomain,
  refused,
  silent,
  TARGET,
  TARGET_A,
  throughAlias,
  value,
  ZONE,
  type QueryResult,
} from '../../facts-builder.js';

/** A target without IPv6. */
const platform = {
  ...buildFacts().platform,
  aaaa: lookupOf('AAAA', nodata(), TARGET),
  addresses: [TARGET_A],
};

type Answers = Partial<Record<'a' | 'aaaa' | 'cname', QueryResult>>;
const old = cname(NAME, 'old.example.net', 500);

test.each<[string, Answers, object]>([
  ['the target’s addresses', {}, { kind: 'right' }],
  [
    'addresses of the target in another region',
    { a: throughAlias(cname(NAME, TARGET), a(TARGET, '203.0.113.7')) },
    { kind: 'right' },
  ],
  [
    'an old address next to a new CNAME',
    { a: value(a(NAME, '192.0.2.99', 300)) },
    { kind: 'stale-positive', remaining: 300 },
  ],
  [
    'an old alias, whose end expires sooner',
    { a: throughAlias(old, a('old.example.net', '192.0.2.99', 20)) },
    { kind: 'stale-positive', remaining: 500 },
  ],
  [
    'an old alias to nowhere',
    { a: throughAlias(old), aaaa: throughAlias(old) },
    { kind: 'stale-positive', remaining: 500 },
  ],
  [
    'an old IPv6 address alone',
    { aaaa: value(aaaa(NAME, '2001:db8::99', 70)) },
    { kind: 'stale-positive', remaining: 70 },
  ],
  ['nothing', { a: nxdomain(845), aaaa: nxdomain(900) }, { kind: 'stale-negative', remaining: 900 }],
  ['IPv4 not yet', { a: nodata(845) }, { kind: 'stale-negative', remaining: 845 }],
  [
    'the worse of two',
    { a: value(a(NAME, '192.0.2.99', 30)), aaaa: nodata(60) },
    { kind: 'stale-negative', remaining: 60 },
  ],
  ['a filter', { a: value(a(NAME, '0.0.0.0')) }, { kind: 'filtered', address: '0.0.0.0' }],
  ['SERVFAIL', { a: refused('SERVFAIL'), aaaa: refused('SERVFAIL') }, { kind: 'error', failure: 'SERVFAIL' }],
  ['no response for one family', { aaaa: silent() }, { kind: 'error', failure: 'no response within 2 s' }],
])('%s', (_name, answers, expected) => {
  expect(resolverView(buildFacts(), buildResolver('192.0.2.53', answers))).toEqual(expected);
});

test.each<[string, Answers, Answers, object]>([
  [
    'an old address that a cache behind keeps for longer',
    { a: value(a(NAME, '192.0.2.99', 5)) },
    { a: value(a(NAME, '192.0.2.99', 290)) },
    { kind: 'stale-positive', remaining: 290, mayBeLonger: 'second-cache' },
  ],
  [
    'an absence that a cache behind keeps for longer',
    { a: nxdomain(5), aaaa: nxdomain(5) },
    { a: nxdomain(800), aaaa: nxdomain(800) },
    { kind: 'stale-negative', remaining: 800, mayBeLonger: 'second-cache' },
  ],
  [
    'the same time a second later',
    { a: value(a(NAME, '192.0.2.99', 5)) },
    { a: value(a(NAME, '192.0.2.99', 6)) },
    { kind: 'stale-positive', remaining: 5 },
  ],
  [
    'a cache behind that has the record already',
    { a: value(a(NAME, '192.0.2.99', 5)) },
    {},
    { kind: 'stale-positive', remaining: 5 },
  ],
  [
    'a cache behind that does not respond',
    { a: value(a(NAME, '192.0.2.99', 5)) },
    { a: silent(), aaaa: silent() },
    { kind: 'stale-positive', remaining: 5 },
  ],
])('with the DO flag: %s', (_name, answers, behind, expected) => {
  const resolver = buildResolver('192.0.2.53', answers);
  const view = resolverView(buildFacts(), { ...resolver, behind: buildResolver('192.0.2.53', behind) });
  expect(view).toEqual(expected);
});

test.each<[string, Answers, Answers, object]>([
  [
    'an old address with the same TTL',
    { a: value(a(NAME, '192.0.2.99', 60)) },
    { a: value(a(NAME, '192.0.2.99', 60)) },
    { kind: 'stale-positive', remaining: 60, mayBeLonger: 'fixed-ttl' },
  ],
  [
    'an absence with the same TTL',
    { a: nxdomain(60), aaaa: nxdomain(60) },
    { a: nxdomain(60), aaaa: nxdomain(60) },
    { kind: 'stale-negative', remaining: 60, mayBeLonger: 'fixed-ttl' },
  ],
  [
    'an old address whose TTL counted down',
    { a: value(a(NAME, '192.0.2.99', 60)) },
    { a: value(a(NAME, '192.0.2.99', 59)) },
    { kind: 'stale-positive', remaining: 60 },
  ],
  [
    'the old address of another cache at this address',
    { a: value(a(NAME, '192.0.2.99', 60)) },
    { a: value(a(NAME, '192.0.2.99', 3000)) },
    { kind: 'stale-positive', remaining: 3000, mayBeLonger: 'second-cache' },
  ],
  [
    'no response',
    { a: value(a(NAME, '192.0.2.99', 60)) },
    { a: silent(), aaaa: silent() },
    { kind: 'stale-positive', remaining: 60 },
  ],
])('a second later: %s', (_name, answers, later, expected) => {
  const resolver = buildResolver('192.0.2.53', answers);
  const again = { behind: resolver, later: buildResolver('192.0.2.53', later) };
  expect(resolverView(buildFacts(), { ...resolver, ...again })).toEqual(expected);
});

const withoutTtl =
  (answer: QueryResult): QueryResult =>
  (question, server) => {
    const { negativeTtl: _, ...lookup } = answer(question, server);
    return lookup;
  };
test('an absence without a TTL promises no time', () => {
  const half = buildResolver('192.0.2.53', { a: withoutTtl(nodata()) });
  const none = buildResolver('192.0.2.53', { a: withoutTtl(nodata()), aaaa: withoutTtl(nodata()) });
  const platform = { a: undefined, aaaa: undefined, addresses: [], ttl: undefined };
  const error = { kind: 'error', failure: 'no record and no SOA record, as for a blocked domain' };
  expect(resolverView(buildFacts(), half)).toEqual(error);
  expect(resolverView(buildFacts({ platform }), none)).toEqual(error);
});

test('a denial without a TTL may be a filter: it promises no time', () => {
  const answers = { a: withoutTtl(nxdomain()), aaaa: withoutTtl(nxdomain()) };
  expect(resolverView(buildFacts(), buildResolver('192.0.2.53', answers))).toMatchObject({ kind: 'error' });
});

test('does not need a family that the target lacks', () => {
  const resolver = buildResolver('192.0.2.53', { aaaa: nodata() });
  expect(resolverView(buildFacts({ platform }), resolver)).toEqual({ kind: 'right' });
});

test('an empty response is stale even if the target is unknown', () => {
  const platform = { a: undefined, aaaa: undefined, addresses: [], ttl: undefined };
  const resolver = buildResolver('192.0.2.53', { a: nxdomain(40), aaaa: nxdomain(40) });
  expect(resolverView(buildFacts({ platform }), resolver)).toEqual({ kind: 'stale-negative', remaining: 40 });
  const slower = buildResolver('192.0.2.53', { a: nodata(40), aaaa: nodata(60) });
  expect(resolverView(buildFacts({ platform }), slower)).toEqual({ kind: 'stale-negative', remaining: 60 });
});

test('old reserved addresses are stale for a platform in a private network', () => {
  const platform = { ...buildFacts().platform, addresses: ['127.0.0.2'] };
  const resolver = buildResolver('192.0.2.53', { a: value(a(NAME, '127.0.0.9', 20)), aaaa: nodata(10) });
  expect(resolverView(buildFacts({ platform }), resolver)).toEqual({ kind: 'stale-positive', remaining: 20 });
});

test('does not need a family that the apex itself lacks', () => {
  const servers = [buildApexServer(1, { aaaa: nodata() })];
  const resolver = buildResolver('192.0.2.53', {
    a: value(a(ZONE, TARGET_A, 60)),
    aaaa: nodata(300),
    cname: nodata(),
  });
  expect(resolverView(buildApexFacts({ servers }), resolver)).toEqual({ kind: 'right' });
  expect(resolverView(buildApexFacts(), resolver)).toEqual({ kind: 'stale-negative', remaining: 300 });
});

test.each([
  ['the well-known prefix', '64:ff9b::c633:640a'],
  ['a prefix of the network', '2001:db8:64::c633:640a'],
])('accepts an IPv6 address that DNS64 makes of the target’s IPv4 address, with %s', (_name, address) => {
  const servers = [buildApexServer(1, { aaaa: nodata() })];
  const apex = { a: value(a(ZONE, TARGET_A, 60)), cname: nodata() };
  const resolver = buildResolver('192.0.2.53', { ...apex, aaaa: value(aaaa(ZONE, address, 60)) });
  expect(resolverView(buildApexFacts({ platform, servers }), resolver)).toEqual({ kind: 'right' });
  const other = buildResolver('192.0.2.53', { ...apex, aaaa: value(aaaa(ZONE, '64:ff9b::1', 60)) });
  expect(resolverView(buildApexFacts({ platform, servers }), other)).toMatchObject({
    kind: 'stale-positive',
  });
});

test('accepts a resolver that removes IPv6 addresses', () => {
  const apex = { a: value(a(ZONE, TARGET_A, 60)), cname: nodata() };
  const resolver = buildResolver('192.0.2.53', { ...apex, aaaa: withoutTtl(nodata()) });
  expect(resolverView(buildApexFacts(), resolver)).toEqual({ kind: 'right' });
});
