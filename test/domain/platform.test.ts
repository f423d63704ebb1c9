import { expect, test } from 'vitest';
import { findTarget } from '../../src/domain/platform.js';
import { PLATFORM, RESOLVER, TARGET, inquiryOf, worldOf } from './world.js';

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
