import { describe, expect, test } from 'vitest';
import { gather } from '../../../src/domain/gather/gather.js';
import type { Facts } from '../../../src/domain/gather/facts/facts.js';
import type { World } from '../fake-dns.js';
import { RESOLVER, TARGET, contextOf, resolverQueries, worldOf } from '../world.js';

interface Gathered {
  facts: Facts;
  queries: string[];
  /** Queries for the domain itself that resolvers received. */
  recursive: string[];
}

async function gathered(name: string, world: World): Promise<Gathered> {
  const { context, dns, settled } = contextOf(world);
  const domain = { input: name, ascii: name, unicode: name };
  const unknown = { plan: undefined, deployed: undefined, kind: undefined, issuer: undefined };
  const subject = { domain, target: TARGET, ...unknown, isThorough: false, checksCaa: true };
  const facts = await settled(gather(context, subject));
  return { facts, queries: dns.queries, recursive: resolverQueries(dns, name) };
}

const SHOP = 'shop.example.test';

describe('a resolver with a stale record', () => {
  const stale = { [`A ${SHOP}`]: ['@ 845 A 198.51.100.7'] };

  test('is queried for the name servers, which may be the former ones, for what a cache behind it has, and again later', async () => {
    const cached = { ...stale, 'NS example.test': ['@ 90000 NS ns1.former.test.'] };
    const { facts, queries } = await gathered(SHOP, worldOf([`shop CNAME ${TARGET}.`], { cached }));
    expect(facts.resolvers[0]?.ns?.records.map(({ ttl }) => ttl)).toEqual([90_000]);
    expect(facts.resolvers[0]?.behind?.a.records.map(({ ttl }) => ttl)).toEqual([845]);
    expect(facts.resolvers[0]?.later?.a.records.map(({ ttl }) => ttl)).toEqual([844]);
    const addresses = [`A ${SHOP}`, `AAAA ${SHOP}`];
    const former = ['A ns1.former.test', 'AAAA ns1.former.test'];
    expect(queries.slice(-7)).toEqual(
      ['NS example.test', ...addresses, ...addresses, ...former].map((query) => `+rd ${RESOLVER} ${query}`),
    );
  });

  test('only: others are not', async () => {
    const { facts } = await gathered(SHOP, worldOf([`shop CNAME ${TARGET}.`]));
    expect(facts.resolvers[0]?.ns ?? facts.resolvers[0]?.behind).toBeUndefined();
  });
});

test('a right record in capitals is right', async () => {
  const { recursive } = await gathered(SHOP, worldOf([`shop CNAME ${TARGET.toUpperCase()}.`]));
  expect(recursive).toEqual([`+rd ${RESOLVER} A ${SHOP}`, `+rd ${RESOLVER} AAAA ${SHOP}`]);
});

test('a right record needs no unnecessary query', async () => {
  const { queries } = await gathered(SHOP, worldOf([`shop CNAME ${TARGET}.`]));
  expect(queries.filter((line) => queries.indexOf(line) !== queries.lastIndexOf(line))).toEqual([]);
  expect(queries.sort()).toMatchInlineSnapshot(`
    [
      "+rd 192.0.2.53 A a.nic.test",
      "+rd 192.0.2.53 A shop.example.test",
      "+rd 192.0.2.53 AAAA shop.example.test",
      "+rd 192.0.2.53 NS test",
      "192.0.2.1 NS example.test",
      "192.0.2.1 NS platform.test",
      "192.0.2.11 A shop.example.test",
      "192.0.2.11 CAA example.test",
      "192.0.2.11 CAA shop.example.test",
      "192.0.2.11 CNAME shop.example.test",
      "192.0.2.11 HTTPS shop.example.test",
      "192.0.2.11 MX shop.example.test",
      "192.0.2.11 NS example.test",
      "192.0.2.11 TXT shop.example.test",
      "192.0.2.12 AAAA shop.example.test",
      "192.0.2.12 CNAME 04oeh71lltcg.example.test",
      "192.0.2.21 A cname.platform.test",
      "192.0.2.21 CAA cname.platform.test",
    ]
  `);
});

describe('an apex with other addresses of a target that rotates', () => {
  const cached = { [`A ${TARGET}`]: ['@ 7 A 192.0.2.81'] };
  const world = worldOf(['@ 60 A 192.0.2.81'], { cached });

  test('is compared with all known addresses, and may be right', async () => {
    const { facts, recursive } = await gathered('example.test', world);
    expect(facts.platform.addresses).toContain('192.0.2.81');
    expect(facts.servers.map(({ aRepeated }) => aRepeated?.outcome)).toEqual(['value', 'value']);
    expect(recursive).not.toEqual([]);
  });

  test('does not query resolvers for the target of a subdomain', async () => {
    const { queries } = await gathered(SHOP, worldOf(['shop A 192.0.2.81'], { cached }));
    expect(queries.filter((line) => line.startsWith('+rd') && line.endsWith(TARGET))).toEqual([]);
  });
});
