import { describe, expect, test } from 'vitest';
import type { DnsClient } from '../../src/domain/resolver/dns.js';
import type { VirtualClock } from '../support/virtual-clock.js';
import { failure, type World } from './fake-dns.js';
import { NS1, NS2, TARGET, worldOf, zoneLab } from './world.js';

const RESOLVERS = ['192.0.2.53', '192.0.2.54', '192.0.2.55', '192.0.2.56'];

describe('a healthy subdomain', () => {
  test('with 2 servers and 4 resolvers sends at most 24 queries', async () => {
    const lab = zoneLab(worldOf([`shop CNAME ${TARGET}.`], { resolvers: RESOLVERS }), {
      resolvers: RESOLVERS,
    });
    const { dns } = lab;
    const report = await lab.check();
    expect(report.state).toBe('verified');
    expect(report.observed.authoritative.map(({ serial }) => serial)).toEqual([1, 1]);
    expect(dns.queries.length).toBeLessThanOrEqual(24);
    expect(new Set(dns.queries).size).toBe(dns.queries.length);
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
