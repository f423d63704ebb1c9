import { describe, expect, test } from 'vitest';
import { queryServers } from '../../../src/domain/gather/servers.js';
import { findZone } from '../../../src/domain/gather/zone.js';
import type { World } from '../fake-dns.js';
import { NS1, NS2, TARGET, contextOf, worldOf } from '../world.js';

async function queryAll(name: string, world: World) {
  const set = contextOf(world);
  const { zone } = await findZone(set.context, name);
  return { ...set, servers: await queryServers(set.context, { zone, name, isThorough: false }) };
}

describe('every server of the zone', () => {
  test.each([
    ['an address', 'shop A 192.0.2.9', ['CNAME', 'A', 'AAAA', 'MX', 'TXT', 'HTTPS', 'SOA']],
    ['nothing', 'other A 192.0.2.9', ['CNAME', 'A', 'AAAA', 'MX', 'TXT', 'HTTPS', 'SOA']],
  ])('is queried for the record and for possible conflicts with %s', async (_, line, types) => {
    const { dns } = await queryAll('shop.example.test', worldOf([line]));
    for (const type of types) {
      const name = type === 'SOA' ? 'example.test' : 'shop.example.test';
      for (const address of [NS1, NS2])
        expect(dns.queries.filter((query) => query === `${address} ${type} ${name}`)).toHaveLength(1);
    }
  });

  test('is queried once for an alias, and one server for conflicts with it', async () => {
    const { servers, dns } = await queryAll('shop.example.test', worldOf([`shop CNAME ${TARGET}.`]));
    expect(servers.map(({ server }) => server.address)).toEqual([NS1, NS2]);
    expect(dns.queries.filter((line) => line.endsWith('shop.example.test'))).toEqual([
      `${NS1} A shop.example.test`,
      ...['CNAME', 'MX', 'TXT', 'HTTPS'].map((type) => `${NS1} ${type} shop.example.test`),
      `${NS2} AAAA shop.example.test`,
    ]);
    expect(servers[0]).toMatchObject({
      cname: { outcome: 'value' },
      mx: { outcome: 'nodata' },
    });
  });

  test('is not queried further if it does not respond about its zone', async () => {
    const world = worldOf([], { faults: { [NS2]: 'silent' } });
    const { servers, dns } = await queryAll('shop.example.test', world);
    expect(dns.queries.filter((line) => line.startsWith(NS2))).toEqual([`${NS2} SOA example.test`]);
    expect(servers[1]?.a).toMatchObject({
      outcome: 'failed',
      question: { name: 'shop.example.test', type: 'A' },
      failure: 'no response within 2 s',
    });
  });

  test('is queried further after a refusal, which may concern one type only', async () => {
    const world = worldOf([], { rcodes: { [`${NS2} SOA example.test`]: 'REFUSED' } });
    const { servers } = await queryAll('shop.example.test', world);
    expect(servers[1]).toMatchObject({ soa: { outcome: 'failed' }, a: { outcome: 'nxdomain' } });
    expect(servers[1]?.zoneSoa).toBeUndefined();
  });
});
