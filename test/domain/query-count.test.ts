import { describe, expect, test } from 'vitest';
import type { DnsClient } from '../../src/domain/resolver/dns.js';
import type { VirtualClock } from '../support/virtual-clock.js';
import { failure, type World } from './fake-dns.js';
import { NS1, NS2, TARGET, worldOf, zoneLab } from './world.js';

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
