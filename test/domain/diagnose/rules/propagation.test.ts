import { propagation } from '../../../../src/domain/diagnose/rules/propagation.js';
import { a, buildResolver, lookupOf, NAME, ns, nxdomain, refused, value, ZONE } from '../../facts-builder.js';
import { testRule } from '../../rule-table.js';

const old = buildResolver('192.0.2.53', { a: value(a(NAME, '192.0.2.99', 845)), aaaa: nxdomain(30) });
const negative = buildResolver('192.0.2.54', { a: nxdomain(845), aaaa: nxdomain(840), cname: nxdomain(845) });
const failing = buildResolver('192.0.2.55', { a: refused('SERVFAIL'), aaaa: refused('SERVFAIL') });
const unnamed = buildResolver('192.0.2.56');
const named = { ...unnamed, a: { ...unnamed.a, server: { ...unnamed.server, host: 'dns.example.net' } } };

const serversAt = (ttl: number, host: string) =>
  lookupOf('NS', value({ ...ns(ZONE, host), ttl }), ZONE, old.server);
const formerServers = serversAt(43_200, 'ns1.former.test');
const currentServers = serversAt(43_200, 'ns1.example.net');

const byDefault = (resolver: typeof old): typeof old => ({ ...resolver, isDefault: true });
const right = byDefault(buildResolver('192.0.2.60'));
const undated = nxdomain();
const withoutSoa: typeof undated = (question, server) => {
  const { negativeTtl: _, ...lookup } = undated(question, server);
  return lookup;
};
const blocking = buildResolver('192.0.2.57', { a: withoutSoa, aaaa: withoutSoa, cname: withoutSoa });

testRule(
  propagation,
  {
    'the old address is cached: prop.stale-positive wait': [
      { resolvers: [old] },
      '192.0.2.53 still caches the old record, for 14 min 5 s at most (until 2026-11-21T14:32:05.000Z)',
      'dig @192.0.2.53 shop.example.com A',
    ],
    'a cache behind the resolver has it for longer: prop.stale-positive wait': [
      {
        resolvers: [
          {
            ...old,
            behind: { aaaa: old.aaaa, a: lookupOf('A', value(a(NAME, '192.0.2.99', 900)), NAME, old.server) },
          },
        ],
      },
      '192.0.2.53 still caches the old record, for 15 min at least.',
      'Another cache is behind it, and may return the old response again.',
      'dig +dnssec @192.0.2.53 shop.example.com A',
    ],
    'the absence is cached: prop.stale-negative wait': [
      { resolvers: [negative] },
      'still caches that shop.example.com had no address, for 14 min 5 s',
    ],
    'the name servers changed, and the resolver queries the former ones: prop.stale-positive wait': [
      { resolvers: [{ ...old, ns: formerServers }] },
      '192.0.2.53 still queries the former name servers of example.com (ns1.former.test), for 12 h at most (until 2026-11-22T02:18:00.000Z)',
      'After a change of name servers, this takes up to 24 hours.',
      'keep the zone at the former provider',
      'dig @192.0.2.53 example.com NS',
    ],
    'the resolver queries the current name servers: prop.stale-positive wait': [
      { resolvers: [{ ...old, ns: currentServers }] },
      'still caches the old record, for 14 min 5 s',
    ],
    'a resolver fails: prop.resolver-error unknown': [{ resolvers: [failing] }, 'SERVFAIL', '--resolver'],
    'one is correct, two are stale: prop.stale-positive wait, prop.resolver-error unknown': {
      resolvers: [buildResolver('192.0.2.60'), old, failing],
    },
    'a resolver given by host name: prop.done info': [
      { resolvers: [named] },
      'dig @192.0.2.56 shop.example.com A',
    ],
    'built-in resolvers that fail only warn: prop.resolver-error warn': {
      resolvers: [buildResolver('192.0.2.60'), byDefault(failing)],
    },
    'one stale of three built-in resolvers only warns: prop.stale-positive warn': {
      resolvers: [right, byDefault(buildResolver('192.0.2.61')), byDefault(old)],
    },
    'stale built-in resolvers only warn, however many: prop.stale-positive warn': {
      resolvers: [byDefault(old)],
    },
    'a block list, whose absence has no TTL, does not count: prop.resolver-error warn': {
      resolvers: [right, byDefault(blocking)],
    },
    'a block list that the user named promises no time: prop.resolver-error unknown': [
      { resolvers: [right, blocking] },
      'sent no usable response: NXDOMAIN without an SOA record, as for a blocked domain.',
    ],
    'a stale built-in resolver next to a right one that the user named: prop.stale-positive warn': {
      resolvers: [buildResolver('192.0.2.60'), byDefault(old)],
    },
    'a stale one that the user named decides: prop.stale-positive wait': {
      resolvers: [old, right, byDefault(buildResolver('192.0.2.61'))],
    },
    'no resolver was queried: nothing': { resolvers: [] },
    'all have the record: prop.done info': [{}, '192.0.2.53 and 192.0.2.54'],
  },
  ['prop.done', 'prop.done'],
);
