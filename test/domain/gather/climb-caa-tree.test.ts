import { describe, expect, test } from 'vitest';
import { queryServers } from '../../../src/domain/gather/servers.js';
import { climbCaaTree } from '../../../src/domain/gather/climb-caa-tree.js';
import { findZone } from '../../../src/domain/gather/zone.js';
import type { World } from '../fake-dns.js';
import { NS1, NS2, PLATFORM, TARGET, contextOf, resolverQueries, worldOf } from '../world.js';

async function climb(name: string, world: World, isThorough = false) {
  const { context, dns } = contextOf(world);
  const { zone } = await findZone(context, name);
  const servers = await queryServers(context, { zone, name, isThorough: false });
  const { steps, owner, records } = await climbCaaTree(context, zone, name, { servers, isThorough });
  expect(resolverQueries(dns, name)).toEqual([]);
  return { steps: steps.map((step) => `${step.name} ${step.lookup.outcome}`), owner, count: records.length };
}

const RIGHT = `a.shop CNAME ${TARGET}.`;
const NAME = 'a.shop.example.test';

function platform(...lines: string[]): Partial<World> {
  return { zones: { 'platform.test': ['@ NS ns', `ns A ${PLATFORM}`, ...lines] } };
}

describe('climbing for CAA', () => {
  test('continues up to the top-level domain if thorough', async () => {
    const below = [`${NAME} nodata`, 'shop.example.test nodata', 'example.test nodata'];
    expect((await climb(NAME, worldOf([RIGHT]))).steps).toEqual(below);
    expect(await climb(NAME, worldOf([RIGHT]), true)).toEqual({
      steps: [...below, 'test nodata'],
      owner: undefined,
      count: 0,
    });
  });

  test('ends at the first name with records', async () => {
    const world = worldOf([RIGHT, '@ CAA 0 issue one.test', '@ CAA 0 issue two.test']);
    expect(await climb(NAME, world)).toEqual({
      steps: [`${NAME} nodata`, 'shop.example.test nodata', 'example.test value'],
      owner: 'example.test',
      count: 2,
    });
  });

  test('finds records of the top-level domain', async () => {
    const world = worldOf([]);
    const zones = { ...world.zones, test: [...(world.zones.test ?? []), '@ CAA 0 issue one.test'] };
    expect((await climb(NAME, { ...world, zones }, true)).owner).toBe('test');
  });

  test("uses the records of the alias's target", async () => {
    const world = worldOf([RIGHT], platform('cname A 192.0.2.80', 'cname CAA 0 issue one.test'));
    expect(await climb(NAME, world)).toMatchObject({ steps: [`${NAME} value`], owner: NAME, count: 1 });
  });

  test("keeps the target's owner name, and the question to its server", async () => {
    const lines = ['cname CNAME hop.platform.test.', 'hop CNAME end', 'end CAA 0 issue one.test'];
    const { context } = contextOf(worldOf([RIGHT], platform(...lines)));
    const { zone } = await findZone(context, NAME);
    const { steps, records } = await climbCaaTree(context, zone, NAME, {
      servers: await queryServers(context, { zone, name: NAME, isThorough: false }),
      isThorough: false,
    });
    expect(records[0]?.name).toBe('end.platform.test');
    expect(steps[0]?.lookup.question).toEqual({ name: TARGET, type: 'CAA' });
    expect(steps[0]?.lookup.server.address).toBe(PLATFORM);
    expect(steps[0]?.lookup.chain.map(({ name }) => name)[0]).toBe(NAME);
  });

  test("does not climb from the alias's target", async () => {
    const world = worldOf([RIGHT], platform('cname A 192.0.2.80', '@ CAA 0 issue one.test'));
    expect((await climb(NAME, world)).owner).toBeUndefined();
  });

  test('keeps a failed step, and continues', async () => {
    const rcodes = { [`${NS1} CAA ${NAME}`]: 'SERVFAIL', [`${NS2} CAA ${NAME}`]: 'SERVFAIL' };
    const { steps, owner } = await climb(NAME, worldOf([RIGHT, '@ CAA 0 issue one.test'], { rcodes }));
    expect(steps[0]).toBe(`${NAME} failed`);
    expect(owner).toBe('example.test');
  });

  test('queries another server if one fails', async () => {
    const rcodes = { [`${NS1} CAA ${NAME}`]: 'SERVFAIL' };
    expect((await climb(NAME, worldOf([RIGHT], { rcodes }))).steps[0]).toBe(`${NAME} nodata`);
  });

  test('returns a failed step if no server responds', async () => {
    const faults = { [NS1]: 'silent', [NS2]: 'silent' } as const;
    expect((await climb('shop.example.test', worldOf([], { faults }))).steps).toEqual([
      'shop.example.test failed',
      'example.test failed',
    ]);
  });

  test('makes no query without servers', async () => {
    expect((await climb('shop.nowhere.test', worldOf([]))).steps).toEqual([]);
  });

  test('ends in a loop', async () => {
    const { steps } = await climb('x.example.test', worldOf(['x CNAME y', 'y CNAME x']));
    expect(steps[0]).toBe('x.example.test nodata');
  });
});
