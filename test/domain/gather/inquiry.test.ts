import { describe, expect, test } from 'vitest';
import { createInquiry, createZoneMemory } from '../../../src/domain/gather/inquiry.js';
import { createVirtualClock, settle } from '../../support/virtual-clock.js';
import { fakeDns } from '../fake-dns.js';
import { NS1, NS2, RESOLVER, inquiryOf, worldOf } from '../world.js';

const SERVERS = [NS1, NS2].map((address) => ({ address, port: 53, transport: 'dns' as const }));
const SECOND = '192.0.2.54';

describe('servers of one zone', () => {
  test('are asked in turn until one answers', async () => {
    const { inquiry, dns } = inquiryOf(worldOf([], { faults: { [NS1]: 'REFUSED' } }));
    expect(await inquiry.askAny(SERVERS, 'example.test', 'SOA')).toMatchObject({ outcome: 'value' });
    expect(dns.asked).toEqual([`${NS1} SOA example.test`, `${NS2} SOA example.test`]);
  });

  test('that were silent come last, until they answer', async () => {
    const world = worldOf([], { faults: { [NS1]: 'silent' } });
    const { inquiry, dns } = inquiryOf(world);
    await inquiry.askAny(SERVERS, 'example.test', 'SOA');
    expect(inquiry.inOrder(SERVERS).map(({ address }) => address)).toEqual([NS2, NS1]);
    dns.world = { ...world, faults: { [NS2]: 'silent' } };
    await inquiry.askAny(SERVERS, 'example.test', 'SOA');
    expect(inquiry.inOrder(SERVERS).map(({ address }) => address)).toEqual([NS1, NS2]);
  });

  test('give the last trouble where none answers, and nothing where there is none', async () => {
    const { inquiry } = inquiryOf(worldOf([], { faults: { [NS1]: 'silent', [NS2]: 'REFUSED' } }));
    expect(await inquiry.askAny(SERVERS, 'example.test', 'SOA')).toMatchObject({ trouble: 'REFUSED' });
    expect(await inquiry.askAny([], 'example.test', 'SOA')).toBeUndefined();
  });
});

describe('resolvers', () => {
  test('are asked in turn, and a dead one is tried once', async () => {
    const world = worldOf([], { resolvers: [RESOLVER, SECOND], faults: { [RESOLVER]: 'silent' } });
    const { inquiry, dns } = inquiryOf(world);
    await inquiry.recurse('test', 'NS');
    await inquiry.recurse('example.test', 'NS');
    expect(dns.asked).toEqual([
      `+rd ${RESOLVER} NS test`,
      `+rd ${SECOND} NS test`,
      `+rd ${SECOND} NS example.test`,
    ]);
  });

  test('are asked the same thing once', async () => {
    const { inquiry, dns } = inquiryOf(worldOf([]));
    await Promise.all([inquiry.recurse('test', 'NS'), inquiry.recurse('test', 'NS')]);
    expect(dns.asked).toHaveLength(1);
  });

  test('may be remembered by the next run', async () => {
    const memory = createZoneMemory();
    const dns = fakeDns(worldOf([]));
    const resolvers = [
      { server: { address: RESOLVER, port: 53, transport: 'dns' as const }, label: RESOLVER },
    ];
    for (let run = 0; run < 2; run += 1) {
      await createInquiry({ dns, resolvers, signal: undefined, memory }, {}).recurse('test', 'NS');
    }
    expect(dns.asked).toHaveLength(1);
  });
});

test('rests by the clock', async () => {
  const clock = createVirtualClock();
  const inquiry = createInquiry({ dns: fakeDns(worldOf([])), resolvers: [], signal: undefined }, { clock });
  let rested = false;
  void inquiry.rest(2_000).then(() => (rested = true));
  await clock.advance(1_999);
  expect(rested).toBe(false);
  await clock.advance(1);
  await settle();
  expect(rested).toBe(true);
});
