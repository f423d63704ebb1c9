import { describe, expect, test } from 'vitest';
import {
  type AliasFacts,
  type AliasTarget,
  gatherAliasEvidence,
} from '../../../src/domain/gather/alias-evidence.js';
import { queryServers } from '../../../src/domain/gather/servers.js';
import { findTarget } from '../../../src/domain/gather/target.js';
import { findZone } from '../../../src/domain/gather/zone/zone.js';
import { until } from '../../support/virtual-clock.js';
import { contextOf, PLATFORM, TARGET, worldOf } from '../world.js';

interface Gathered extends AliasFacts {
  waits: readonly number[];
  /** Queries for the target's addresses. */
  targetQueries: number;
}

async function gatherFor(
  name: string,
  lines: readonly string[],
  options: Pick<AliasTarget, 'findServingTarget'> & { later?: readonly string[] } = {},
): Promise<Gathered> {
  const { context, dns, clock } = contextOf(worldOf(lines));
  const { zone } = await findZone(context, name);
  const servers = await queryServers(context, { zone, name, isThorough: false });
  const platform = await findTarget(context, TARGET);
  const { later, findServingTarget } = options;
  if (later !== undefined) dns.world = worldOf(lines, { zones: { 'platform.test': later } });
  let done = false;
  const target = { target: TARGET, platform, findServingTarget };
  const promise = gatherAliasEvidence(context, servers, target).finally(() => (done = true));
  await until(() => done || clock.pending > 0);
  if (!done) await clock.next();
  const queries = dns.queries.filter((line) => line === `${PLATFORM} A ${TARGET}`);
  return { ...(await promise), waits: clock.delays, targetQueries: queries.length };
}

describe('a second query', () => {
  test('shows that the TTL of an ALIAS counts down', async () => {
    const { servers, waits } = await gatherFor('example.test', [`@ ALIAS ${TARGET}.`]);
    expect(waits).toEqual([2_000]);
    expect(servers.map(({ a, aRepeated }) => [a.records[0]?.ttl, aRepeated?.records[0]?.ttl])).toEqual([
      [60, 58],
      [60, 58],
    ]);
  });

  test.each([
    ['an alias', 'shop.example.test', [`shop CNAME ${TARGET}.`]],
    ["a stranger's address with a longer TTL than the target's", 'example.test', ['@ A 192.0.2.99']],
    ['one address of a stranger', 'example.test', ['@ A 192.0.2.80', '@ A 192.0.2.99']],
    ['nothing', 'example.test', []],
  ])('is not made for %s', async (_, name, lines) => {
    const { servers, waits } = await gatherFor(name, lines);
    expect(waits).toEqual([]);
    expect(servers.map(({ aRepeated }) => aRepeated)).toEqual([undefined, undefined]);
  });

  test('is made for other addresses that may be those of an ALIAS', async () => {
    const { servers, waits } = await gatherFor('example.test', ['@ 60 A 192.0.2.99']);
    expect(waits).toEqual([2_000]);
    expect(servers.map(({ aRepeated }) => aRepeated?.outcome)).toEqual(['value', 'value']);
  });
});

describe("the target's addresses", () => {
  const later = ['@ NS ns', `ns A ${PLATFORM}`, 'cname 60 A 192.0.2.99'];

  test('are queried again on a mismatch', async () => {
    const { platform, targetQueries } = await gatherFor('example.test', ['@ A 192.0.2.99'], { later });
    expect(platform).toMatchObject({ isVarying: true });
    expect(platform.addresses).toContain('192.0.2.99');
    expect(targetQueries).toBe(2);
  });

  test('are not queried again without one', async () => {
    const { platform, targetQueries } = await gatherFor('example.test', ['@ A 192.0.2.80'], { later });
    expect(platform.isVarying).toBeUndefined();
    expect(targetQueries).toBe(1);
  });

  test('are completed by addresses that serve its certificate', async () => {
    const compared: string[] = [];
    const findServingTarget = (addresses: readonly string[]) => {
      compared.push(...addresses);
      return Promise.resolve(['192.0.2.99']);
    };
    const lines = ['@ A 192.0.2.99', '@ A 192.0.2.98', '@ A 192.0.2.80'];
    const { platform } = await gatherFor('example.test', lines, { findServingTarget });
    expect(compared).toEqual(['192.0.2.99', '192.0.2.98']);
    expect(platform.byCertificate).toEqual(['192.0.2.99']);
    expect(platform.addresses).toContain('192.0.2.99');
    expect(platform.addresses).not.toContain('192.0.2.98');
  });
});
