import { describe, expect, test } from 'vitest';
import type { DnsClient } from '../../src/domain/dns/dns.js';
import type { VirtualClock } from '../support/virtual-clock.js';
import { failure, type World } from './fake-dns.js';
import { NS1, NS2, PLATFORM, resolverQueries, TARGET, TLD, worldOf, zoneLab } from './world.js';

const RESOLVERS = ['192.0.2.53', '192.0.2.54', '192.0.2.55', '192.0.2.56'];

describe('with 2 servers and 4 resolvers', () => {
  // A TTL that counts down takes a second A query to each server.
  test.each([
    ['subdomain', 'shop.example.test', `shop CNAME ${TARGET}.`, 24, 0],
    ['apex', 'example.test', `@ ALIAS ${TARGET}.`, 28, 2],
    ['apex of copied addresses', 'example.test', '@ 60 A 192.0.2.80', 28, 2],
  ])('a healthy %s sends few queries', async (_, domain, line, queriesMax, repeated) => {
    const lab = zoneLab(worldOf([line, '@ MX 10 mx'], { resolvers: RESOLVERS }), { resolvers: RESOLVERS });
    const { dns } = lab;
    const report = await lab.check({ domain });
    expect(report.state).toBe('verified');
    expect(report.observed.authoritative.map(({ serial }) => serial)).toEqual([1, 1]);
    expect(dns.queries.length).toBeLessThanOrEqual(queriesMax);
    expect(dns.queries.length - new Set(dns.queries).size).toBe(repeated);
  });

  test('an apex with another version of the zone at one server queries all types there', async () => {
    const copy = ['@ SOA ns1 2', '@ NS ns1', '@ NS ns2', `@ ALIAS ${TARGET}.`];
    const { dns, check } = zoneLab(
      worldOf([`@ ALIAS ${TARGET}.`], { copies: { [`${NS2} example.test`]: copy } }),
    );
    await check({ domain: 'example.test' });
    for (const type of ['CNAME', 'MX', 'TXT', 'HTTPS'])
      expect(dns.queries).toContain(`${NS2} ${type} example.test`);
  });
});

/** The zone test, where example.test has a name server of another zone. */
const HOSTED_ELSEWHERE = [
  '@ NS a.nic',
  `a.nic A ${TLD}`,
  'example NS ns.dns',
  'platform NS ns.platform',
  `ns.platform A ${PLATFORM}`,
];
/** Each query takes this long. */
const DELAY_MS = 200;

describe('with 2 servers and 4 resolvers that all take 200 ms', () => {
  const shop = 'shop.example.test';
  const elsewhere = {
    test: HOSTED_ELSEWHERE,
    'dns.test': ['@ NS ns', `ns A ${NS1}`],
    'example.test': ['@ NS ns.dns.test.', `shop CNAME ${TARGET}.`],
  };
  test.each([
    ['subdomain', shop, [`shop CNAME ${TARGET}.`], {}, 5],
    ['name below another', `www.${shop}`, [`www.shop CNAME ${TARGET}.`], {}, 5],
    // The addresses of its name servers take another round.
    ['subdomain of a zone at a DNS provider', shop, [], elsewhere, 6],
    // The second query for the TTL is sent 1.1 s after the response to the first.
    ['apex', 'example.test', [`@ ALIAS ${TARGET}.`], {}, 10.5],
    ['apex of copied addresses', 'example.test', ['@ 60 A 192.0.2.80'], {}, 10.5],
  ])('a healthy %s takes few rounds', async (_, domain, lines, zones, delays) => {
    const world = worldOf(lines, { resolvers: RESOLVERS, zones });
    const { clock, check, dns, options } = zoneLab(world, { resolvers: RESOLVERS });
    options.dns = slow(dns, clock);
    expect((await check({ domain })).state).toBe('verified');
    expect(clock.monotonic() / DELAY_MS).toBe(delays);
  });

  test.each([
    ['missing', ['other A 192.0.2.9'], {}],
    ['an alias of another target', ['shop CNAME old'], {}],
    ['refused', [], { [NS1]: 'REFUSED', [NS2]: 'REFUSED' } as const],
    ['behind a silent zone', [], { [NS1]: 'silent', [NS2]: 'silent' } as const],
    ['behind a parent that refuses', [], { [TLD]: 'REFUSED' } as const],
    ['an alias to a silent target', [`shop CNAME ${TARGET}.`], { [PLATFORM]: 'silent' } as const],
  ])('no resolver is queried for a name that is %s', async (state, lines, faults) => {
    const { clock, check, dns, options } = zoneLab(worldOf(lines, { resolvers: RESOLVERS, faults }), {
      resolvers: RESOLVERS,
    });
    options.dns = slow(dns, clock);
    await check();
    const isRight = state === 'an alias to a silent target';
    expect(resolverQueries(dns, shop)).toHaveLength(isRight ? 2 * RESOLVERS.length : 0);
  });
});

function slow(dns: DnsClient, clock: VirtualClock): DnsClient {
  return {
    ...dns,
    async query(server, question, options) {
      await new Promise<void>((resolve) => clock.setTimeout(resolve, DELAY_MS));
      return dns.query(server, question, options);
    },
  };
}

describe('silence', () => {
  test.each<[string, World['faults']]>([
    ['all name servers', { [NS1]: 'silent', [NS2]: 'silent' }],
    ['all resolvers', Object.fromEntries(RESOLVERS.map((address) => [address, 'silent' as const]))],
    [
      'all servers and resolvers',
      Object.fromEntries(
        [NS1, NS2, '192.0.2.1', ...RESOLVERS].map((address) => [address, 'silent' as const]),
      ),
    ],
  ])('of %s ends the check within 15 s', async (_, faults = {}) => {
    const world = worldOf([`shop CNAME ${TARGET}.`], { resolvers: RESOLVERS, faults });
    const { clock, check, dns, options } = zoneLab(world, { resolvers: RESOLVERS });
    options.dns = slowlyFailing(dns, clock);
    const startedAt = clock.monotonic();
    expect((await check()).state).toBe('inconclusive');
    expect(clock.monotonic() - startedAt).toBeLessThanOrEqual(15_000);
  });
});

/** Failing queries take as long as two attempts over UDP. Calls `onSlow` before. */
function slowlyFailing(dns: DnsClient, clock: VirtualClock): DnsClient {
  return {
    ...dns,
    async query(server, question, options) {
      const exchange = await dns.query(server, question, options);
      if (exchange.kind === 'response') return exchange;
      const limitMs = Math.min(options.limitMs ?? 4_000, 4_000);
      const slow = options.onSlow === undefined ? undefined : clock.setTimeout(options.onSlow, 400);
      await new Promise<void>((resolve) => clock.setTimeout(resolve, limitMs));
      slow?.();
      return failure('timeout', 'no response within 2 s');
    },
  };
}
