import { describe, expect, test } from 'vitest';
import { findTarget, widenTarget } from '../../../src/domain/gather/platform.js';
import { buildApexServer } from '../facts-builder.js';
import type { World } from '../fake-dns.js';
import { PLATFORM, RESOLVER, TARGET, inquiryOf, worldOf } from '../world.js';

test("the target's addresses and TTL come from its own servers", async () => {
  const { inquiry } = inquiryOf(worldOf([], { remembered: { [`A ${TARGET}`]: ['@ 7 A 192.0.2.81'] } }));
  expect(await findTarget(inquiry, TARGET)).toMatchObject({
    a: { server: { address: PLATFORM } },
    addresses: ['192.0.2.80', '2001:db8::80'],
    ttl: 60,
  });
});

test('a resolver tells them where those are silent', async () => {
  const { inquiry } = inquiryOf(worldOf([], { faults: { [PLATFORM]: 'silent' } }));
  expect(await findTarget(inquiry, TARGET)).toMatchObject({
    a: { server: { address: RESOLVER } },
    addresses: ['192.0.2.80', '2001:db8::80'],
  });
});

test('a target without addresses has no TTL', async () => {
  const { inquiry } = inquiryOf(worldOf([]));
  expect(await findTarget(inquiry, 'gone.platform.test')).toMatchObject({
    a: { outcome: 'nxdomain' },
    addresses: [],
    ttl: undefined,
  });
});

test('it is looked up once', async () => {
  const { inquiry, dns } = inquiryOf(worldOf([]));
  await Promise.all([findTarget(inquiry, TARGET), findTarget(inquiry, TARGET)]);
  expect(dns.asked.filter((line) => line.endsWith(` A ${TARGET}`))).toHaveLength(1);
});

describe('a target that gives others of its addresses', () => {
  const servers = [buildApexServer(1)];

  test('to a resolver has those too', async () => {
    const remembered = {
      [`A ${TARGET}`]: ['@ 7 A 192.0.2.81'],
      [`AAAA ${TARGET}`]: ['@ 7 AAAA 2001:db8::81'],
    };
    const { inquiry } = inquiryOf(worldOf([], { remembered }));
    const platform = await findTarget(inquiry, TARGET);
    expect(await widenTarget(inquiry, TARGET, platform, servers)).toEqual({
      ...platform,
      addresses: ['192.0.2.80', '2001:db8::80', '192.0.2.81', '2001:db8::81'],
    });
  });

  test('when asked again has those too', async () => {
    const giving = (address: string): World =>
      worldOf([], { zones: { 'platform.test': ['@ NS ns', `ns A ${PLATFORM}`, `cname A ${address}`] } });
    const { inquiry, dns } = inquiryOf(giving('192.0.2.90'));
    const platform = await findTarget(inquiry, TARGET);
    dns.world = { ...giving('192.0.2.91'), faults: { [RESOLVER]: 'REFUSED' } };
    const wide = await widenTarget(inquiry, TARGET, platform, servers);
    expect(wide.addresses).toEqual(['192.0.2.90', '192.0.2.91']);
  });

  test('is asked for once, however many apexes lead to it', async () => {
    const { inquiry, dns } = inquiryOf(worldOf([]));
    const platform = await findTarget(inquiry, TARGET);
    await Promise.all([1, 2, 3].map(() => widenTarget(inquiry, TARGET, platform, servers)));
    expect(dns.asked.filter((line) => line === `+rd ${RESOLVER} A ${TARGET}`)).toHaveLength(1);
  });

  test('does not have those of a resolver that filters', async () => {
    const { inquiry } = inquiryOf(worldOf([], { remembered: { [`A ${TARGET}`]: ['@ 7 A 0.0.0.0'] } }));
    const platform = await findTarget(inquiry, TARGET);
    expect(await widenTarget(inquiry, TARGET, platform, servers)).toEqual(platform);
  });

  test('is left alone where there is nothing to compare', async () => {
    const { inquiry, dns } = inquiryOf(worldOf([]));
    const platform = await findTarget(inquiry, TARGET);
    const asked = dns.asked.length;
    expect(await widenTarget(inquiry, TARGET, platform, [])).toBe(platform);
    expect(dns.asked).toHaveLength(asked);
  });
});
