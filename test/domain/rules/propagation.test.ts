import { propagation } from '../../../src/domain/rules/propagation.js';
import { a, buildResolver, lookupOf, NAME, ns, nxdomain, refused, value, ZONE } from '../facts-builder.js';
import { testRule } from '../rule-table.js';

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
  [
    [
      'the old address is cached',
      { resolvers: [old] },
      'prop.stale-positive wait',
      '192.0.2.53 still caches the old record, for 14 min 5 s at most (until 2026-11-21T14:32:05.000Z)',
      'dig @192.0.2.53 shop.example.com A',
    ],
    [
      'the absence is cached',
      { resolvers: [negative] },
      'prop.stale-negative wait',
      'still caches that shop.example.com had no address, for 14 min 5 s',
    ],
    [
      'the name servers changed, and the resolver queries the former ones',
      { resolvers: [{ ...old, ns: formerServers }] },
      'prop.stale-positive wait',
      '192.0.2.53 still queries the former name servers of example.com (ns1.former.test), for 12 h at most (until 2026-11-22T02:18:00.000Z)',
      'After a change of name servers, this takes up to 24 hours.',
      'keep the zone at the former provider',
      'dig @192.0.2.53 example.com NS',
    ],
    [
      'the resolver queries the current name servers',
      { resolvers: [{ ...old, ns: currentServers }] },
      'prop.stale-positive wait',
      'still caches the old record, for 14 min 5 s',
    ],
    ['a resolver fails', { resolvers: [failing] }, 'prop.resolver-error unknown', 'SERVFAIL', '--resolver'],
    [
      'one is correct, two are stale',
      { resolvers: [buildResolver('192.0.2.60'), old, failing] },
      'prop.stale-positive wait, prop.resolver-error unknown',
    ],
    [
      'a resolver given by host name',
      { resolvers: [named] },
      'prop.done info',
      'dig @192.0.2.56 shop.example.com A',
    ],
    [
      'built-in resolvers that fail only warn',
      { resolvers: [buildResolver('192.0.2.60'), byDefault(failing)] },
      'prop.resolver-error warn',
    ],
    [
      'one stale of three built-in resolvers only warns',
      { resolvers: [right, byDefault(buildResolver('192.0.2.61')), byDefault(old)] },
      'prop.stale-positive warn',
    ],
    [
      'stale built-in resolvers only warn, however many',
      { resolvers: [byDefault(old)] },
      'prop.stale-positive warn',
    ],
    [
      'a block list, whose absence has no TTL, does not count',
      { resolvers: [right, byDefault(blocking)] },
      'prop.stale-negative warn',
    ],
    [
      'a stale built-in resolver next to a right one that the user named',
      { resolvers: [buildResolver('192.0.2.60'), byDefault(old)] },
      'prop.stale-positive warn',
    ],
    [
      'a stale one that the user named decides',
      { resolvers: [old, right, byDefault(buildResolver('192.0.2.61'))] },
      'prop.stale-positive wait',
    ],
    ['no resolver was queried', { resolvers: [] }, 'nothing'],
    ['all have the record', {}, 'prop.done info', '192.0.2.53 and 192.0.2.54'],
  ],
  ['prop.done', 'prop.done'],
);
