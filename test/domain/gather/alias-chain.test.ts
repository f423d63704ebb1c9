import { expect, test } from 'vitest';
import { queryServers } from '../../../src/domain/gather/servers.js';
import { followChain } from '../../../src/domain/gather/aliases.js';
import { findZone } from '../../../src/domain/gather/zone/zone.js';
import type { World } from '../fake-dns.js';
import { NS1, PLATFORM, TARGET, contextOf, worldOf } from '../world.js';

const NAME = 'shop.example.test';

async function chainOf(world: World) {
  const { context, dns } = contextOf(world);
  const { zone } = await findZone(context, NAME);
  const servers = await queryServers(context, { zone, name: NAME, isThorough: false });
  const before = dns.queries.length;
  const { chain, chainEnd } = await followChain(context, servers, TARGET);
  return {
    hops: chain.map(({ from, to, ttl }) => `${from} ${String(ttl)} ${to}`),
    servers: chain.map(({ server }) => server?.address),
    end: chainEnd?.outcome,
    questions: dns.queries.length - before,
  };
}

/** platform.test with these lines and its name server. */
function platform(...lines: string[]): Partial<World> {
  return { zones: { 'platform.test': ['@ NS ns', `ns A ${PLATFORM}`, ...lines] } };
}

test('needs no query for a correct alias', async () => {
  expect(await chainOf(worldOf([`shop 300 CNAME ${TARGET}.`]))).toEqual({
    hops: [`${NAME} 300 ${TARGET}`],
    servers: [NS1],
    end: undefined,
    questions: 0,
  });
});

test('takes aliases from the response', async () => {
  const world = worldOf(['shop CNAME a', 'a CNAME b', `b CNAME ${TARGET}.`]);
  expect((await chainOf(world)).hops).toHaveLength(3);
  expect((await chainOf(world)).questions).toBe(0);
});

test('ends at the target, even if that is an alias', async () => {
  const world = worldOf([`shop CNAME ${TARGET}.`], platform('cname CNAME lb', 'lb A 192.0.2.80'));
  expect((await chainOf(world)).hops).toEqual([`${NAME} 3600 ${TARGET}`]);
});

test('queries aliases in other zones at their servers', async () => {
  const world = worldOf(['shop CNAME x.platform.test.'], platform(`x 30 CNAME ${TARGET}.`));
  expect(await chainOf(world)).toMatchObject({
    hops: [`${NAME} 3600 x.platform.test`, `x.platform.test 30 ${TARGET}`],
    servers: [NS1, PLATFORM],
    end: undefined,
  });
});

test('keeps the lookup of an end other than the target', async () => {
  expect((await chainOf(worldOf(['shop CNAME www', 'www A 192.0.2.99']))).end).toBe('nodata');
  expect((await chainOf(worldOf(['shop CNAME gone.platform.test.']))).end).toBe('nxdomain');
});

test('stops at a loop', async () => {
  const inside = await chainOf(worldOf(['shop CNAME a', 'a CNAME shop']));
  expect(inside.hops).toEqual([`${NAME} 3600 a.example.test`, `a.example.test 3600 ${NAME}`]);
  const across = await chainOf(worldOf(['shop CNAME x.platform.test.'], platform(`x CNAME ${NAME}.`)));
  expect(across.hops).toEqual([`${NAME} 3600 x.platform.test`, `x.platform.test 3600 ${NAME}`]);
  expect((await chainOf(worldOf(['shop CNAME shop']))).hops).toEqual([`${NAME} 3600 ${NAME}`]);
});

test('stops after the maximum number of aliases', async () => {
  const lines = Array.from({ length: 40 }, (_, index) => `n${String(index)} CNAME n${String(index + 1)}`);
  const { hops } = await chainOf(worldOf(['shop CNAME n0.platform.test.'], platform(...lines)));
  expect(hops).toHaveLength(16);
});

test('is empty without an alias', async () => {
  expect(await chainOf(worldOf(['shop A 192.0.2.80']))).toEqual({
    hops: [],
    servers: [],
    end: undefined,
    questions: 0,
  });
});
