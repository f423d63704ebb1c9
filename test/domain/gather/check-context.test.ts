import { describe, expect, test } from 'vitest';
import { createCheckContext, type ZoneCache } from '../../../src/domain/gather/check-context.js';
import { createMemo } from '../../../src/domain/gather/memo.js';
import { fakeDns } from '../fake-dns.js';
import { NS1, NS2, RESOLVER, contextOf, worldOf } from '../world.js';

const SERVERS = [NS1, NS2].map((address) => ({ address, port: 53, transport: 'dns' as const }));
const SECOND = '192.0.2.54';
const UNUSED = { signal: undefined, pause: () => Promise.resolve() };

describe('servers of one zone', () => {
  test('are queried in turn until one responds', async () => {
    const { context, dns } = contextOf(worldOf([], { faults: { [NS1]: 'REFUSED' } }));
    expect(await context.queryAny(SERVERS, 'example.test', 'SOA')).toMatchObject({ outcome: 'value' });
    expect(dns.queries).toEqual([`${NS1} SOA example.test`, `${NS2} SOA example.test`]);
  });

  test('come last if they did not respond, until they do', async () => {
    const world = worldOf([], { faults: { [NS1]: 'silent' } });
    const { context, dns } = contextOf(world);
    await context.queryAny(SERVERS, 'example.test', 'SOA');
    expect(context.respondingFirst(SERVERS).map(({ address }) => address)).toEqual([NS2, NS1]);
    dns.world = { ...world, faults: { [NS2]: 'silent' } };
    await context.queryAny(SERVERS, 'example.test', 'SOA');
    expect(context.respondingFirst(SERVERS).map(({ address }) => address)).toEqual([NS1, NS2]);
  });

  test('return the last failure if none responds, and undefined without servers', async () => {
    const { context } = contextOf(worldOf([], { faults: { [NS1]: 'silent', [NS2]: 'REFUSED' } }));
    expect(await context.queryAny(SERVERS, 'example.test', 'SOA')).toMatchObject({ failure: 'REFUSED' });
    expect(await context.queryAny([], 'example.test', 'SOA')).toBeUndefined();
  });
});

describe('a query that was started', () => {
  const [first = { address: '', port: 53, transport: 'dns' as const }] = SERVERS;

  test('is used once, for the same question', async () => {
    const { context, dns } = contextOf(worldOf([]));
    context.startQuery(first, 'example.test', 'NS');
    context.startQuery(first, 'example.test', 'NS');
    await context.queryServer(first, 'example.test', 'NS', { dnssec: true });
    await context.queryServer(first, 'example.test', 'NS');
    expect(dns.queries).toHaveLength(2);
    await context.queryServer(first, 'example.test', 'NS');
    expect(dns.queries).toHaveLength(3);
  });

  test.each(['before', 'after'])('is not waited for if it was found slow %s it is used', async (when) => {
    const { context, dns, clock } = contextOf(worldOf([]));
    const { query } = dns;
    dns.query = async (server, question, options) => {
      if (server.address !== NS1) return query.call(dns, server, question, options);
      clock.setTimeout(() => options.onSlow?.(), 400);
      return new Promise(() => undefined);
    };
    context.startQuery(first, 'example.test', 'NS');
    if (when === 'before') await clock.next();
    const lookup = context.queryAny(SERVERS, 'example.test', 'NS');
    if (when === 'after') await clock.next();
    expect((await lookup)?.server.address).toBe(NS2);
  });
});

describe('resolvers', () => {
  test('are queried in turn, one without a response only once', async () => {
    const world = worldOf([], { resolvers: [RESOLVER, SECOND], faults: { [RESOLVER]: 'silent' } });
    const { context, dns } = contextOf(world);
    await context.resolve('test', 'NS');
    await context.resolve('example.test', 'NS');
    expect(dns.queries).toEqual([
      `+rd ${RESOLVER} NS test`,
      `+rd ${SECOND} NS test`,
      `+rd ${SECOND} NS example.test`,
    ]);
  });

  test('are queried at their other address family if this machine lacks the first', async () => {
    const dns = fakeDns(
      worldOf([], { faults: { [RESOLVER]: 'unreachable' }, resolvers: [RESOLVER, '2001:db8::53'] }),
    );
    const at = (address: string) => ({ address, port: 53, transport: 'dns' as const });
    const resolvers = [{ server: at(RESOLVER), otherFamily: at('2001:db8::53'), label: RESOLVER }];
    const { resolve } = createCheckContext({ ...UNUSED, dns, resolvers }, {});
    expect(await resolve('test', 'NS')).toMatchObject({
      outcome: 'value',
      server: { address: '2001:db8::53' },
    });
    expect(dns.queries).toEqual([`+rd ${RESOLVER} NS test`, '+rd 2001:db8::53 NS test']);
  });

  test('are queried once for the same name and type', async () => {
    const { context, dns } = contextOf(worldOf([]));
    await Promise.all([context.resolve('test', 'NS'), context.resolve('test', 'NS')]);
    expect(dns.queries).toHaveLength(1);
  });

  test('are not queried again with the cache of earlier checks', async () => {
    const zoneCache: ZoneCache = createMemo();
    const dns = fakeDns(worldOf([]));
    const resolvers = [
      { server: { address: RESOLVER, port: 53, transport: 'dns' as const }, label: RESOLVER },
    ];
    for (let run = 0; run < 2; run += 1) {
      await createCheckContext({ ...UNUSED, dns, resolvers, zoneCache }, {}).resolve('test', 'NS');
    }
    expect(dns.queries).toHaveLength(1);
  });
});

describe('a memo', () => {
  test('makes a value once, also while it is pending', async () => {
    const memo = createMemo<{ n: number }>(10);
    let made = 0;
    const make = async (): Promise<number> => {
      made += 1;
      return made;
    };
    expect(
      await Promise.all([memo.get('n', 'a', make), memo.get('n', 'a', make), memo.get('n', 'b', make)]),
    ).toEqual([1, 1, 2]);
  });

  test('drops the oldest value beyond its size', async () => {
    const memo = createMemo<{ text: string }>(2);
    for (const key of ['a', 'b', 'c']) await memo.get('text', key, async () => key);
    expect(await memo.get('text', 'c', async () => 'again')).toBe('c');
    expect(await memo.get('text', 'a', async () => 'again')).toBe('again');
  });
});
