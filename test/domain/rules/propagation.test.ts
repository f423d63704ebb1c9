import { propagation } from '../../../src/domain/rules/propagation.js';
import {
  a,
  buildFacts,
  buildResolver,
  lookupOf,
  NAME,
  ns,
  nxdomain,
  refused,
  value,
  ZONE,
} from '../facts-builder.js';
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
    {
      name: 'the old address is cached',
      facts: buildFacts({ resolvers: [old] }),
      finds: ['prop.stale-positive wait'],
      says: [
        '192.0.2.53 still caches the old record, for 14 min 5 s at most (until 2026-11-21T14:32:05.000Z)',
      ],
      shows: ['dig @192.0.2.53 shop.example.com A'],
    },
    {
      name: 'the absence is cached',
      facts: buildFacts({ resolvers: [negative] }),
      finds: ['prop.stale-negative wait'],
      says: ['still caches that shop.example.com had no address, for 14 min 5 s'],
    },
    {
      name: 'the name servers changed, and the resolver queries the former ones',
      facts: buildFacts({ resolvers: [{ ...old, ns: formerServers }] }),
      finds: ['prop.stale-positive wait'],
      says: [
        '192.0.2.53 still queries the former name servers of example.com (ns1.former.test), for 12 h at most (until 2026-11-22T02:18:00.000Z)',
        'After a change of name servers, this takes up to 24 hours.',
        'keep the zone at the former provider',
      ],
      shows: ['dig @192.0.2.53 example.com NS'],
    },
    {
      name: 'the resolver queries the current name servers',
      facts: buildFacts({ resolvers: [{ ...old, ns: currentServers }] }),
      finds: ['prop.stale-positive wait'],
      says: ['still caches the old record, for 14 min 5 s'],
    },
    {
      name: 'a resolver fails',
      facts: buildFacts({ resolvers: [failing] }),
      finds: ['prop.resolver-error unknown'],
      says: ['SERVFAIL', '--resolver'],
    },
    {
      name: 'one is correct, two are stale',
      facts: buildFacts({ resolvers: [buildResolver('192.0.2.60'), old, failing] }),
      finds: ['prop.stale-positive wait', 'prop.resolver-error unknown'],
    },
    {
      name: 'a resolver given by host name',
      facts: buildFacts({ resolvers: [named] }),
      finds: ['prop.done info'],
      shows: ['dig @192.0.2.56 shop.example.com A'],
    },
    {
      name: 'built-in resolvers that fail only warn',
      facts: buildFacts({ resolvers: [buildResolver('192.0.2.60'), byDefault(failing)] }),
      finds: ['prop.resolver-error warn'],
    },
    {
      name: 'one stale of three built-in resolvers only warns',
      facts: buildFacts({ resolvers: [right, byDefault(buildResolver('192.0.2.61')), byDefault(old)] }),
      finds: ['prop.stale-positive warn'],
    },
    {
      name: 'stale built-in resolvers only warn, however many',
      facts: buildFacts({ resolvers: [byDefault(old)] }),
      finds: ['prop.stale-positive warn'],
    },
    {
      name: 'a block list, whose absence has no TTL, does not count',
      facts: buildFacts({ resolvers: [right, byDefault(blocking)] }),
      finds: ['prop.stale-negative warn'],
    },
    {
      name: 'a stale built-in resolver next to a right one that the user named',
      facts: buildFacts({ resolvers: [buildResolver('192.0.2.60'), byDefault(old)] }),
      finds: ['prop.stale-positive warn'],
    },
    {
      name: 'a stale one that the user named decides',
      facts: buildFacts({ resolvers: [old, right, byDefault(buildResolver('192.0.2.61'))] }),
      finds: ['prop.stale-positive wait'],
    },
    { name: 'no resolver was queried', facts: buildFacts({ resolvers: [] }), finds: [] },
    {
      name: 'all have the record',
      facts: buildFacts(),
      finds: ['prop.done info'],
      says: ['192.0.2.53 and 192.0.2.54'],
    },
  ],
  ['prop.done', 'prop.done'],
);
