import { describe, expect, test } from 'vitest';
import { addAlternativeAddresses, addIpv6, findTarget } from '../../../src/domain/gather/target.js';
import { buildApexServer } from '../facts-builder.js';
import type { CheckContext } from '../../../src/domain/gather/check-context.js';
import type { TargetFacts } from '../../../src/domain/gather/facts/facts.js';
import type { World } from '../fake-dns.js';
import { PLATFORM, RESOLVER, TARGET, contextOf, worldOf } from '../world.js';

const findBoth = async (context: CheckContext): Promise<TargetFacts> =>
  addIpv6(context, TARGET, await findTarget(context, TARGET));

describe('a target with other addresses', () => {
  const servers = [buildApexServer(1)];

  test('includes those of each resolver', async () => {
    const cached = {
      [`A ${TARGET}`]: ['@ 7 A 192.0.2.81'],
      [`AAAA ${TARGET}`]: ['@ 7 AAAA 2001:db8::81'],
    };
    const { context } = contextOf(worldOf([], { cached }));
    const platform = await findBoth(context);
    expect(await addAlternativeAddresses(context, TARGET, platform, servers)).toEqual({
      ...platform,
      addresses: ['192.0.2.80', '2001:db8::80', '192.0.2.81', '2001:db8::81'],
      isVarying: true,
    });
  });

  test('includes those of a second query', async () => {
    const giving = (address: string): World =>
      worldOf([], { zones: { 'platform.test': ['@ NS ns', `ns A ${PLATFORM}`, `cname A ${address}`] } });
    const { context, dns } = contextOf(giving('192.0.2.90'));
    const platform = await findBoth(context);
    dns.world = { ...giving('192.0.2.91'), faults: { [RESOLVER]: 'REFUSED' } };
    const wide = await addAlternativeAddresses(context, TARGET, platform, servers);
    expect(wide.addresses).toEqual(['192.0.2.90', '192.0.2.91']);
    expect(wide.isVarying).toBe(true);
  });

  test('is queried once for all apex domains', async () => {
    const { context, dns } = contextOf(worldOf([]));
    const platform = await findBoth(context);
    await Promise.all([1, 2, 3].map(() => addAlternativeAddresses(context, TARGET, platform, servers)));
    expect(dns.queries.filter((line) => line === `+rd ${RESOLVER} A ${TARGET}`)).toHaveLength(1);
  });

  test('ignores those of a filtering resolver', async () => {
    const { context } = contextOf(worldOf([], { cached: { [`A ${TARGET}`]: ['@ 7 A 0.0.0.0'] } }));
    const platform = await findBoth(context);
    expect(await addAlternativeAddresses(context, TARGET, platform, servers)).toEqual(platform);
  });

  test('is not queried again without addresses to compare', async () => {
    const { context, dns } = contextOf(worldOf([]));
    const platform = await findBoth(context);
    const queries = dns.queries.length;
    expect(await addAlternativeAddresses(context, TARGET, platform, [])).toBe(platform);
    expect(dns.queries).toHaveLength(queries);
  });
});
