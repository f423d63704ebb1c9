import { describe, expect, test } from 'vitest';
import { createCheckContext, createZoneCache } from '../../../src/domain/gather/check-context.js';
import { createVirtualClock, settle } from '../../support/virtual-clock.js';
import { fakeDns } from '../fake-dns.js';
import { NS1, NS2, RESOLVER, contextOf, worldOf } from '../world.js';

const SERVERS = [NS1, NS2].map((address) => ({ address, port: 53, transport: 'dns' as const }));
const SECOND = '192.0.2.54';

describe('servers of one zone', () => {
  test('are asked in turn until one answers', async () => {
    const { context, dns } = contextOf(worldOf([], { faults: { [NS1]: 'REFUSED' } }));
    expect(await context.queryAny(SERVERS, 'example.test', 'SOA')).toMatchObject({ outcome: 'value' });
    expect(dns.asked).toEqual([`${NS1} SOA example.test`, `${NS2} SOA example.test`]);
  });

  test('that were silent come last, until they answer', async () => {
    const world = worldOf([], { faults: { [NS1]: 'silent' } });
    const { context, dns } = contextOf(world);
    await context.queryAny(SERVERS, 'example.test', 'SOA');
    expect(context.respondingFirst(SERVERS).map(({ address }) => address)).toEqual([NS2, NS1]);
    dns.world = { ...world, faults: { [NS2]: 'silent' } };
    await context.queryAny(SERVERS, 'example.test', 'SOA');
    expect(context.respondingFirst(SERVERS).map(({ address }) => address)).toEqual([NS1, NS2]);
  });

  test('give the last trouble where none answers, and nothing where there is none', async () => {
    const { context } = contextOf(worldOf([], { faults: { [NS1]: 'silent', [NS2]: 'REFUSED' } }));
    expect(await context.queryAny(SERVERS, 'example.test', 'SOA')).toMatchObject({ failure: 'REFUSED' });
    expect(await context.queryAny([], 'example.test', 'SOA')).toBeUndefined();
  });
});

describe('resolvers', () => {
  test('are asked in turn, and a dead one is tried once', async () => {
    const world = worldOf([], { resolvers: [RESOLVER, SECOND], faults: { [RESOLVER]: 'silent' } });
    const { context, dns } = contextOf(world);
    await context.resolve('test', 'NS');
    await context.resolve('example.test', 'NS');
    expect(dns.asked).toEqual([
      `+rd ${RESOLVER} NS test`,
      `+rd ${SECOND} NS test`,
      `+rd ${SECOND} NS example.test`,
    ]);
  });

  test('are asked the same thing once', async () => {
    const { context, dns } = contextOf(worldOf([]));
    await Promise.all([context.resolve('test', 'NS'), context.resolve('test', 'NS')]);
    expect(dns.asked).toHaveLength(1);
  });

  test('may be remembered by the next run', async () => {
    const memory = createZoneCache();
    const dns = fakeDns(worldOf([]));
    const resolvers = [
      { server: { address: RESOLVER, port: 53, transport: 'dns' as const }, label: RESOLVER },
    ];
    for (let run = 0; run < 2; run += 1) {
      await createCheckContext({ dns, resolvers, signal: undefined, zoneCache: memory }, {}).resolve(
        'test',
        'NS',
      );
    }
    expect(dns.asked).toHaveLength(1);
  });
});

test('rests by the clock', async () => {
  const clock = createVirtualClock();
  const context = createCheckContext(
    { dns: fakeDns(worldOf([])), resolvers: [], signal: undefined },
    { clock },
  );
  let rested = false;
  void context.pause(2_000).then(() => (rested = true));
  await clock.advance(1_999);
  expect(rested).toBe(false);
  await clock.advance(1);
  await settle();
  expect(rested).toBe(true);
});
